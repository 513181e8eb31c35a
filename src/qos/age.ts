// Age: the queue whose head was created first; of equal ones the lowest number.
import { schema } from "../core/schema.ts"
import type { Plugin } from "../model/plugin.ts"
import type { QosModel, QosScheduler } from "../model/scheduler.ts"

export function age(): QosScheduler {
  return {
    columns: {},
    hears: false,
    arrived() {},
    pick(_, sendable, __, births, at) {
      let best = -1
      let oldest = 0
      for (let left = sendable; left !== 0; left &= left - 1) {
        const queue = 31 - Math.clz32(left & -left)
        const born = births[at + queue]!
        if (best >= 0 && born >= oldest) continue
        best = queue
        oldest = born
      }
      return best
    },
    sent() {},
  }
}

export default {
  kind: "qos",
  name: "age",
  about: "The oldest head goes first.",
  params: schema({}),
  make: (): QosModel => ({ build: age }),
} satisfies Plugin<Record<string, never>, QosModel, unknown>
