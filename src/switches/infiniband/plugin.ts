// The plug-in `infiniband`: the InfiniBand switch of a study of service levels. It has one crossbar, input and output
// buffers with a reserved part for each virtual lane (VL), and a scheduler at each link (network.qos). Examples of
// schedulers are InfiniBand's VL arbitration and a deficit table. J. Cano-Cano, F. J. Andújar, F. J. Alfaro and J. L.
// Sánchez, "QoS Provision in Hierarchical and non-Hierarchical Switch Architectures".
//
// Limits: packets move as a whole; at most 63 ports and 15 VLs; a packet has at most 2047 flits.
import type { SwitchSiteInfo, TransferSwitchModel } from "../../fabric/switch-model.ts"
import type { SwitchPlugin } from "../../model/plugin.ts"
import { serviceLevelAbilities } from "../parts/service-level-stages.ts"
import { crossbarValues } from "../parts/utilisation.ts"
import { checkInfiniband } from "./check.ts"
import { infinibandModel } from "./model.ts"
import { type InfinibandParams, params } from "./params.ts"

export default {
  kind: "switch",
  name: "infiniband",
  moves: "packets",
  revision: 2,
  about:
    "InfiniBand switch: virtual lanes that share input and output buffers, one crossbar, and a " +
    "scheduler of service levels at each link.",
  cites:
    "QoS Provision in Hierarchical and non-Hierarchical Switch Architectures, J. " +
    "Cano-Cano, F. J. Andújar, F. J. Alfaro and J. L. Sánchez",
  limits: "moves whole packets (virtual cut-through); at most 63 ports for each router and 15 virtual lanes",
  can: serviceLevelAbilities,
  values: crossbarValues,
  drawing: [
    ["choose", "route", "IB, RT"],
    ["store", "FIFO of the VL", "shared, least", "for each VL"],
    ["move", "crossbar", "VA-SA, speed x,", "grain"],
    ["store", "queue of the VL", "shared, least", "for each VL"],
    ["choose", "scheduler", "network.qos"],
    ["move", "link", "traverse"],
  ],
  behaviour: {
    stand: (flits) => ({ vcs: 1, input: `${flits}flits`, output: "16flits", reservedPerVl: "8flits" }),
    variants: [
      { uniform: 0.65, because: "flits of one VL wait behind each other, and lose more arbitrations than messages" },
      { with: () => ({ grain: "message" }), uniform: 0.75 },
      { with: () => ({ grain: "message", credits: "crossbar" }), uniform: 0.75 },
    ],
  },
  params,
  check: (p: InfinibandParams, on: SwitchSiteInfo) => checkInfiniband(p, on.topology.graph),
  make: (p: InfinibandParams) => infinibandModel(p),
} satisfies SwitchPlugin<InfinibandParams, TransferSwitchModel, SwitchSiteInfo>
