// The round-trip time of an idle network: a packet from one endpoint to the farthest other one, and an acknowledgement
// of one flit back. Window-based congestion control derives its full window from it (model/congestion.ts, `fit`).
// compile.ts calls it.
import type { SwitchLayout } from "../fabric/switch-model.ts"
import type { Graph } from "../model/graph.ts"
import type { Topology } from "../model/topology.ts"

/** Maximum number of source routers of the search if the topology does not declare symmetry classes. */
const SOURCES = 256

interface Way {
  readonly routers: number
  /** cycles of all its links, including those of both endpoints */
  readonly links: number
}

/**
 * Returns the cycles from the injection of a packet's head flit to the arrival of its acknowledgement, without
 * queueing.
 */
export function idleRoundTrip(
  topology: Topology,
  { hold, pass }: Pick<SwitchLayout, "hold" | "pass">,
  flits: number,
): number {
  const { routers, links } = farthest(topology)
  const oneWay = (f: number) => links + routers * (hold[f] + pass[0]) + f
  return oneWay(flits) + oneWay(1)
}

/** Returns the longest path among those with the fewest links; of several with equally few links the fastest counts. */
function farthest(topology: Topology): Way {
  const { graph } = topology
  const end = endLinks(graph)
  const with_ = (r: number) => end[r] >= 0
  const all = Array.from({ length: graph.routers }, (_, r) => r).filter(with_)
  const step = Math.max(1, Math.floor(all.length / SOURCES))
  const sources = topology.representatives?.filter(with_) ?? []
  let most: Way = { routers: 1, links: 0 }
  for (const source of sources.length > 0 ? sources : all.filter((_, i) => i % step === 0)) {
    const found = farthestFrom(graph, source, end)
    if (found.links + found.routers > most.links + most.routers) most = found
  }
  return most
}

/** Returns [router] -> latency of its slowest endpoint link, -1 if it has none. */
function endLinks({ ends, rails, routers, home, entryLatency, latency, routerOf }: Graph): Int32Array {
  const slowest = new Int32Array(routers).fill(-1)
  for (let i = 0; i < ends * rails; i++) {
    const r = routerOf[home[i]]
    slowest[r] = Math.max(slowest[r], entryLatency[i], latency[home[i]])
  }
  return slowest
}

/** Breadth-first search by links, with the smallest latency among paths of equal length. */
function farthestFrom({ routers, firstChan, far, routerOf, latency }: Graph, source: number, end: Int32Array): Way {
  const hops = new Int32Array(routers).fill(-1)
  const took = new Int32Array(routers)
  const queue = new Int32Array(routers)
  hops[source] = 0
  queue[0] = source
  let most: Way = { routers: 1, links: 2 * end[source] }
  for (let head = 0, tail = 1; head < tail; head++) {
    const r = queue[head]
    if (end[r] >= 0) {
      const way = { routers: hops[r] + 1, links: end[source] + took[r] + end[r] }
      if (way.links + way.routers > most.links + most.routers) most = way
    }
    for (let c = firstChan[r]; c < firstChan[r + 1]; c++) {
      if (far[c] < 0) continue
      const to = routerOf[far[c]]
      const time = took[r] + latency[c]
      if (hops[to] === -1) {
        hops[to] = hops[r] + 1
        took[to] = time
        queue[tail++] = to
      } else if (hops[to] === hops[r] + 1 && time < took[to]) took[to] = time
    }
  }
  return most
}
