// Strict priority: the most urgent queue that can send. Other queues starve while it has packets.
import { choice, schema } from "../core/schema.ts"
import type { Plugin } from "../model/plugin.ts"
import type { QosModel, QosScheduler } from "../model/scheduler.ts"
import { lowest } from "./bits.ts"

type Params = { first: "lowest" | "highest" }

export function strict(p: Params): QosScheduler {
  const low = p.first === "lowest"
  return {
    columns: {},
    hears: false,
    arrived() {},
    pick: (_, sendable) => (sendable === 0 ? -1 : low ? lowest(sendable) : 31 - Math.clz32(sendable)),
    sent() {},
  }
}

export default {
  kind: "qos",
  name: "strict",
  about: "Strict priority: the most urgent queue that can send goes first.",
  limits: "a queue starves while a more urgent one always has packets",
  params: schema({
    first: choice(["lowest", "highest"], {
      about: "End of the queue numbers that is the most urgent: the lowest or the highest number",
      default: "lowest",
    }),
  }),
  make: (p): QosModel => ({ build: () => strict(p) }),
} satisfies Plugin<Params, QosModel, unknown>
