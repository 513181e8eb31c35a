// The rules of the tiled switch about the parts around it.
import type { SwitchRules } from "../../fabric/switch-model.ts"
import { longestPacket, ofSwitch, twoPacketBuffer } from "../../fabric/switch-rules.ts"
import type { Graph } from "../../model/graph.ts"
import { checkPlan } from "./check.ts"
import type { TiledParams } from "./params.ts"

export function tiledRules(p: TiledParams, graph: Graph): SwitchRules {
  return {
    routing: [twoPacketBuffer(p.columnBuffer, "columnBuffer", p.packet)],
    traffic: [
      longestPacket(p.packet, ["packet"]),
      {
        reads: ["traffic.*.class", "network.congestion.name", "network.endpoint.ack", "network.switch.*"],
        test: ({ plan, acknowledged }) => ofSwitch(checkPlan(p, graph, plan, acknowledged)),
      },
    ],
  }
}
