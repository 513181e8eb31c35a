// An upper bound on the bisection: the smallest number of links found between two halves of the endpoints. `lacewing
// topology` reports it.
//
// Initial cuts along the numbering, along a breadth-first order and at random are improved by moving one router at a
// time, best gain first, and keeping the best balanced moment: "A linear-time heuristic for improving network
// partitions", C. M. Fiduccia and R. M. Mattheyses, 1982. Routers without endpoints may lie on either side. Rails of
// one endpoint count as links between its routers, so that planes are cut at the same endpoints. Limits: an estimate,
// never below the true value.
import { bfs, type Csr, csr } from "../core/csr.ts"
import { Draws } from "../core/rng.ts"
import type { Graph } from "../model/graph.ts"
import { homeRouter, neighbours } from "../model/neighbours.ts"

export interface Bisection {
  /** links (or rails) cut */
  readonly links: number
  /** links cut for each endpoint of one half: 1 = full bisection */
  readonly perEndpoint: number
  readonly how: string
}

interface Weighted {
  readonly first: Int32Array
  readonly to: Int32Array
  readonly weight: Int32Array
}

export function bisection(graph: Graph): Bisection {
  const g = weighted(graph)
  const total = g.weight.reduce((a, b) => a + b, 0)
  const large = g.to.length > 2_000_000
  const orders = [
    along(graph.routers),
    breadthFirst(g, graph.routers),
    ...(large ? [] : [1, 2, 3].map((seed) => shuffled(graph.routers, seed))),
  ]
  const passes = large ? 1 : 12
  let best = Number.POSITIVE_INFINITY
  for (const order of orders) {
    const side = halves(order, g.weight, total)
    let cut = cutOf(g, side)
    for (let pass = 0; pass < passes; pass++) {
      const better = improve(g, side, cut)
      if (better >= cut) break
      cut = better
    }
    if (cut < best) best = cut
  }
  const starts = large ? "two starting cuts" : "five starting cuts"
  return {
    links: best,
    perEndpoint: graph.ends < 2 ? 0 : best / (graph.ends / 2),
    how: `upper bound: best of ${starts} improved by Fiduccia-Mattheyses moves`,
  }
}

/** Returns the undirected links of routers, parallel ones repeated, and the number of endpoints on each router (by rail
 *  0). */
function weighted(graph: Graph): Weighted {
  const { first, to } = bothWays(graph)
  const weight = new Int32Array(graph.routers)
  for (let e = 0; e < graph.ends; e++) weight[homeRouter(graph, e)]++
  if (graph.rails === 1) return { first, to, weight }
  const extra = new Int32Array(graph.routers)
  for (let e = 0; e < graph.ends; e++)
    for (let rail = 1; rail < graph.rails; rail++) {
      extra[homeRouter(graph, e)]++
      extra[homeRouter(graph, e, rail)]++
    }
  const wide = new Int32Array(graph.routers + 1)
  for (let r = 0; r < graph.routers; r++) wide[r + 1] = wide[r] + first[r + 1] - first[r] + extra[r]
  const all = new Int32Array(wide[graph.routers])
  const next = wide.slice(0, graph.routers)
  for (let r = 0; r < graph.routers; r++) for (let k = first[r]; k < first[r + 1]; k++) all[next[r]++] = to[k]
  for (let e = 0; e < graph.ends; e++)
    for (let rail = 1; rail < graph.rails; rail++) {
      const a = homeRouter(graph, e)
      const b = homeRouter(graph, e, rail)
      all[next[a]++] = b
      all[next[b]++] = a
    }
  return { first: wide, to: all, weight }
}

/** Returns the neighbours in either direction: a one-way link is seen from both its routers. */
function bothWays(graph: Graph): Csr {
  const rows = neighbours(graph)
  const { far, chans, routerOf, routers } = graph
  const from: number[] = []
  const to: number[] = []
  for (let c = 0; c < chans; c++) {
    if (far[c] < 0 || far[far[c]] === c) continue
    from.push(routerOf[c])
    to.push(routerOf[far[c]])
  }
  return from.length === 0 ? rows : csr(routers, from, to, true)
}

function along(n: number): Int32Array {
  return Int32Array.from({ length: n }, (_, i) => i)
}

function breadthFirst(g: Weighted, n: number): Int32Array {
  const order = new Int32Array(n)
  const dist = new Uint16Array(n)
  // from the router that is farthest from router 0
  const reached = bfs(g, 0, dist, order)
  if (reached < n) return along(n)
  bfs(g, order[n - 1], dist, order)
  return order
}

