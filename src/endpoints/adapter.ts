// The adapter of networks with queue schemes: an admittance queue for each destination, and packets that leave for the switch when the queue that they will
// join there has room. What waits for a full queue keeps nobody back who goes to another one.
// J. Escudero-Sahuquillo and others, "Cost-effective congestion management for interconnection networks using distributed deterministic routing", 2010.
// Limits: the injection queues are those of the switch behind the link: the adapter itself has admittance queues alone.
import { choice, int, schema } from "../core/schema.ts"
import type { EndpointModel } from "../model/endpoint.ts"
import type { Plugin } from "../model/plugin.ts"

export default {
  kind: "endpoint",
  name: "adapter",
  about:
    "An admittance queue for each destination, served in turn; a packet leaves when the queue of the switch that it will join has room.",
  cites:
    "Cost-effective congestion management for interconnection networks using distributed deterministic routing, J. Escudero-Sahuquillo and others, 2010",
  limits: "needs a switch whose links have lanes, such as queue-scheme",
  needs: () => ["admittance"],
  params: schema({
    admittance: choice(["round-robin", "fifo"], {
      about: "queues for each destination in turn, packet by packet; or one queue in order of creation",
      default: "round-robin",
    }),
    backlog: int({
      about: "messages that the queues of one endpoint hold; the rest of an overload waits outside, in order of creation",
      min: 1,
      max: 65000,
      default: 1024,
    }),
  }),
  make: (p): EndpointModel => ({
    ...{ injectRandom: false, ack: 0, reorder: 0, turnaround: 0 },
    perDestination: p.admittance === "round-robin",
    backlog: p.backlog,
    active: p.backlog,
  }),
} satisfies Plugin<{ admittance: "round-robin" | "fifo"; backlog: number }, EndpointModel, unknown>
