// [to * routers + from] -> links of a shortest path, for all pairs of routers, by breadth-first search against the direction of the channels.
import { type Complaint, complain } from "../../core/complaint.ts"
import { type Graph, shared } from "../../model/graph.ts"
import type { Router } from "../../model/ids.ts"

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

/** Too many routers for a table, or endpoints that cannot reach one another. */
export function checkTable(graph: Graph, most = MOST_ROUTERS): Complaint[] {
  const { routers } = graph
  if (routers > most)
    return [
      complain("", `the table of ${routers} routers would not fit`, `use at most ${most} routers, or a routing of the topology's own`),
    ]
  const links = distancesTo(graph)
  const { from, to } = terminals(graph)
  for (const b of to)
    for (const a of from)
      if (links[b * routers + a] === UNREACHED)
        return [complain("", `router ${a} cannot reach router ${b}`, "add the links that join the parts")]
  return []
}
