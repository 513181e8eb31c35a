// Round robin: the first queue after the one that sent last. It counts messages, not bytes.
import { schema } from "../core/schema.ts"
import type { Plugin } from "../model/plugin.ts"
import type { QosModel, QosScheduler, QosSite } from "../model/scheduler.ts"
import { from } from "./bits.ts"

export function roundRobin(site: QosSite): QosScheduler {
  /** [row] -> the queue after the last one that sent */
  const next = site.ints(site.rows)
  return {
    columns: { next },
    hears: false,
    arrived() {},
    pick: (row, sendable) => (sendable === 0 ? -1 : from(sendable, next[row])),
    sent(row, queue) {
      next[row] = queue + 1
    },
  }
}

export default {
  kind: "qos",
  name: "round-robin",
  about: "Queues are served round-robin, message by message.",
  params: schema({}),
  make: (): QosModel => ({ build: roundRobin }),
} satisfies Plugin<Record<string, never>, QosModel, unknown>
