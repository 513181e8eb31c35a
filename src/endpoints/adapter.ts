// The adapter of networks with queue schemes: an admittance queue for each destination, and packets that leave for the switch when the queue that they will
// join there has room. What waits for a full queue keeps nobody back who goes to another one.
// J. Escudero-Sahuquillo, P. J. Garcia, F. J. Quiles, J. Flich and J. Duato, "Efficient Congestion Management for High-Performance Interconnection Networks
// with Distributed Routing", 2010.
import { type Complaint, complain } from "../core/complaint.ts"
import { choice, flag, int, list, maybe, schema, text } from "../core/schema.ts"
import type { EndpointModel, InjectionWish } from "../model/endpoint.ts"
import type { Plugin } from "../model/plugin.ts"

type Params = {
  admittance: "round-robin" | "fifo"
  injection: "none" | "copy"
  gate?: boolean | undefined
  detect?: boolean | undefined
  backlog: number
  capped: readonly string[]
  cap: number
}

export default {
  kind: "endpoint",
  name: "adapter",
  about:
    "An admittance queue for each destination, served in turn; a packet leaves when the queue of the switch that it will join has room.",
  cites:
    "Efficient Congestion Management for High-Performance Interconnection Networks with Distributed Routing, J. Escudero-Sahuquillo, P. J. Garcia, F. J. Quiles, J. Flich and J. Duato, 2010",
  limits: "needs a switch whose links have lanes, such as queue-scheme",
  needs: () => ["admittance"],
  params: schema({
    admittance: choice(["round-robin", "fifo"], {
      about: "queues for each destination in turn, packet by packet; or one queue in order of creation",
      default: "round-robin",
    }),
    injection: choice(["none", "copy"], {
      about: "packets leave from the queues of messages, or through injection queues like those of an input of the switch",
      default: "none",
    }),
    gate: maybe(
      flag({
        about:
          "injection: copy, with fbicm: a line with more packets than `stop` closes the queues of messages to its destinations; true if not given",
      }),
    ),
    detect: maybe(
      flag({ about: "injection: copy, with fbicm: congested flows are looked for in the injection queues, too; false if not given" }),
    ),
    backlog: int({
      about: "messages that the queues of one endpoint hold; the rest of an overload waits outside, in order of creation",
      min: 1,
      max: 65000,
      default: 1024,
    }),
    capped: list(text({}), { about: "names of streams whose sources pause while their endpoint holds `cap` messages", default: [] }),
    cap: int({ about: "messages of an endpoint from which on these streams create no more", min: 1, max: 65000, default: 1024 }),
  }),
  check(p): Complaint[] {
    const idle = (["gate", "detect"] as const).filter((key) => p.injection === "none" && p[key] !== undefined)
    return [...idle.map((key) => complain(key, "there are no injection queues", "leave it out, or set injection to copy")), ...capped(p)]
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
    ? [complain("cap", `${p.cap} messages are more than the backlog (${p.backlog})`, `set it to at most ${p.backlog}, or backlog higher`)]
    : []
}

function wishOf({ gate, detect }: Params): InjectionWish {
  return { ...(gate === undefined ? {} : { gate }), ...(detect === undefined ? {} : { detect }) }
}
