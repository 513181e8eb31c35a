// Send queues for each destination, as the queue pairs of InfiniBand: active queues share the injection channel packet by packet in turn, and every
// packet is acknowledged by the interface of its destination at once. Acknowledgements go first.
// M. A. Blumrich, N. Jiang and L. R. Dennison, "Exploiting Idle Resources in a High-Radix Switch for Supplemental Storage", 2018.
// Limits: needs a switch that moves whole packets.
import { cycles, flits, int, schema } from "../core/schema.ts"
import type { EndpointModel } from "../model/endpoint.ts"
import type { Plugin } from "../model/plugin.ts"

export default {
  kind: "endpoint",
  name: "queue-pairs",
  about: "A send queue for each destination, served in turn packet by packet; each packet is acknowledged.",
  cites: "Exploiting Idle Resources in a High-Radix Switch for Supplemental Storage, M. A. Blumrich, N. Jiang and L. R. Dennison, 2018",
  limits: "needs a switch that moves whole packets, such as tiled",
  can: ["windows", "classes", "priorities", "replies"],
  needs: (p) => ["acknowledgements", ...(p.turnaround > 0 ? (["replies"] as const) : [])],
  params: schema({
    ack: flits({ about: "size of an acknowledgement; 0flits = none are sent", max: 2047, default: "1flit" }),
    reorder: int({
      about:
        "ordered delivery: packets of one source that wait at their destination for earlier ones (more are refused and sent again); 0 = any order",
      min: 0,
      max: 127,
      default: 0,
    }),
    backlog: int({
      about: "messages that the queues of one endpoint hold; the rest of an overload waits outside, in order of creation",
      min: 1,
      max: 65000,
      default: 1024,
    }),
    active: int({
      about:
        "messages of one endpoint that are sent at a time, in turn; one more begins whenever congestion control holds all of these back",
      min: 1,
      max: 65000,
      default: 1,
    }),
    turnaround: cycles({
      about:
        "between the arrival of a request and the earliest departure of its reply, and part of the reply's latency; its acknowledgement goes at once",
      max: 1024,
      default: "0cycles",
    }),
  }),
  make: (p): EndpointModel => ({ injectRandom: false, perDestination: true, ...p, active: Math.min(p.active, p.backlog) }),
} satisfies Plugin<{ ack: number; backlog: number; active: number; reorder: number; turnaround: number }, EndpointModel, unknown>
