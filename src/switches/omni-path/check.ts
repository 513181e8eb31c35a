// Checks of the parameters of the Omni-Path switch against each other and against the network.
import { type Complaint, complain } from "../../core/complaint.ts"
import type { Graph } from "../../model/graph.ts"
import { checkBody, checkParts, checkShares, radixOf } from "../parts/parameter-checks.ts"
import { checkPortRows } from "../parts/port-tables.ts"
import { type OmniPathParams, UPLINKS } from "./params.ts"

/** The up-links of a router are bits of a word. */
const MOST_UPLINKS = 32

/** Checks the keys that only one grain has. */
function checkGrain(p: OmniPathParams): Complaint[] {
  const only = (key: string, grain: string) =>
    complain(key, `is of the crossbars with grain: ${grain}`, `leave it out, or set grain to ${grain}`)
  if (p.grain === "message") return p.room === "input" ? [only("room", "packet")] : []
  return [
    ...(p.uplink === "one" ? [only("uplink", "message")] : []),
    ...(p.reads === "one" ? [only("reads", "message")] : []),
    ...(p.queues === "uplink" ? [only("queues", "message")] : []),
  ]
}

/** Returns the errors of the parameters: buffer shares, whole MPorts, and the number of up-links. */
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
    ...checkGrain(p),
  ]
  for (let r = 0; r < graph.routers; r++) {
    const ports = graph.firstChan[r + 1] - graph.firstChan[r]
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
        `a router has ${uplinks} up-links, but at most ${MOST_UPLINKS} are possible`,
        `set it to at least ${Math.ceil((radixOf(graph) * UPLINKS) / MOST_UPLINKS)}`,
      ),
    )
  return bad
}
