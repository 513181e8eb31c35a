// The default endpoint: an unbounded source queue that sends one packet at a time, one flit per cycle.
import { choice, cycles, schema } from "../core/schema.ts"
import type { EndpointModel } from "../model/endpoint.ts"
import type { Plugin } from "../model/plugin.ts"

export default {
  kind: "endpoint",
  name: "simple",
  about: "An unbounded queue sends packets in order of creation, one flit per cycle.",
  can: ["classes", "priorities", "replies", "drawnVcs", "streamVcs"],
  needs: (p) => [
    ...(p.vc === "random" ? (["drawnVcs"] as const) : []),
    ...(p.vc === "booksim2" ? (["streamVcs"] as const) : []),
    ...(p.turnaround > 0 || p.replyClass === "same" ? (["replies"] as const) : []),
  ],
  params: schema({
    vc: choice(["round-robin", "random", "booksim2"], {
      about:
        "VC of the next packet: the next one with credits, a random one for each attempt (BookSim2's " +
        "dragonfly), or a round-robin for each stream (BookSim2's other terminals)",
      default: "round-robin",
    }),
    replyClass: choice(["next", "same"], {
      about: "VCs of replies: those of the next class, or those of their requests (BookSim2's dragonfly)",
      default: "next",
    }),
    turnaround: cycles({
      about:
        "Time from the arrival of a request to the earliest departure of its reply, part of the reply's " +
        "latency (BookSim2: 1cycle)",
      max: 1024,
      default: "0cycles",
    }),
  }),
  make: (p): EndpointModel => ({
    injectRandom: p.vc === "random",
    injectByStream: p.vc === "booksim2",
    replyClass: p.replyClass,
    turnaround: p.turnaround,
    ...{ perDestination: false, ack: 0, backlog: 1, active: 1, reorder: 0 },
  }),
} satisfies Plugin<
  { vc: "round-robin" | "random" | "booksim2"; replyClass: "next" | "same"; turnaround: number },
  EndpointModel,
  unknown
>
