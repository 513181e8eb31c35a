// Sense of the parameters against each other and the network, in words.
import { type Complaint, complain } from "../../core/complaint.ts"
import type { Graph } from "../../model/graph.ts"
import { checkPortRows } from "../parts/port-tables.ts"
import { checkBody, checkParts, checkShares, radixOf } from "../parts/sense.ts"
import { type OmniPathParams, UPLINKS } from "./params.ts"

/** Up-links of a router are bits of a word. */
const MOST_UPLINKS = 32

export function checkOmniPath(p: OmniPathParams, graph: Graph): Complaint[] {
  const bad = [
    ...checkParts({ speed: 1, start: "head" }, graph),
    ...checkBody(p),
    ...checkShares(p, [
      ["input", p.input],
      ["output", p.output],
      ["central", p.central],
    ]),
    ...checkPortRows("sl2scPorts", p.sl2scPorts, radixOf(graph)),
  ]
  for (let r = 0; r < graph.routers; r++) {
    const ports = graph.firstChan[r + 1]! - graph.firstChan[r]!
    if (ports % p.mport === 0) continue
    let best = p.mport - 1
    while (ports % best !== 0) best--
    const says = `router ${r} has ${ports} ports, which are not whole MPorts of ${p.mport}`
    bad.push(complain("mport", says, `set it to ${best}, or give routers a multiple of ${p.mport} ports`))
    break
  }
  const uplinks = UPLINKS * Math.ceil(radixOf(graph) / p.mport)
  if (uplinks > MOST_UPLINKS)
    bad.push(
      complain(
        "mport",
        `${uplinks} up-links of a router, at most ${MOST_UPLINKS}`,
        `set it to at least ${Math.ceil((radixOf(graph) * UPLINKS) / MOST_UPLINKS)}`,
      ),
    )
  return bad
}
