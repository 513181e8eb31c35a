// Sense of the parameters against each other and the network, in words.
import { type Complaint, complain } from "../../core/complaint.ts"
import type { Graph } from "../../model/graph.ts"
import { checkParts } from "../parts/sense.ts"
import type { InfinibandParams } from "./params.ts"

export function checkInfiniband(p: InfinibandParams, graph: Graph): Complaint[] {
  const bad = checkParts(p, graph)
  for (const key of ["input", "output"] as const) {
    const kept = p.vcs * p.least
    if (kept > p[key])
      bad.push(
        complain(
          "least",
          `${p.vcs} VLs keep ${kept} flits of an ${key} buffer of ${p[key]}`,
          `set it to at most ${Math.floor(p[key] / p.vcs)}flits`,
        ),
      )
    else if (p.most !== undefined && p.most > p[key] - (p.vcs - 1) * p.least) {
      const reach = p[key] - (p.vcs - 1) * p.least
      bad.push(
        complain(
          "most",
          `a VL never holds more than ${reach} flits of the ${key} buffer`,
          `set it to at most ${reach}flits, or leave it out`,
        ),
      )
    }
  }
  if (p.most !== undefined && p.most < p.least)
    bad.push(complain("most", `${p.most} flits are less than a VL has for itself`, `set it to at least ${p.least}flits`))
  return bad
}