function shuffled(n: number, seed: number): Int32Array {
  const order = along(n)
  const rng = new Draws(seed)
  for (let i = n - 1; i > 0; i--) {
    const j = rng.below(i + 1)
    const kept = order[i]
    order[i] = order[j]
    order[j] = kept
  }
  return order
}

/** Assigns the first routers of the order to side 0 until it has half of the endpoints. */
function halves(order: Int32Array, weight: Int32Array, total: number): Uint8Array {
  const side = new Uint8Array(order.length).fill(1)
  let sum = 0
  for (let i = 0; i < order.length; i++) {
    const r = order[i]
    // the router in the middle goes where the halves come out more equal
    if (total === 0 ? i >= order.length / 2 : 2 * sum + weight[r] > total) break
    side[r] = 0
    sum += weight[r]
  }
  return side
}

function cutOf({ first, to }: Weighted, side: Uint8Array): number {
  let cut = 0
  for (let r = 0; r < side.length; r++) for (let k = first[r]; k < first[r + 1]; k++) if (side[r] < side[to[k]]) cut++
  return cut
}

/** Performs one pass, in which every router moves at most once, and leaves `side` at the best balanced moment. Returns
 *  its cut. */
function improve({ first, to, weight }: Weighted, side: Uint8Array, cut: number): number {
  const n = side.length
  let widest = 0
  for (let r = 0; r < n; r++) widest = Math.max(widest, first[r + 1] - first[r])
  const heaviest = weight.reduce((a, b) => Math.max(a, b), 1)
  // buckets of routers by gain for each side, as doubly linked lists: bucket = side * span + gain + widest
  const span = 2 * widest + 1
  const head = new Int32Array(2 * span).fill(-1)
  const next = new Int32Array(n)
  const before = new Int32Array(n)
  const gain = new Int32Array(n)
  const moved = new Uint8Array(n)
  const highest = [-1, -1]
  const put = (r: number): void => {
    const s = side[r]
    const bucket = s * span + gain[r] + widest
    next[r] = head[bucket]
    before[r] = -1
    if (head[bucket] !== -1) before[head[bucket]] = r
    head[bucket] = r
    if (gain[r] + widest > highest[s]) highest[s] = gain[r] + widest
  }
  const take = (r: number): void => {
    if (before[r] !== -1) next[before[r]] = next[r]
    else head[side[r] * span + gain[r] + widest] = next[r]
    if (next[r] !== -1) before[next[r]] = before[r]
  }
  const load = [0, 0]
  for (let r = 0; r < n; r++) {
    load[side[r]] += weight[r]
    for (let k = first[r]; k < first[r + 1]; k++) gain[r] += side[to[k]] !== side[r] ? 1 : -1
    put(r)
  }
  const order = new Int32Array(n)
  // as equal as the weights allow: the halves differ by one router at most
  let best = Math.abs(load[0] - load[1]) <= heaviest ? cut : Number.POSITIVE_INFINITY
  let kept = 0
  let now = cut
  let count = 0
  for (; count < n; count++) {
    for (let s = 0; s < 2; s++) while (highest[s] >= 0 && head[s * span + highest[s]] === -1) highest[s]--
    const [a, b] = [highest[0], highest[1]]
    if (a < 0 && b < 0) break
    // keeps the balance within one router: the heavier side gives a router away, otherwise the side with the better
    // gain
    const apart = load[0] - load[1]
    let s = a >= b ? 0 : 1
    if (apart > heaviest - 1 && a >= 0) s = 0
    else if (-apart > heaviest - 1 && b >= 0) s = 1
    if (highest[s] < 0) s = 1 - s
    const r = head[s * span + highest[s]]
    take(r)
    moved[r] = 1
    now -= gain[r]
    load[s] -= weight[r]
    load[1 - s] += weight[r]
    side[r] = 1 - s
    order[count] = r
    for (let k = first[r]; k < first[r + 1]; k++) {
      const v = to[k]
      if (moved[v] === 1) continue
      take(v)
      gain[v] += side[v] === s ? 2 : -2
      put(v)
    }
    if (now < best && Math.abs(load[0] - load[1]) <= heaviest) {
      best = now
      kept = count + 1
    }
  }
  for (let i = count - 1; i >= kept; i--) side[order[i]] = 1 - side[order[i]]
  return best === Number.POSITIVE_INFINITY ? cut : best
}
