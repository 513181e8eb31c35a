// [to * routers + from] -> links of a shortest path, for all pairs of routers, by breadth-first search against the direction of the channels.
import { type Complaint, complain } from "../../core/complaint.ts"
import { type Graph, shared } from "../../model/graph.ts"
import type { Chan, End, Router } from "../../model/ids.ts"

export const UNREACHED = 255
/** The table has one byte for each pair: 256 MiB at this size. */
export const MOST_ROUTERS = 16384

const kept = new WeakMap<Graph, Uint8Array>()

export function distancesTo(graph: Graph): Uint8Array {
  const before = kept.get(graph)
  if (before !== undefined) return before
  const { routers, firstChan, near, routerOf } = graph
  const links = shared(Uint8Array, routers * routers).fill(UNREACHED)
  const queue = new Int32Array(routers)
  for (let to = 0; to < routers; to++) {
    const row = to * routers
    links[row + to] = 0
    queue[0] = to
    for (let head = 0, tail = 1; head < tail; head++) {
      const r = queue[head]!
      for (let c = firstChan[r]!; c < firstChan[r + 1]!; c++) {
        if (near[c]! < 0) continue
        const from = routerOf[near[c]!]!
        if (links[row + from] !== UNREACHED) continue
        links[row + from] = Math.min(UNREACHED - 1, links[row + r]! + 1)
        queue[tail++] = from
      }
    }
  }
  kept.set(graph, links)
  return links
}

const known = new WeakMap<Graph, Int32Array>()

/** [router] -> number of the part that it lies in: the planes of a network with several rails, one part everywhere else. */
export function partsOf(graph: Graph): Int32Array {
  const before = known.get(graph)
  if (before !== undefined) return before
  const { routers, firstChan, far, near, routerOf } = graph
  const part = shared(Int32Array, routers).fill(-1)
  const queue = new Int32Array(routers)
  let parts = 0
  for (let start = 0; start < routers; start++) {
    if (part[start]! >= 0) continue
    part[start] = parts
    queue[0] = start
    for (let head = 0, tail = 1; head < tail; head++) {
      const r = queue[head]!
      for (let c = firstChan[r]!; c < firstChan[r + 1]!; c++)
        for (const port of [far[c]!, near[c]!]) {
          if (port < 0 || part[routerOf[port]!]! >= 0) continue
          part[routerOf[port]!] = parts
          queue[tail++] = routerOf[port]!
        }
    }
    parts++
  }
  known.set(graph, part)
  return part
}

/** Where an endpoint is met in the part of the network that a packet is in: it has a rail in each plane, and no link joins the planes. */
export class Homes {
  private readonly graph: Graph
  private readonly part: Int32Array

  constructor(graph: Graph) {
    this.graph = graph
    this.part = graph.rails === 1 ? new Int32Array(0) : partsOf(graph)
  }

  /** The channel that ejects to endpoint e; of several in one part always the first. */
  of(e: End, at: Router): Chan {
    const { home, rails } = this.graph
    return rails === 1 ? home[e]! : this.within(home, e, at)
  }

  /** The input port where endpoint e injects. */
  entry(e: End, at: Router): Chan {
    const { entry, rails } = this.graph
    return rails === 1 ? entry[e]! : this.within(entry, e, at)
  }

  private within(ports: Int32Array, e: End, at: Router): Chan {
    const { routerOf, rails } = this.graph
    const { part } = this
    for (let i = e * rails; i < (e + 1) * rails; i++) if (part[routerOf[ports[i]!]!] === part[at]) return ports[i]!
    return ports[e * rails]!
  }
}

/** Routers where packets enter and leave the network. */
export function terminals(graph: Graph): { from: readonly Router[]; to: readonly Router[] } {
  const { entry, home, routerOf } = graph
  const of = (chans: Int32Array) => [...new Set(Array.from(chans, (c) => routerOf[c]!))]
  return { from: of(entry), to: of(home) }
}

/** Links of the longest of all shortest paths between routers that have endpoints. */
export function longest(graph: Graph, links: Uint8Array): number {
  const { from, to } = terminals(graph)
  let most = 0
  for (const b of to)
    for (const a of from) if (links[b * graph.routers + a]! !== UNREACHED) most = Math.max(most, links[b * graph.routers + a]!)
  return most
}

/** VCs that a VC for each hop takes; 1 where checkTable() complains anyway. */
export function hopsNeeded(graph: Graph): number {
  return graph.routers > MOST_ROUTERS ? 1 : Math.max(1, longest(graph, distancesTo(graph)))
}

/** A table for all pairs of routers has a limit. */
export function checkRouters({ routers }: Graph, most = MOST_ROUTERS): Complaint[] {
  if (routers <= most) return []
  return [complain("", `the table of ${routers} routers would not fit`, `use at most ${most} routers, or a routing of the topology's own`)]
}

/** A packet stays in the plane where it was injected: there it must find every endpoint. */
function checkPlanes(graph: Graph, links: Uint8Array): Complaint[] {
  const { ends, routers, routerOf } = graph
  const homes = new Homes(graph)
  const { from } = terminals(graph)
  for (const a of from)
    for (let e = 0; e < ends; e++)
      if (links[routerOf[homes.of(e, a)]! * routers + a] === UNREACHED)
        return [complain("", `router ${a} cannot reach endpoint ${e} in its plane`, "let fewer links fail: every plane must hold together")]
  return []
}

/** Too many routers for a table, or endpoints that cannot reach one another. */
export function checkTable(graph: Graph, most = MOST_ROUTERS): Complaint[] {
  const { routers } = graph
  const large = checkRouters(graph, most)
  if (large.length > 0) return large
  const links = distancesTo(graph)
  if (graph.rails > 1) return checkPlanes(graph, links)
  const { from, to } = terminals(graph)
  for (const b of to)
    for (const a of from)
      if (links[b * routers + a] === UNREACHED)
        return [complain("", `router ${a} cannot reach router ${b}`, "add the links that join the parts")]
  return []
}
