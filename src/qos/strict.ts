// Strict priority: the most urgent queue that can send. Others starve while it has something.
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
  about: "The most urgent queue that can send goes first; the others wait.",
  limits: "a queue starves while a more urgent one always has something",
  params: schema({ first: choice(["lowest", "highest"], { about: "queue number that is the most urgent", default: "lowest" }) }),
  make: (p): QosModel => ({ build: () => strict(p) }),
} satisfies Plugin<Params, QosModel, unknown>
