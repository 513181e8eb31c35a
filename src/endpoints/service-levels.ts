// An endpoint with a queue for each service level (traffic class). The scheduler of the links (network.qos) also
// selects the queue that sends next, so priorities hold at the edge of the network as well. Messages that the interface
// has no space for wait in the application, separately for each level, and that wait counts as latency. J. Cano-Cano,
// F. J. Andújar, F. J. Alfaro and J. L. Sánchez, "QoS Provision in Hierarchical and non-Hierarchical Switch
// Architectures". Limits: needs a switch with a scheduler at every output.
import { int, schema } from "../core/schema.ts"
import type { EndpointModel } from "../model/endpoint.ts"
import type { Plugin } from "../model/plugin.ts"

export default {
  kind: "endpoint",
  name: "service-levels",
  about:
    "The endpoint has a queue for each service level. The scheduler of the links selects the queue " +
    "that sends the next packet.",
  cites:
    "QoS Provision in Hierarchical and non-Hierarchical Switch Architectures, J. " +
    "Cano-Cano, F. J. Andújar, F. J. Alfaro and J. L. Sánchez",
  limits: "needs a switch with a scheduler at every output, such as infiniband; no replies, no acknowledgements",
  can: ["classes"],
  needs: () => ["schedulers"],
  params: schema({
    queue: int({
      about:
        "Number of messages of each level in the interface, which fair queueing (wfq, scfq) takes into " +
        "account; further messages wait in the application",
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
