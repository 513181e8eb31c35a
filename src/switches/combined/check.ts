// Checks of the parameters of the combined switch against the network.
import { type Complaint, complain } from "../../core/complaint.ts"
import type { Graph } from "../../model/graph.ts"
import { checkParts, radixOf } from "../parts/parameter-checks.ts"
import { type CombinedParams, inputFlits } from "./params.ts"
import { hasVoqs } from "./queues.ts"

/** Returns the errors of the parameters. The counters of a buffer have 16 bits, which limits its size. */
export function checkCombined(p: CombinedParams, graph: Graph): Complaint[] {
  const bad = checkParts(p, graph)
  const radix = radixOf(graph)
  const most = inputFlits(p, radix)
  if (most > 65535)
    bad.push(
      complain(
        "depth",
        `one VC has ${most} flits`,
        `set buffer to at most ${Math.floor(65535 / radix)}flits, or depth: shared`,
      ),
    )
  if (!hasVoqs(p.queues) && p.depth === "each")
    bad.push(complain("depth", "a FIFO has only one queue", "leave it out, or set queues: voq"))
  const longest = Math.min(p.buffer, p.output)
  if (p.trim !== undefined && p.trim < longest)
    bad.push(
      complain(
        "trim",
        `a queue of ${p.trim} flits is too short for a packet of ${longest}, which would never get through`,
        `set it to at least ${longest}flits, or output to less`,
      ),
    )
  if (p.trim === undefined && p.timeout !== undefined)
    bad.push(complain("timeout", "without trim, no packet is lost", "leave it out, or set trim"))
  if (p.trim !== undefined && (typeof p.queues !== "string" || p.queues === "fifo"))
    bad.push(
      complain("trim", "packets are trimmed on arrival, when FIFOs do not know their outputs", "set queues: voq"),
    )
  return bad
}
