// Measures of a network as a graph, without any routing: sizes, degrees, distances, hops, bisection. Distances come from breadth-first searches:
// from every router where that is cheap, from one router of each class where the topology says which routers look alike, else from routers drawn at
// random; `from` says which. Hops are routers visited by a packet on a shortest path (source and destination router included), averaged over all
// pairs of different endpoints; with several rails the best rail counts.
import { bfs, FAR } from "../core/csr.ts"
import { Draws } from "../core/rng.ts"
import type { Graph } from "../model/graph.ts"
import type { Router } from "../model/ids.ts"
import { homeRouter, neighbours } from "../model/neighbours.ts"
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
  /** [ports to other routers] -> routers that have so many */
  readonly degrees: Readonly<Record<number, number>>
  readonly groups: number | undefined
  readonly connected: boolean
  /** links between the two routers that are farthest apart */
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
  readonly bisection: Bisection | undefined
}

export interface Effort {
  /** steps (channels looked at) for which every router is examined, and for which a sample may ask */
  readonly all?: number
  readonly sample?: number
  readonly bisection?: boolean
}

export function measure(topology: Topology, effort: Effort = {}): Measures {
  const { graph } = topology
  const degrees = degreesOf(graph)
  const seen = distancesOf(topology, effort)
  const { meanHops, ...rest } = seen
  return {
    endpoints: graph.ends,
    routers: graph.routers,
    rails: graph.rails,
    ...linksOf(graph),
    ...degrees,
    groups: topology.group === undefined ? undefined : new Set(topology.group).size,
    ...rest,
    meanHops,
    meanLinks: meanHops - 1,
    bisection: effort.bisection === false ? undefined : bisection(graph),
  }
}

function linksOf(graph: Graph): Pick<Measures, "links" | "linksByClass"> {
  const { chans, far, linkClass, classes } = graph
  // half a link for each channel that has a twin, so that networks with one direction count too
  const halves = new Float64Array(classes.length)
  for (let c = 0; c < chans; c++) if (far[c]! >= 0) halves[linkClass[c]!]! += far[far[c]!] === c ? 0.5 : 1
  const linksByClass: Record<string, number> = {}
  classes.forEach((name, i) => {
    linksByClass[name] = i === 0 ? graph.ends * graph.rails : halves[i]!
  })
  return { links: halves.reduce((a, b) => a + b, 0), linksByClass }
}

function degreesOf({ routers, firstChan, far, near }: Graph): Pick<Measures, "radix" | "degrees"> {
  const degrees: Record<number, number> = {}
  let radix = 0
  for (let r = 0; r < routers; r++) {
    let ports = 0
    let links = 0
    for (let c = firstChan[r]!; c < firstChan[r + 1]!; c++) {
      if (far[c] !== -1 || near[c] !== -1) ports++
      if (far[c]! >= 0) links++
    }
    radix = Math.max(radix, ports)
    degrees[links] = (degrees[links] ?? 0) + 1
  }
  return { radix, degrees }
}

/** Endpoints that share all their routers: [i * rails + rail] -> router, [i] -> endpoints; sorted by the router of rail 0. */
interface Stations {
  readonly routers: Int32Array
  readonly ends: Int32Array
  /** [router] -> its first station as rail 0; one entry more */
  readonly firstAt: Int32Array
}

