// Sense of the parameters that switches made of parts share, against the network, in words.
import { type Complaint, complain } from "../../core/complaint.ts"
import type { Graph } from "../../model/graph.ts"
import type { VcPlan } from "../../model/vc-plan.ts"
import { clockOf } from "./clock.ts"

/** Inputs and outputs of a crossbar are bits of two words; one input is kept for what a router makes itself. */
const MOST_PORTS = 63

/** Ports of the largest router. */
export function radixOf(graph: Graph): number {
  let radix = 1
  for (let r = 0; r < graph.routers; r++) radix = Math.max(radix, graph.firstChan[r + 1]! - graph.firstChan[r]!)
  return radix
}

/** VLs that share buffers: what each has for itself, and the most that one may hold. */
export interface VlShares {
  readonly vcs: number
  readonly least: number
  readonly most?: number | undefined
}

/** What one VL may hold of a buffer of so many flits. */
export function mostOf({ vcs, least, most }: VlShares, flits: number): number {
  return most ?? flits - (vcs - 1) * least
}

/** `buffers`: [key, flits]. */
export function checkShares(p: VlShares, buffers: readonly (readonly [string, number])[]): Complaint[] {
  const bad: Complaint[] = []
  const kept = p.vcs * p.least
  for (const [key, flits] of buffers) {
    const reach = flits - (p.vcs - 1) * p.least
    if (kept > flits)
      bad.push(
        complain(
          "least",
          `${p.vcs} VLs keep ${kept} flits, the ${key} buffer has ${flits}`,
          `set it to at most ${Math.floor(flits / p.vcs)}flits`,
        ),
      )
    else if (p.most !== undefined && p.most > reach)
      bad.push(
        complain(
          "most",
          `a VL never holds more than ${reach} flits of the ${key} buffer`,
          `set it to at most ${reach}flits, or leave it out`,
        ),
      )
  }
  if (p.most !== undefined && p.most < p.least)
    bad.push(complain("most", `${p.most} flits are less than a VL has for itself`, `set it to at least ${p.least}flits`))
  return bad
}

/** `body`: cycles before a flit behind the head may cross. */
export function checkBody(p: { readonly route: number; readonly body?: number | undefined }): Complaint[] {
  if (p.body === undefined || p.body <= p.route) return []
  return [complain("body", `${p.body} cycles, and heads, which are routed too, take ${p.route}`, `set it to at most ${p.route}cycles`)]
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

/** VLs that a table gives to the classes of data. */
export function unfitVls(key: string, vls: readonly number[], plan: VcPlan): Complaint[] {
  const { count } = plan.classes[0]!
  if (plan.classes.length > plan.data)
    return [complain(key, "a congestion management has VLs of its own", "leave it out, or set network.congestion to none")]
  if (count > 1)
    return [complain(key, `every level has ${count} VLs, which its routing may need`, `leave it out, or set vcs to ${plan.data}`)]
  const far = vls.findIndex((v) => v >= plan.vcs)
  if (far < 0) return []
  return [complain(key, `VL ${vls[far]} of level ${far} carries no data: there are ${plan.vcs}`, `choose one from 0 to ${plan.vcs - 1}`)]
}
