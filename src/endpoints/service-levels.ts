// A queue for each service level (class of traffic), and the scheduler of the links (network.qos) in front of the channel: what goes first in the network goes
// first at its edge. What the interface has no place for waits in the application, apart for each level, and that wait counts.
// J. Cano-Cano, F. J. Andújar, F. J. Alfaro and J. L. Sánchez, "QoS Provision in Hierarchical and non-Hierarchical Switch Architectures".
// Limits: needs a switch with a scheduler at every output.
import { int, schema } from "../core/schema.ts"
import type { EndpointModel } from "../model/endpoint.ts"
import type { Plugin } from "../model/plugin.ts"

export default {
  kind: "endpoint",
  name: "service-levels",
  about: "A queue for each service level; the scheduler of the links chooses which of them sends the next packet.",
  cites:
    "QoS Provision in Hierarchical and non-Hierarchical Switch Architectures, J. Cano-Cano, F. J. Andújar, F. J. Alfaro and J. L. Sánchez",
  limits: "needs a switch with a scheduler at every output, such as infiniband; no answers, no acknowledgements",
  can: ["classes"],
  needs: () => ["schedulers"],
  params: schema({
    queue: int({
      about:
        "messages of each level that the interface holds: fair queueing (wfq, scfq) knows no later ones; the rest waits in the application",
      min: 1,
      max: 4096,
      default: 16,
    }),
  }),
  make: (p): EndpointModel => ({
    ...{ injectRandom: false, perDestination: false, ack: 0, reorder: 0, turnaround: 0 },
    backlog: p.queue,
    active: p.queue,
    scheduled: true,
  }),
} satisfies Plugin<{ queue: number }, EndpointModel, unknown>
