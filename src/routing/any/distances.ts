// Distances between all pairs of routers, for the routings any.*: [to * routers + from] -> links of a shortest path.
// They are found by breadth-first search against the direction of the channels, so that one-way networks are handled as
// well. The tables are computed once for each graph and shared by all routings on it.
import { type Complaint, complain } from "../../core/complaint.ts"
import { type Graph, shared } from "../../model/graph.ts"
import type { Chan, End, Router } from "../../model/ids.ts"

/** Distance of routers that cannot be reached. Longer paths are stored as 254. */
export const UNREACHED = 255
/** Maximum number of routers: the table has one byte for each pair, 256 MiB at this size. */
export const MOST_ROUTERS = 16384

const kept = new WeakMap<Graph, Uint8Array>()

/** Returns the table of distances of a graph. */
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
      const r = queue[head]
      for (let c = firstChan[r]; c < firstChan[r + 1]; c++) {
        if (near[c] < 0) continue
        const from = routerOf[near[c]]
        if (links[row + from] !== UNREACHED) continue
        links[row + from] = Math.min(UNREACHED - 1, links[row + r] + 1)
        queue[tail++] = from
      }
    }
  }
  kept.set(graph, links)
  return links
}

const known = new WeakMap<Graph, Int32Array>()

/** Returns the component of each router: the planes of a network with several rails, one component everywhere else. */
export function partsOf(graph: Graph): Int32Array {
  const before = known.get(graph)
  if (before !== undefined) return before
  const { routers, firstChan, far, near, routerOf } = graph
  const part = shared(Int32Array, routers).fill(-1)
  const queue = new Int32Array(routers)
  let parts = 0
  for (let start = 0; start < routers; start++) {
    if (part[start] >= 0) continue
    part[start] = parts
    queue[0] = start
    for (let head = 0, tail = 1; head < tail; head++) {
      const r = queue[head]
      for (let c = firstChan[r]; c < firstChan[r + 1]; c++)
        for (const port of [far[c], near[c]]) {
          if (port < 0 || part[routerOf[port]] >= 0) continue
          part[routerOf[port]] = parts
          queue[tail++] = routerOf[port]
        }
    }
    parts++
  }
  known.set(graph, part)
  return part
}

/** Finds the channel of an endpoint in the plane of a packet. With several rails an endpoint has a channel in each
 *  plane, and no link joins the planes. */
export class Homes {
  private readonly graph: Graph
  private readonly part: Int32Array

  constructor(graph: Graph) {
    this.graph = graph
    this.part = graph.rails === 1 ? new Int32Array(0) : partsOf(graph)
  }

  /** Returns the channel that ejects to endpoint e; of several in one plane always the first. */
  of(e: End, at: Router): Chan {
    const { home, rails } = this.graph
    return rails === 1 ? home[e] : this.within(home, e, at)
  }

  /** Returns the input port where endpoint e injects. */
  entry(e: End, at: Router): Chan {
    const { entry, rails } = this.graph
    return rails === 1 ? entry[e] : this.within(entry, e, at)
  }

  private within(ports: Int32Array, e: End, at: Router): Chan {
    const { routerOf, rails } = this.graph
    const { part } = this
    for (let i = e * rails; i < (e + 1) * rails; i++) if (part[routerOf[ports[i]]] === part[at]) return ports[i]
    return ports[e * rails]
  }
}

/** Returns the routers where packets enter and leave the network. */
export function terminals(graph: Graph): { from: readonly Router[]; to: readonly Router[] } {
  const { entry, home, routerOf } = graph
  const of = (chans: Int32Array) => [...new Set(Array.from(chans, (c) => routerOf[c]))]
  return { from: of(entry), to: of(home) }
}

/** Returns the links of the longest of all shortest paths between routers that have endpoints. */
export function longest(graph: Graph, links: Uint8Array): number {
  const { from, to } = terminals(graph)
  let most = 0
  for (const b of to)
    for (const a of from)
      if (links[b * graph.routers + a] !== UNREACHED) most = Math.max(most, links[b * graph.routers + a])
  return most
}

/** Returns the number of VCs for routings that use one VC for each hop; 1 where checkTable() reports an error
 *  anyway. */
export function hopsNeeded(graph: Graph): number {
  return graph.routers > MOST_ROUTERS ? 1 : Math.max(1, longest(graph, distancesTo(graph)))
}

/** Returns an error where the network has too many routers for a table of all pairs. */
export function checkRouters({ routers }: Graph, most = MOST_ROUTERS): Complaint[] {
  if (routers <= most) return []
  return [
    complain(
      "",
      `the routing table of ${routers} routers is too large`,
      `use at most ${most} routers, or a routing that is specific to the topology`,
    ),
  ]
}

/** Returns an error where an endpoint cannot be reached in some plane: a packet stays in the plane where it was
 *  injected. */
function checkPlanes(graph: Graph, links: Uint8Array): Complaint[] {
  const { ends, routers, routerOf } = graph
  const homes = new Homes(graph)
  const { from } = terminals(graph)
  for (const a of from)
    for (let e = 0; e < ends; e++)
      if (links[routerOf[homes.of(e, a)] * routers + a] === UNREACHED)
        return [
          complain(
            "",
            `router ${a} cannot reach endpoint ${e} in its plane`,
            "let fewer links fail, so that every plane stays connected",
          ),
        ]
  return []
}

/** Returns an error for too many routers, or for endpoints that cannot reach one another. */
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
        return [complain("", `router ${a} cannot reach router ${b}`, "add links that connect the parts")]
  return []
}
