// Sense of the parameters against each other and the network, in words.
import type { Complaint } from "../../core/complaint.ts"
import type { Graph } from "../../model/graph.ts"
import { checkPortRows } from "../parts/port-tables.ts"
import { checkBody, checkParts, checkShares, radixOf } from "../parts/sense.ts"
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
