// The plug-in `omni-path`: the Omni-Path switch of a study of service levels. Its ports are in groups of four (MPorts)
// with a crossbar each, and a buffered central crossbar connects them. J. Cano-Cano, F. J. Andújar, F. J. Alfaro and J.
// L. Sánchez, "QoS Provision in Hierarchical and non-Hierarchical Switch Architectures".
//
// Limits: packets move as a whole; at most 63 ports, 32 up-links and 31 VLs; a packet has at most 2047 flits.
import type { SwitchSiteInfo, TransferSwitchModel } from "../../fabric/switch-model.ts"
import type { SwitchPlugin } from "../../model/plugin.ts"
import { serviceLevelAbilities } from "../parts/service-level-stages.ts"
import { crossbarValues } from "../parts/utilisation.ts"
import { checkOmniPath } from "./check.ts"
import { omniPathModel } from "./model.ts"
import { type OmniPathParams, params } from "./params.ts"

export default {
  kind: "switch",
  name: "omni-path",
  moves: "packets",
  revision: 3,
  about:
    "Omni-Path switch: MPorts with a crossbar each, a buffered central crossbar between them, and a " +
    "scheduler at each link.",
  cites:
    "QoS Provision in Hierarchical and non-Hierarchical Switch Architectures, J. " +
    "Cano-Cano, F. J. Andújar, F. J. Alfaro and J. L. Sánchez",
  limits: "moves whole packets (virtual cut-through); at most 63 ports for each router, in whole MPorts",
  can: serviceLevelAbilities,
  values: crossbarValues,
  drawing: [
    ["store", "input VLs", "of an MPort"],
    ["move", "MPort crossbar", "4:6, own outputs", "and up-links"],
    ["move", "up-link", "3 flits", "a cycle"],
    ["store", "central buffer", "a queue for each", "output and VL"],
    ["move", "central crossbar", "24:48"],
    ["store", "output VLs", "from MPort", "and centre"],
    ["choose", "scheduler", "network.qos"],
    ["move", "link"],
  ],
  behaviour: {
    stand: (flits) => ({
      vcs: 1,
      input: `${flits}flits`,
      output: "16flits",
      central: "64flits",
      reservedPerVl: "8flits",
    }),
    variants: [
      { uniform: 0.8 },
      { with: () => ({ room: "input" }), uniform: 0.8 },
      { with: () => ({ grain: "message" }), uniform: 0.8 },
      { with: () => ({ grain: "message", uplink: "one" }), uniform: 0.8 },
      { with: () => ({ grain: "message", reads: "one" }), uniform: 0.75 },
      { with: () => ({ grain: "message", queues: "uplink" }), uniform: 0.8 },
    ],
  },
  params,
  check: (p: OmniPathParams, on: SwitchSiteInfo) => checkOmniPath(p, on.topology.graph),
  make: (p: OmniPathParams) => omniPathModel(p),
} satisfies SwitchPlugin<OmniPathParams, TransferSwitchModel, SwitchSiteInfo>
