// Measures of a network as a graph, without any routing: sizes, degrees, distances, hops, bisection. Distances come
// from breadth-first searches: from every router where that is cheap, from one router of each class where the topology
// says which routers look alike, else from routers drawn at random; `from` says which. Hops are routers visited by a
// packet on a minimal path (source and destination router included), averaged over all pairs of different endpoints;
// with several rails the best rail counts. Minimal is what the family calls so, Topology.hops: a dragonfly crosses one
// global link at most, though two may be shorter; where the graph has shorter paths, `shortest` shows it.
import { bfs, FAR } from "../core/csr.ts"
import { Draws } from "../core/rng.ts"
import type { Graph } from "../model/graph.ts"
import type { Router } from "../model/ids.ts"
import { neighbours } from "../model/neighbours.ts"
import type { Topology } from "../model/topology.ts"
import { type Bisection, bisection } from "./bisection.ts"

export interface Measures {
  readonly endpoints: number
  readonly routers: number
  readonly rails: number
  /** router-to-router links; parallel ones counted */
  readonly links: number
  /** by class of link; the endpoints' own come first */
  readonly linksByClass: Readonly<Record<string, number>>
  /** most ports in use on one router */
  readonly radix: number
  /** [ports to other routers] -> routers that have this many */
  readonly degrees: Readonly<Record<number, number>>
  readonly groups: number | undefined
  /** every endpoint has a path to every other */
  readonly connected: boolean
  /** links between the two routers that are farthest apart in the graph */
  readonly diameter: number
  /** [links] -> share of ordered pairs of routers (a router and itself included) */
  readonly distances: readonly number[]
  /** mean routers visited between two different endpoints */
  readonly meanHops: number
  /** mean router-to-router links of the same pairs */
  readonly meanLinks: number
  /** [routers visited] -> share of pairs of different endpoints */
  readonly hops: readonly number[]
  /** standard error of meanHops; 0 where it is exact */
  readonly error: number
  readonly from: string
  /** the same over shortest paths of the graph, where they are shorter than the family's minimal ones */
  readonly shortest: Pick<Measures, "meanHops" | "hops" | "distances"> | undefined
  readonly bisection: Bisection | undefined
}

export interface Effort {
  /** limits in steps (channels examined): below the first every router is examined, and a sample may use the second */
  readonly all?: number
  readonly sample?: number
  readonly bisection?: boolean
}

export function measure(topology: Topology, effort: Effort = {}): Measures {
  const { graph } = topology
  const stations = stationsOf(graph)
  const sources = sourcesOf(topology, stations, effort)
  const search = distancesOf(graph, stations, sources, breadthFirst(graph))
  const minimal = distancesOf(graph, stations, sources, byFamily(topology))
  const agree = minimal.distances.length === search.distances.length && minimal.meanHops === search.meanHops
  return {
    endpoints: graph.ends,
    routers: graph.routers,
    rails: graph.rails,
    ...linksOf(graph),
    ...degreesOf(graph),
    groups: topology.group === undefined ? undefined : new Set(topology.group).size,
    ...minimal,
    diameter: search.distances.length - 1,
    connected: search.connected,
    meanLinks: minimal.meanHops - 1,
    from: sources.from,
    shortest: agree ? undefined : { meanHops: search.meanHops, hops: search.hops, distances: search.distances },
    bisection: effort.bisection === false ? undefined : bisection(graph),
  }
}

function linksOf(graph: Graph): Pick<Measures, "links" | "linksByClass"> {
  const { chans, far, linkClass, classes } = graph
  // half a link for each channel that has a twin, so that networks with one direction count too
  const halves = new Float64Array(classes.length)
  for (let c = 0; c < chans; c++) if (far[c] >= 0) halves[linkClass[c]] += far[far[c]] === c ? 0.5 : 1
  const linksByClass: Record<string, number> = {}
  classes.forEach((name, i) => {
    linksByClass[name] = i === 0 ? graph.ends * graph.rails : halves[i]
  })
  return { links: halves.reduce((a, b) => a + b, 0), linksByClass }
}

