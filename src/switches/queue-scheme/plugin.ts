// An input-queued switch whose input memory is cut into queues by a scheme: one FIFO, a few by destination, one for each output or each endpoint. Crossbar as
// fast as the links, iSLIP, packets that hold their ports, virtual cut-through.
// The schemes are those that J. Escudero-Sahuquillo, P. J. Garcia, F. J. Quiles, J. Flich and J. Duato compare in "Efficient Congestion Management for
// High-Performance Interconnection Networks with Distributed Routing", 2010.
// Limits: packets move as a whole; one VC; at most 32 ports.
import type { SwitchSiteInfo, TransferSwitchModel } from "../../fabric/transfer.ts"
import type { SwitchParams } from "../../model/behaviour.ts"
import type { Plugin } from "../../model/plugin.ts"
import { checkQueueScheme } from "./check.ts"
import { queueSchemeModel } from "./model.ts"
import { params, QUEUES, type QueueSchemeParams, schemeNames } from "./params.ts"
import { schemes } from "./schemes.ts"

/** A scheme with so many flits for each queue that packets of 4 flits may join. */
function standing(scheme: (typeof schemeNames)[number], flits: number): SwitchParams {
  const keys: readonly string[] = schemes[scheme].keys
  if (scheme === "voq-network") return { scheme, queue: `${flits}flits` }
  const apart = scheme === "dbbm" || scheme === "voq-switch" ? QUEUES : 1
  return { scheme, memory: `${apart * flits}flits`, ...(keys.includes("detect") ? { detect: 4, lines: 4 } : {}) }
}

const variants = schemeNames.map((scheme) => ({ with: (flits: number) => standing(scheme, flits) }))

export default {
  kind: "switch",
  name: "queue-scheme",
  about:
    "Input-queued switch with a queue scheme: one FIFO, queues by destination (DBBM), virtual output queues of the switch or of the network.",
  cites:
    "Efficient Congestion Management for High-Performance Interconnection Networks with Distributed Routing, J. Escudero-Sahuquillo, P. J. Garcia, F. J. Quiles, J. Flich and J. Duato, 2010",
  limits: "moves whole packets (virtual cut-through); one VC; at most 32 ports for each router",
  can: ["admittance", "occupancy", "events", "lineEvents"],
  behaviour: {
    stand: () => ({}),
    variants,
  },
  params,
  check: (p: QueueSchemeParams, on: SwitchSiteInfo) => checkQueueScheme(p, on.topology.graph),
  make: (p: QueueSchemeParams, on: SwitchSiteInfo) => queueSchemeModel(p, on.topology.graph),
} satisfies Plugin<QueueSchemeParams, TransferSwitchModel, SwitchSiteInfo>
