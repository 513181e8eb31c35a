// The InfiniBand switch of a study of service levels: one crossbar, input and output buffers in which every virtual lane (VL) has a part for itself, and a
// scheduler at every link (network.qos), such as InfiniBand's own VL arbitration or a deficit table in its memory.
// J. Cano-Cano, F. J. Andújar, F. J. Alfaro and J. L. Sánchez, "QoS Provision in Hierarchical and non-Hierarchical Switch Architectures".
// Limits: packets move as a whole; at most 63 ports and 15 VLs; no packet is longer than 2047 flits.
import type { SwitchSiteInfo, TransferSwitchModel } from "../../fabric/transfer.ts"
import type { Plugin } from "../../model/plugin.ts"
import { levelAbilities } from "../parts/level-stages.ts"
import { checkInfiniband } from "./check.ts"
import { infinibandModel } from "./model.ts"
import { type InfinibandParams, params } from "./params.ts"

export default {
  kind: "switch",
  name: "infiniband",
  about: "InfiniBand switch: virtual lanes that share input and output buffers, one crossbar, a scheduler of service levels at every link.",
  cites:
    "QoS Provision in Hierarchical and non-Hierarchical Switch Architectures, J. Cano-Cano, F. J. Andújar, F. J. Alfaro and J. L. Sánchez",
  limits: "moves whole packets (virtual cut-through); at most 63 ports for each router and 15 virtual lanes",
  can: levelAbilities,
  behaviour: {
    stand: (flits) => ({ vcs: 1, input: `${flits}flits`, output: "16flits", least: "8flits" }),
    variants: [{ uniform: 0.75 }, { with: () => ({ credits: "crossbar" }), uniform: 0.75 }],
  },
  params,
  check: (p: InfinibandParams, on: SwitchSiteInfo) => checkInfiniband(p, on.topology.graph),
  make: (p: InfinibandParams) => infinibandModel(p),
} satisfies Plugin<InfinibandParams, TransferSwitchModel, SwitchSiteInfo>
