// The adapter of networks with queue schemes. It has an admittance queue for each destination. A packet leaves for the
// switch when the switch queue that it will join has credits. A packet that waits for a full queue does not block
// packets for other queues. J. Escudero-Sahuquillo, P. J. Garcia, F. J. Quiles, J. Flich and J. Duato, "Efficient
// Congestion Management for High-Performance Interconnection Networks with Distributed Routing", 2010. The clocked
// engine implements the queues (engines/flit/transfers/messages.ts); this file has the keys.
import { type Complaint, complain } from "../core/complaint.ts"
import { choice, flag, int, list, maybe, schema, text } from "../core/schema.ts"
import type { EndpointModel, InjectionRequest } from "../model/endpoint.ts"
import type { Plugin } from "../model/plugin.ts"

type Params = {
  admittance: "round-robin" | "fifo"
  injection: "none" | "copy"
  gate?: boolean | undefined
  detect?: boolean | undefined
  rate?: "link" | "any" | undefined
  backlog: number
  capped: readonly string[]
  cap: number
}

export default {
  kind: "endpoint",
  name: "adapter",
  about:
    "The endpoint has an admittance queue for each destination, served round-robin. A packet leaves " +
    "when its queue in the switch has free space.",
  cites:
    "Efficient Congestion Management for High-Performance Interconnection Networks with Distributed Routing, " +
    "J. Escudero-Sahuquillo, P. J. Garcia, F. J. Quiles, J. Flich and J. Duato, 2010",
  limits: "needs a switch whose links have separate queues, such as queue-scheme",
  needs: () => ["admittance"],
  revision: 2,
  params: schema({
    admittance: choice(["round-robin", "fifo"], {
      about: "Queues of messages: one for each destination, served round-robin by packets, or one in order of creation",
      default: "round-robin",
    }),
    injection: choice(["none", "copy"], {
      about: "Send packets from the message queues, or through injection queues like those of a switch input",
      default: "none",
    }),
    gate: maybe(
      flag({
        about:
          "Close the message queues to the destinations of a line that has more packets than `stop`; for " +
          "injection: copy with fbicm (default: true)",
      }),
    ),
    detect: maybe(
      flag({
        about: "Detect congested flows in the injection queues, too; for injection: copy with fbicm (default: false)",
      }),
    ),
    rate: maybe(
      choice(["link", "any"], {
        about:
          "Rate at which packets move from the message queues to the injection queues: that of the link, as the memory " +
          "of a switch input has it, or any; for injection: copy (default: link)",
      }),
    ),
    backlog: int({
      about:
        "Maximum number of messages in the queues of an endpoint; further messages wait outside in order of creation",
      min: 1,
      max: 65000,
      default: 1024,
    }),
    capped: list(text({}), {
      about: "Names of streams whose sources pause while their endpoint contains `cap` messages",
      default: [],
    }),
    cap: int({
      about: "Number of messages of an endpoint from which these streams create no more",
      min: 1,
      max: 65000,
      default: 1024,
    }),
  }),
  check(p): Complaint[] {
    const idle = (["gate", "detect", "rate"] as const).filter((key) => p.injection === "none" && p[key] !== undefined)
    return [
      ...idle.map((key) => complain(key, "there are no injection queues", "leave it out, or set injection to copy")),
      ...capped(p),
    ]
  },
  make: (p): EndpointModel => ({
    ...{ injectRandom: false, ack: 0, reorder: 0, turnaround: 0 },
    perDestination: p.admittance === "round-robin",
    backlog: p.backlog,
    active: p.backlog,
    ...(p.injection === "copy" ? { injection: wishOf(p) } : {}),
    ...(p.capped.length > 0 ? { cap: { messages: p.cap, streams: p.capped } } : {}),
  }),
} satisfies Plugin<Params, EndpointModel, unknown>

function capped(p: Params): Complaint[] {
  return p.capped.length > 0 && p.cap > p.backlog
    ? [
        complain(
          "cap",
          `${p.cap} messages are more than the backlog (${p.backlog})`,
          `set it to at most ${p.backlog}, or backlog higher`,
        ),
      ]
    : []
}

function wishOf({ gate, detect, rate }: Params): InjectionRequest {
  return {
    ...(gate === undefined ? {} : { gate }),
    ...(detect === undefined ? {} : { detect }),
    ...(rate === undefined ? {} : { rate }),
  }
}
