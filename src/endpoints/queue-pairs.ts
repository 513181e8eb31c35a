// Send queues for each destination, as the queue pairs of InfiniBand. Active queues share the injection channel packet
// by packet, round-robin. The interface of the destination acknowledges each packet at once, and acknowledgements
// precede data. M. A. Blumrich, N. Jiang and L. R. Dennison, "Exploiting Idle Resources in a High-Radix Switch for
// Supplemental Storage", 2018. Limits: needs a switch that moves whole packets.
import { cycles, flits, int, schema } from "../core/schema.ts"
import type { EndpointModel } from "../model/endpoint.ts"
import type { Plugin } from "../model/plugin.ts"

export default {
  kind: "endpoint",
  name: "queue-pairs",
  about:
    "The endpoint has a send queue for each destination, served round-robin by packets. Each packet is acknowledged.",
  cites:
    "Exploiting Idle Resources in a High-Radix Switch for Supplemental Storage, " +
    "M. A. Blumrich, N. Jiang and L. R. Dennison, 2018",
  limits: "needs a switch that moves whole packets, such as tiled",
  can: ["windows", "classes", "priorities", "replies"],
  needs: (p) => ["acknowledgements", ...(p.turnaround > 0 ? (["replies"] as const) : [])],
  params: schema({
    ack: flits({ about: "Size of an acknowledgement; 0flits = no acknowledgements", max: 2047, default: "1flit" }),
    reorder: int({
      about:
        "Number of packets of one source that may wait at the destination for earlier ones; further " +
        "packets are rejected and sent again; 0 = any order",
      min: 0,
      max: 127,
      default: 0,
    }),
    backlog: int({
      about:
        "Maximum number of messages in the queues of an endpoint; further messages wait outside in order of creation",
      min: 1,
      max: 65000,
      default: 1024,
    }),
    active: int({
      about:
        "Number of messages that an endpoint sends round-robin at a time; another starts when congestion " +
        "control blocks all of them",
      min: 1,
      max: 65000,
      default: 1,
    }),
    turnaround: cycles({
      about:
        "Time from the arrival of a request to the earliest departure of its reply, part of the reply's " +
        "latency; acknowledgements leave at once",
      max: 1024,
      default: "0cycles",
    }),
  }),
  make: (p): EndpointModel => ({
    injectRandom: false,
    perDestination: true,
    ...p,
    active: Math.min(p.active, p.backlog),
  }),
} satisfies Plugin<
  { ack: number; backlog: number; active: number; reorder: number; turnaround: number },
  EndpointModel,
  unknown
>
