// Selection of the rail of a packet. "Fit Fly: a case study on interconnect innovation through parallel simulation", N.
// McGlohon et al., 2019. multi.ts calls it at each hand-over.
//   `path`        The rail with the fewest links between its routers. Ties are resolved as with `congestion`.
//   `congestion`  A random rail, unless another one has a strictly lower load. The search starts at the random rail, so
//                 that ties favour none.
//   `random`      Any rail.
//   `dedicated`   CODES' "rand": always the same rail, floor(position / floor(p / rails)) mod rails, where `position`
//                 is the number of the endpoint within its router.
import { below, draw, streamOf } from "../../core/rng.ts"
import type { Graph } from "../../model/graph.ts"
import type { Router } from "../../model/ids.ts"

export type Select = "path" | "congestion" | "random" | "dedicated"
/** The load of a rail: chunks sent and not credited, or chunks that wait in the interface. */
export type Metric = "port" | "queue"

export interface SelectSite {
  readonly graph: Graph
  readonly seed: number
  readonly select: Select
  readonly metric: Metric
  hops(a: Router, b: Router): number
  /** chunks of an entry that have not started by time t; chunks that have started and are not credited */
  queued(entry: number, t: number): number
  sent(entry: number, t: number): number
}

export type SelectRail = (end: number, to: number, who: number, index: number, t: number) => number

export function makeSelect(site: SelectSite): SelectRail {
  const { graph, select, metric, queued, sent, hops } = site
  const { rails, routerOf, entry, home } = graph
  const choice = streamOf(site.seed, 0x4d340006)
  const byQueue = metric === "queue"
  const place = select === "dedicated" ? placesOf(graph) : new Uint8Array(0)

  function load(e: number, t: number): number {
    return byQueue ? queued(e, t) : sent(e, t)
  }

  /** the candidate rails of a packet, in order */
  const among = new Uint8Array(rails).map((_, r) => r)

  /** Returns the rail with the lowest load among the first n of `among`; number `start` unless another one has less. */
  function lightest(end: number, n: number, start: number, t: number): number {
    let best = among[start]
    if (n === 1) return best
    let least = load(end * rails + best, t)
    for (let k = 1, i = start; k < n; k++) {
      i = i + 1 < n ? i + 1 : 0
      const l = load(end * rails + among[i], t)
      if (l >= least) continue
      least = l
      best = among[i]
    }
    return best
  }

  /** Writes the rails with the shortest path to `among`. Returns their number. */
  function shortest(end: number, to: number): number {
    let n = 0
    let least = Number.POSITIVE_INFINITY
    for (let r = 0; r < rails; r++) {
      const d = hops(routerOf[entry[end * rails + r]], routerOf[home[to * rails + r]])
      if (d > least) continue
      if (d < least) n = 0
      least = d
      among[n++] = r
    }
    return n
  }

  return function selectRail(end, to, who, index, t) {
    if (select === "dedicated") return place[end]
    const bits = draw(who ^ choice, index)
    if (select === "random") return below(bits, rails)
    const n = select === "path" ? shortest(end, to) : rails
    return lightest(end, n, below(bits, n), t)
  }
}

/** Returns [end] -> its rail, by its position among the endpoints of its router. */
function placesOf(graph: Graph): Uint8Array {
  const seen = new Int32Array(graph.routers)
  const at = (e: number) => graph.routerOf[graph.entry[e * graph.rails]]
  const place = Int32Array.from({ length: graph.ends }, (_, e) => seen[at(e)]++)
  return Uint8Array.from(
    place,
    (k, e) => Math.floor(k / Math.max(1, Math.floor(seen[at(e)] / graph.rails))) % graph.rails,
  )
}
