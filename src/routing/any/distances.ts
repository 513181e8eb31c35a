// [to * routers + from] -> links of a shortest path, for all pairs of routers, by breadth-first search against the direction of the channels.
import { type Graph, shared } from "../../model/graph.ts"

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
