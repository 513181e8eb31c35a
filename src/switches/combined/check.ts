// Sense of the parameters against the network, in words.
import { type Complaint, complain } from "../../core/complaint.ts"
import type { Graph } from "../../model/graph.ts"
import { checkParts, radixOf } from "../parts/sense.ts"
import { type CombinedParams, inputFlits } from "./params.ts"

export function checkCombined(p: CombinedParams, graph: Graph): Complaint[] {
  const bad = checkParts(p, graph)
  const radix = radixOf(graph)
  const most = inputFlits(p, radix)
  if (most > 65535)
    bad.push(complain("depth", `${most} flits for one VC`, `set buffer to at most ${Math.floor(65535 / radix)}flits, or depth: shared`))
  if (p.queues === "fifo" && p.depth === "each") bad.push(complain("depth", "a FIFO is one queue", "leave it out, or set queues: voq"))
  return bad
}