function degreesOf({ routers, firstChan, far, near }: Graph): Pick<Measures, "radix" | "degrees"> {
  const degrees: Record<number, number> = {}
  let radix = 0
  for (let r = 0; r < routers; r++) {
    let ports = 0
    let links = 0
    for (let c = firstChan[r]; c < firstChan[r + 1]; c++) {
      if (far[c] !== -1 || near[c] !== -1) ports++
      if (far[c] >= 0) links++
    }
    radix = Math.max(radix, ports)
    degrees[links] = (degrees[links] ?? 0) + 1
  }
  return { radix, degrees }
}

/** Endpoints that share all their routers, sorted by the router where rail 0 enters. */
interface Stations {
  /** [i * rails + rail] -> router where it injects, and where it ejects (another one only in one-way networks) */
  readonly into: Int32Array
  readonly out: Int32Array
  /** [i] -> endpoints */
  readonly ends: Int32Array
  /** [router] -> its first station; one entry more */
  readonly firstAt: Int32Array
}

function stationsOf(graph: Graph): Stations {
  const { ends, rails, routers, routerOf, entry, home } = graph
  if (rails === 1 && entry.every((c, e) => routerOf[c] === routerOf[home[e]])) return oneEach(graph)
  /** [router] -> the stations that begin there, and how many endpoints they have */
  const found: number[][] = []
  const count: number[] = []
  const like: number[] = []
  const same = (e: number, f: number): boolean => {
    for (let i = 0; i < rails; i++) {
      if (routerOf[entry[e * rails + i]] !== routerOf[entry[f * rails + i]]) return false
      if (routerOf[home[e * rails + i]] !== routerOf[home[f * rails + i]]) return false
    }
    return true
  }
  for (let e = 0; e < ends; e++) {
    const here = (found[routerOf[entry[e * rails]]] ??= [])
    // neighbours in number are neighbours in the network: the last station is the likeliest
    let i = here.length - 1
    while (i >= 0 && !same(e, like[here[i]])) i--
    if (i >= 0) count[here[i]]++
    else {
      here.push(count.length)
      count.push(1)
      like.push(e)
    }
  }
  const firstAt = new Int32Array(routers + 1)
  for (let r = 0; r < routers; r++) firstAt[r + 1] = firstAt[r] + (found[r]?.length ?? 0)
  const order = found.flat()
  const at = (ports: Int32Array) =>
    Int32Array.from(
      { length: order.length * rails },
      (_, i) => routerOf[ports[like[order[Math.floor(i / rails)]] * rails + (i % rails)]],
    )
  return { into: at(entry), out: at(home), ends: Int32Array.from(order, (i) => count[i]), firstAt }
}

/** One rail, in and out at the same router: all endpoints of a router are one station. */
function oneEach({ ends, routers, routerOf, home }: Graph): Stations {
  const on = new Int32Array(routers)
  for (let e = 0; e < ends; e++) on[routerOf[home[e]]]++
  const firstAt = new Int32Array(routers + 1)
  for (let r = 0; r < routers; r++) firstAt[r + 1] = firstAt[r] + (on[r] > 0 ? 1 : 0)
  const at = new Int32Array(firstAt[routers])
  for (let r = 0; r < routers; r++) if (on[r] > 0) at[firstAt[r]] = r
  return { into: at, out: at, ends: at.map((r) => on[r]), firstAt }
}

interface Sources {
  readonly routers: readonly Router[]
  readonly weights: readonly number[]
  readonly from: string
  readonly sampled: boolean
}

function sourcesOf(topology: Topology, stations: Stations, effort: Effort): Sources {
  const { routers, chans, ends } = topology.graph
  const every = (n: number) => Array.from({ length: n }, (_, i) => i)
  // a search of many routers misses the caches
  const cost = chans + 10 * routers
  if (routers * cost <= (effort.all ?? 4e8))
    return { routers: every(routers), weights: every(routers).map(() => 1), from: "every router", sampled: false }
  const most = effort.sample ?? 1.5e8
  const chosen = topology.representatives
  if (chosen !== undefined && chosen.length * cost <= 20 * most) {
    const weights = topology.classSizes ?? chosen.map(() => routers / chosen.length)
    const on = (r: Router) => {
      let n = 0
      for (let i = stations.firstAt[r]; i < stations.firstAt[r + 1]; i++) n += stations.ends[i]
      return n
    }
    // classes that do not add up to the network would give a wrong mean: then they are not used
    const adds =
      chosen.reduce((sum, r, i) => sum + on(r) * weights[i], 0) === ends &&
      weights.reduce((a, b) => a + b, 0) === routers
    if (adds)
      return {
        routers: chosen,
        weights,
        from: `symmetry: ${chosen.length} of ${routers} routers stand for all`,
        sampled: false,
      }
  }
  const n = Math.min(routers, Math.max(8, Math.min(1024, Math.floor(most / cost))))
  const rng = new Draws(1)
  const picked = new Set<number>()
  while (picked.size < n) picked.add(rng.below(routers))
  return {
    routers: [...picked],
    weights: every(n).map(() => 1),
    from: `sample: ${n} of ${routers} routers, drawn at random`,
    sampled: true,
  }
}

