// Checks of the parameters of the InfiniBand switch against each other and against the network.
import type { Complaint } from "../../core/complaint.ts"
import type { Graph } from "../../model/graph.ts"
import { checkBody, checkParts, checkShares, radixOf } from "../parts/parameter-checks.ts"
import { checkPortRows } from "../parts/port-tables.ts"
import type { InfinibandParams } from "./params.ts"

export function checkInfiniband(p: InfinibandParams, graph: Graph): Complaint[] {
  return [
    ...checkParts(p, graph),
    ...checkBody(p),
    ...checkShares(p, [
      ["input", p.input],
      ["output", p.output],
    ]),
    ...checkPortRows("sl2vlPorts", p.sl2vlPorts, radixOf(graph)),
  ]
}
