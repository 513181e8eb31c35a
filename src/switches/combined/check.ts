// Sense of the parameters against the network, in words.
import { type Complaint, complain } from "../../core/complaint.ts"
import type { Graph } from "../../model/graph.ts"
import { clockOf } from "../parts/clock.ts"
import { inputFlits, radixOf } from "./model.ts"
import type { CombinedParams } from "./params.ts"

/** Inputs and outputs of a crossbar are bits of two words; one input is kept for what a router makes itself. */
const MOST_PORTS = 63

export function checkCombined(p: CombinedParams, graph: Graph): Complaint[] {
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
  const most = inputFlits(p, radix)
  if (most > 65535)
    bad.push(complain("depth", `${most} flits for one VC`, `set buffer to at most ${Math.floor(65535 / radix)}flits, or depth: shared`))
  if (p.speed === 1 && p.start === "dry")
    bad.push(complain("start", "a crossbar as fast as the links never runs dry", "leave it out, or set speed above 1"))
  if (p.queues === "fifo" && p.depth === "each") bad.push(complain("depth", "a FIFO is one queue", "leave it out, or set queues: voq"))
  return bad
}