function stationsOf(graph: Graph): Stations {
  const { ends, rails, routers } = graph
  const byRouter: Map<string, { homes: number[]; ends: number }>[] = Array.from({ length: routers })
  if (rails > 1) {
    for (let e = 0; e < ends; e++) {
      const homes = Array.from({ length: rails }, (_, rail) => homeRouter(graph, e, rail))
      const here = (byRouter[homes[0]!] ??= new Map())
      const station = here.get(homes.join())
      if (station === undefined) here.set(homes.join(), { homes, ends: 1 })
      else station.ends++
    }
    const all = byRouter.flatMap((here) => (here === undefined ? [] : [...here.values()]))
    const firstAt = new Int32Array(routers + 1)
    for (let r = 0; r < routers; r++) firstAt[r + 1] = firstAt[r]! + (byRouter[r]?.size ?? 0)
    return { routers: Int32Array.from(all.flatMap((s) => s.homes)), ends: Int32Array.from(all, (s) => s.ends), firstAt }
  }
  const on = new Int32Array(routers)
  for (let e = 0; e < ends; e++) on[homeRouter(graph, e)]!++
  const firstAt = new Int32Array(routers + 1)
  for (let r = 0; r < routers; r++) firstAt[r + 1] = firstAt[r]! + (on[r]! > 0 ? 1 : 0)
  const homes = new Int32Array(firstAt[routers]!)
  for (let r = 0; r < routers; r++) if (on[r]! > 0) homes[firstAt[r]!] = r
  return { routers: homes, ends: Int32Array.from(homes, (r) => on[r]!), firstAt }
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
  const cost = chans + routers
  if (routers * cost <= (effort.all ?? 4e8))
    return { routers: every(routers), weights: every(routers).map(() => 1), from: "every router", sampled: false }
  const most = effort.sample ?? 2e9
  const chosen = topology.representatives
  if (chosen !== undefined && chosen.length * cost <= 4 * most) {
    const weights = topology.classSizes ?? chosen.map(() => routers / chosen.length)
    const on = (r: Router) => {
      let n = 0
      for (let i = stations.firstAt[r]!; i < stations.firstAt[r + 1]!; i++) n += stations.ends[i]!
      return n
    }
    // classes that do not add up to the network would give a wrong mean: then they are not used
    const adds = chosen.reduce((sum, r, i) => sum + on(r) * weights[i]!, 0) === ends && weights.reduce((a, b) => a + b, 0) === routers
    if (adds) return { routers: chosen, weights, from: `symmetry: ${chosen.length} of ${routers} routers stand for all`, sampled: false }
  }
  const n = Math.min(routers, Math.max(16, Math.min(1024, Math.floor(most / cost))))
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

type Seen = Pick<Measures, "connected" | "diameter" | "distances" | "meanHops" | "hops" | "error" | "from">

function distancesOf(topology: Topology, effort: Effort): Seen {
  const { graph } = topology
  const { routers, rails } = graph
  const rows = neighbours(graph)
  const stations = stationsOf(graph)
  const sources = sourcesOf(topology, stations, effort)
  const queue = new Int32Array(routers)
  const dist = Array.from({ length: rails }, () => new Uint16Array(routers))
  const routersAt: number[] = []
  const endsAt: number[] = []
  let connected = true
  /** sums over sampled stations: weight, mean and its square, for the standard error */
  const means: number[] = []
  for (let i = 0; i < sources.routers.length; i++) {
    const from = sources.routers[i]!
    const weight = sources.weights[i]!
    const reached = bfs(rows, from, dist[0]!, queue)
    if (reached < routers && rails === 1) connected = false
    countRouters(dist[0]!, queue, reached, weight, routersAt)
    for (let s = stations.firstAt[from]!; s < stations.firstAt[from + 1]!; s++) {
      for (let rail = 1; rail < rails; rail++) bfs(rows, stations.routers[s * rails + rail]!, dist[rail]!, queue)
      const own = countEnds(dist, stations, s, rails)
      if (own.missing > 0) connected = false
      for (let d = 0; d < own.at.length; d++) endsAt[d] = (endsAt[d] ?? 0) + own.at[d]! * weight * stations.ends[s]!
      if (sources.sampled) means.push(meanOf(own.at))
    }
  }
  const hops = [0, ...shares(endsAt)]
  return {
    connected,
    diameter: routersAt.length - 1,
    distances: shares(routersAt),
    meanHops: 1 + meanOf(endsAt),
    hops,
    error: sources.sampled ? standardError(means, routers) : 0,
    from: sources.from,
  }
}

function countRouters(dist: Uint16Array, queue: Int32Array, reached: number, weight: number, at: number[]): void {
  for (let i = 0; i < reached; ) {
    const d = dist[queue[i]!]!
    const start = i
    while (i < reached && dist[queue[i]!] === d) i++
    at[d] = (at[d] ?? 0) + (i - start) * weight
  }
}

/** [links] -> endpoints at that distance from one endpoint of the station, itself left out. */
function countEnds(
  dist: readonly Uint16Array[],
  { routers, ends }: Stations,
  from: number,
  rails: number,
): { at: number[]; missing: number } {
  const at: number[] = []
  let missing = 0
  for (let s = 0; s < ends.length; s++) {
    let least = FAR
    for (let rail = 0; rail < rails; rail++) {
      const d = dist[rail]![routers[s * rails + rail]!]!
      if (d < least) least = d
    }
    if (least === FAR) missing += ends[s]!
    else at[least] = (at[least] ?? 0) + ends[s]! - (s === from ? 1 : 0)
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
