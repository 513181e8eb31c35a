// The plug-in `queue-scheme`: an input-queued switch whose input memory is divided into queues by a scheme. Schemes are
// one FIFO, a few queues by destination, one queue for each output or endpoint, and schemes with congestion isolation.
// The crossbar is as fast as the links and uses iSLIP; packets hold their ports (virtual cut-through).
//
// J. Escudero-Sahuquillo, P. J. Garcia, F. J. Quiles, J. Flich and J. Duato compare these schemes in "Efficient
// Congestion Management for High-Performance Interconnection Networks with Distributed Routing", 2010. Limits: packets
// move as a whole; one VC; at most 32 ports.
import type { SwitchSiteInfo, TransferSwitchModel } from "../../fabric/switch-model.ts"
import type { SwitchParams } from "../../model/behaviour.ts"
import type { SwitchPlugin } from "../../model/plugin.ts"
import { checkQueueScheme } from "./check.ts"
import { queueSchemeModel } from "./model.ts"
import { params, QUEUES, type QueueSchemeParams, schemeNames } from "./params.ts"
import { schemes } from "./schemes.ts"
import { values } from "./values.ts"

/** Returns the parameters of a scheme in which each queue that packets of 4 flits join has `flits` flits. */
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
  moves: "packets",
  about:
    "Input-queued switch with a selectable queue scheme, from one FIFO to virtual output queues and " +
    "congestion isolation.",
  cites:
    "Efficient Congestion Management for High-Performance Interconnection Networks with Distributed Routing, " +
    "J. Escudero-Sahuquillo, P. J. Garcia, F. J. Quiles, J. Flich and J. Duato, 2010",
  limits: "moves whole packets (virtual cut-through); one VC; at most 32 ports for each router",
  can: ["admittance", "occupancy", "events", "lineEvents"],
  values,
  drawing: [
    ["choose", "scheme", "which queue", "a packet joins"],
    ["store", "queues", "cut from the", "input memory"],
    ["choose", "iSLIP", "inputs and", "outputs"],
    ["move", "crossbar", "as fast as links,", "packet-held"],
    ["move", "link", "a lane for each", "queue behind it"],
  ],
  behaviour: {
    stand: () => ({}),
    variants,
  },
  params,
  check: (p: QueueSchemeParams, on: SwitchSiteInfo) => checkQueueScheme(p, on.topology.graph),
  make: (p: QueueSchemeParams, on: SwitchSiteInfo) => queueSchemeModel(p, on.topology.graph),
} satisfies SwitchPlugin<QueueSchemeParams, TransferSwitchModel, SwitchSiteInfo>
