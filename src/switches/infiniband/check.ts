// Checks of the parameters of the InfiniBand switch against each other and against the network.
import { type Complaint, complain } from "../../core/complaint.ts"
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
    ...checkGrain(p),
  ]
}

/** Checks the keys that only one grain has. */
function checkGrain(p: InfinibandParams): Complaint[] {
  const only = (key: string) =>
    complain(key, "is of the crossbar with grain: message", "leave it out, or set grain to message")
  if (p.grain === "message") return []
  return [...(p.start === "dry" ? [only("start")] : []), ...(p.credits === "crossbar" ? [only("credits")] : [])]
}
