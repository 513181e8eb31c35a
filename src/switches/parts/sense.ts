// Sense of the parameters that switches made of parts share, against the network, in words.
import { type Complaint, complain } from "../../core/complaint.ts"
import type { Graph } from "../../model/graph.ts"
import { clockOf } from "./clock.ts"

/** Inputs and outputs of a crossbar are bits of two words; one input is kept for what a router makes itself. */
const MOST_PORTS = 63

/** Ports of the largest router. */
export function radixOf(graph: Graph): number {
  let radix = 1
  for (let r = 0; r < graph.routers; r++) radix = Math.max(radix, graph.firstChan[r + 1]! - graph.firstChan[r]!)
  return radix
}

export function checkParts(p: { readonly speed: number; readonly start: "head" | "dry" }, graph: Graph): Complaint[] {
  const bad: Complaint[] = []
  const radix = radixOf(graph)
  if (radix > MOST_PORTS)
    bad.push(
      complain("", `a router has ${radix} ports, its crossbar at most ${MOST_PORTS}`, "choose a topology of smaller routers, or tiled"),
    )
  if (graph.latency.some((x) => x < 1) || graph.entryLatency.some((x) => x < 1))
    bad.push(complain("", "a link without latency", "give every class in network.links at least 1cycle"))
  if (clockOf(p.speed) === undefined)
    bad.push(complain("speed", `${p.speed} is no ratio of small whole numbers`, "choose a speed such as 2 or 1.5"))
  if (p.speed === 1 && p.start === "dry")
    bad.push(complain("start", "a crossbar as fast as the links never runs dry", "leave it out, or set speed above 1"))
  return bad
}
