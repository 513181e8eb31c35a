// The plug-in `combined`: the combined input and output queued switch of most studies of congestion management. It has
// virtual output queues, a crossbar of double speed that packets hold (virtual cut-through), and small output buffers.
// G. Kim, C. Kim, J. Jeong, M. Parker and J. Kim, "Contention-based Congestion Management in Large-Scale Networks",
// 2016.
//
// Limits: packets move as a whole; at most 63 ports; a packet has at most 2047 flits.
import type { SwitchSiteInfo, TransferSwitchModel } from "../../fabric/switch-model.ts"
import type { SwitchPlugin } from "../../model/plugin.ts"
import { markingValues } from "../parts/marking.ts"
import { matchings } from "../parts/matching.ts"
import { crossbarValues } from "../parts/utilisation.ts"
import { checkCombined } from "./check.ts"
import { combinedModel } from "./model.ts"
import { type CombinedParams, params } from "./params.ts"
import { trimmingValues } from "./trimming.ts"

const others = matchings.map((allocator) => ({ with: () => ({ allocator }), uniform: 0.95 }))

export default {
  kind: "switch",
  name: "combined",
  moves: "packets",
  revision: 2,
  about:
    "Combined input and output queued switch with virtual output queues, a crossbar with speedup and " +
    "small output buffers.",
  cites:
    "Contention-based Congestion Management in Large-Scale Networks, G. Kim, " +
    "C. Kim, J. Jeong, M. Parker and J. Kim, 2016",
  limits: "moves whole packets (virtual cut-through); at most 63 ports for each router",
  can: [
    "classes",
    "priorities",
    "replies",
    "drawnVcs",
    "acknowledgements",
    "bubbles",
    "farQueues",
    "occupancy",
    "events",
    "packetEvents",
    "marks",
    "sensing",
    "telemetry",
    "drops",
    "protocols",
  ],
  values: { ...crossbarValues, ...markingValues, ...trimmingValues },
  drawing: [
    ["choose", "route", "cycles after", "the head came"],
    ["store", "input VCs", "a queue for each", "output, or FIFO"],
    ["move", "crossbar", "speed x links,", "packet-held"],
    ["store", "output buffer", "FIFO", "by level"],
    ["move", "link", "credits", "taken in advance"],
  ],
  behaviour: {
    stand: (flits) => ({ vcs: 1, buffer: `${flits}flits`, output: "16flits" }),
    variants: [{ uniform: 0.95 }, ...others, { with: () => ({ queues: "fifo" }), uniform: 0.8 }],
  },
  params,
  check: (p: CombinedParams, on: SwitchSiteInfo) => checkCombined(p, on.topology.graph),
  make: (p: CombinedParams, on: SwitchSiteInfo) => combinedModel(p, on.topology.graph),
} satisfies SwitchPlugin<CombinedParams, TransferSwitchModel, SwitchSiteInfo>
