// The plain endpoint: an unbounded queue, one packet at a time, one flit per cycle.
import { choice, cycles, schema } from "../core/schema.ts"
import type { EndpointModel } from "../model/endpoint.ts"
import type { Plugin } from "../model/plugin.ts"

export default {
  kind: "endpoint",
  name: "simple",
  about: "An unbounded queue in order of creation; packets go out one after the other, one flit per cycle.",
  can: ["classes", "priorities", "replies", "drawnVcs"],
  needs: (p) => [...(p.vc === "random" ? (["drawnVcs"] as const) : []), ...(p.turnaround > 0 ? (["replies"] as const) : [])],
  params: schema({
    vc: choice(["round-robin", "random"], {
      about: "VC of the next packet: the first with room after the last one used, or one drawn anew for each attempt (BookSim's dragonfly)",
      default: "round-robin",
    }),
    turnaround: cycles({
      about: "between the arrival of a request and the earliest departure of its reply, and part of the reply's latency (BookSim2: 1cycle)",
      max: 1024,
      default: "0cycles",
    }),
  }),
  make: (p): EndpointModel => ({
    injectRandom: p.vc === "random",
    turnaround: p.turnaround,
    ...{ perDestination: false, ack: 0, backlog: 1, active: 1, reorder: 0 },
  }),
} satisfies Plugin<{ vc: "round-robin" | "random"; turnaround: number }, EndpointModel, unknown>
