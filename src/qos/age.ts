// Age-based arbitration: serves the queue whose head packet was created first; among equals the lowest number.
import { schema } from "../core/schema.ts"
import type { Plugin } from "../model/plugin.ts"
import type { QosModel, QosScheduler } from "../model/scheduler.ts"

export function age(): QosScheduler {
  return {
    columns: {},
    hears: false,
    arrived() {},
    pick(_, sendable, __, created, at) {
      let best = -1
      let oldest = 0
      for (let left = sendable; left !== 0; left &= left - 1) {
        const queue = 31 - Math.clz32(left & -left)
        const createdAt = created[at + queue]
        if (best >= 0 && createdAt >= oldest) continue
        best = queue
        oldest = createdAt
      }
      return best
    },
    sent() {},
  }
}

export default {
  kind: "qos",
  name: "age",
  about: "The oldest packet at the head of a queue goes first.",
  params: schema({}),
  make: (): QosModel => ({ ages: true, build: age }),
} satisfies Plugin<Record<string, never>, QosModel, unknown>