type Seen = Pick<Measures, "connected" | "distances" | "meanHops" | "hops" | "error">

/** Fills `dist` with links from a router to all others, FAR where there is no path. */
type Fill = (from: Router, dist: Uint16Array) => void

function breadthFirst(graph: Graph): Fill {
  const rows = neighbours(graph)
  const queue = new Int32Array(graph.routers)
  return (from, dist) => void bfs(rows, from, dist, queue)
}

function byFamily(topology: Topology): Fill {
  const { routers } = topology.graph
  return (from, dist) => {
    for (let r = 0; r < routers; r++) {
      const d = topology.hops(from, r)
      dist[r] = d === Number.POSITIVE_INFINITY ? FAR : d
    }
  }
}

function distancesOf({ routers, rails }: Graph, stations: Stations, sources: Sources, fill: Fill): Seen {
  const dist = Array.from({ length: rails }, () => new Uint16Array(routers))
  const routersAt: number[] = []
  const endsAt: number[] = []
  let connected = true
  /** of each station that was drawn */
  const means: number[] = []
  for (let i = 0; i < sources.routers.length; i++) {
    const from = sources.routers[i]
    const weight = sources.weights[i]
    fill(from, dist[0])
    countRouters(dist[0], weight, routersAt)
    for (let s = stations.firstAt[from]; s < stations.firstAt[from + 1]; s++) {
      for (let rail = 1; rail < rails; rail++) fill(stations.into[s * rails + rail], dist[rail])
      const own = countEnds(dist, stations, s, rails)
      if (own.missing > 0) connected = false
      for (let d = 0; d < own.at.length; d++) endsAt[d] = (endsAt[d] ?? 0) + own.at[d] * weight * stations.ends[s]
      if (sources.sampled) means.push(meanOf(own.at))
    }
  }
  return {
    connected,
    distances: shares(routersAt),
    meanHops: 1 + meanOf(endsAt),
    hops: [0, ...shares(endsAt)],
    error: sources.sampled ? standardError(means, routers) : 0,
  }
}

function countRouters(dist: Uint16Array, weight: number, at: number[]): void {
  for (let r = 0; r < dist.length; r++) {
    const d = dist[r]
    if (d === FAR) continue
    while (at.length <= d) at.push(0)
    at[d] += weight
  }
}

/** [links] -> endpoints at that distance from one endpoint of the station, itself left out. */
function countEnds(
  dist: readonly Uint16Array[],
  { out, ends }: Stations,
  from: number,
  rails: number,
): { at: number[]; missing: number } {
  const at: number[] = []
  let missing = 0
  for (let s = 0; s < ends.length; s++) {
    let least = FAR
    for (let rail = 0; rail < rails; rail++) {
      const d = dist[rail][out[s * rails + rail]]
      if (d < least) least = d
    }
    if (least === FAR) missing += ends[s]
    else at[least] = (at[least] ?? 0) + ends[s] - (s === from ? 1 : 0)
  }
  return { at: Array.from(at, (n) => n ?? 0), missing }
}

function shares(at: readonly number[]): number[] {
  const all = at.reduce((a, b) => a + b, 0)
  return Array.from(at, (n) => (all === 0 ? 0 : (n ?? 0) / all))
}

function meanOf(at: readonly number[]): number {
  return shares(at).reduce((sum, share, d) => sum + share * d, 0)
}

/** Of a mean of values drawn without replacement from `population`. */
function standardError(values: readonly number[], population: number): number {
  const n = values.length
  if (n < 2) return Number.NaN
  const mean = values.reduce((a, b) => a + b, 0) / n
  const variance = values.reduce((sum, v) => sum + (v - mean) ** 2, 0) / (n - 1)
  return Math.sqrt((variance / n) * (1 - n / population))
}
