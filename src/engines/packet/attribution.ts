// Latency attribution of the packet engine: splits the mean latency of the measured chunks into components, in cycles.
// The components are the same as in the flit engine and are named here as the result columns time.*. They are sums of
// whole picoseconds over all chunks, so they add up to the mean exactly. run/ adds up the sums of all workers and calls
// `attributionOf` for the report.
//   `source`         From creation until the chunk counts as sent (endpoint key `since`).
//   `serialisation`  Time on the links of the fastest path. Store-and-forward counts each link; cut-through counts the
//                    flits after the head once.
//   `propagation`    Latency of these links.
//   `pipelines`      Router pipelines of that path at zero load. Cut-through adds the head flit on each link.
//   `detour`         The same quantities beyond the fastest path.
//   `credits`        Stalls for credits.
//   `contention`     The remainder: waiting for channels, noise, and the endpoint's send queue if network latency
//                    starts when the message is passed to it.
// The fastest path is computed for networks with one rail and at most 1,024 routers. In other networks the path that
// the chunk took counts as the fastest.
import type { Graph } from "../../model/graph.ts"

export interface ChunkTimes {
  /** bytes of a full chunk; its ps on a link between routers, and on a link of an endpoint */
  readonly chunk: number
  readonly full: number
  readonly endFull: number
  readonly perByte: number
  /** ps of the head flit if chunks cut through; otherwise 0 */
  readonly head: number
  /** ps of a router's pipeline; constant ps of each link besides its latency */
  readonly router: number
  readonly link: number
  /** ps of one unit of latency, the unit in which STATE counts */
  readonly wire: number
}

const MOST_ROUTERS = 1024

/** Returns true if the fastest paths of this network are computed. */
export function countsWays(graph: Graph): boolean {
  return graph.rails === 1 && graph.routers <= MOST_ROUTERS
}

/** Returns the ps that each link of a path adds: the whole chunk, or its head flit with cut-through. */
export function linkTime(times: ChunkTimes, bytes: number): number {
  const time = bytes >= times.chunk ? times.full : Math.round(bytes * times.perByte)
  return times.head > 0 ? Math.min(times.head, time) : time
}

/**
 * Returns the number of links that add linkTime() on a path with this many routers. With store-and-forward, the links
 * of endpoints are counted by endsTime().
 */
export function linksOf(times: ChunkTimes, hops: number): number {
  return times.head > 0 ? hops + 1 : hops - 1
}

/** Returns the ps that the links of the endpoints add: both links in full, or the flits after the head once. */
export function endsTime(times: ChunkTimes, bytes: number): number {
  const time = bytes >= times.chunk ? times.endFull : Math.round(bytes * times.perByte)
  return times.head > 0 ? Math.max(0, time - times.head) : 2 * time
}

/** Sums over the measured chunks in ps; `crossed`: number of chunks that entered the network. */
export interface Spent {
  readonly measured: number
  readonly latency: number
  readonly network: number
  readonly crossed: number
  readonly ends: number
  readonly waited: number
  readonly way: Way
}

/** Length of a path: routers, ps on links according to linkTime(), ps of propagation. */
export interface Way {
  readonly hops: number
  readonly links: number
  readonly wires: number
}

export type Attribution = Readonly<
  Record<"source" | "serialisation" | "propagation" | "pipelines" | "detour" | "credits" | "contention", number>
>

/** Returns undefined if no measured chunk has arrived. `least`: the fastest paths of the same chunks. */
export function attributionOf(s: Spent, times: ChunkTimes, cycle: number, least: Way): Attribution | undefined {
  if (s.measured === 0) return undefined
  // Unloaded time of a path without the links of the endpoints.
  const length = (w: Way) => w.links + w.hops * times.router + w.wires + (w.hops + s.crossed) * times.link
  const cut = times.head > 0
  const share = (ps: number) => ps / s.measured / cycle
  return {
    source: share(s.latency - s.network),
    serialisation: share(s.ends + (cut ? 0 : least.links)),
    propagation: share(least.wires + (least.hops + s.crossed) * times.link),
    pipelines: share(least.hops * times.router + (cut ? least.links : 0)),
    detour: share(length(s.way) - length(least)),
    credits: share(s.waited),
    contention: share(s.network - s.ends - length(s.way) - s.waited),
  }
}

/**
 * `full` [from * routers + to]: number of full chunks. `short` [2 * the same index]: number of shorter chunks and the
 * sum of their linkTime().
 */
export interface Flows {
  readonly full: Uint32Array
  readonly short: Float64Array
}

/**
 * Returns the sum of the fastest paths of all chunks. `flows`: of each worker; `anyShort`: some chunk is not full;
 * `cycle`: ps of a cycle, the unit of latencies.
 */
export function minimalPaths(
  graph: Graph,
  times: ChunkTimes,
  cycle: number,
  flows: readonly Flows[],
  anyShort: boolean,
): Way {
  const R = graph.routers
  const entry = new Float64Array(R)
  const exit = new Float64Array(R)
  // All endpoints of a router have the same latency.
  for (let e = 0; e < graph.ends; e++) {
    entry[graph.routerOf[graph.entry[e]]] = graph.entryLatency[e] * cycle
    exit[graph.routerOf[graph.home[e]]] = graph.latency[graph.home[e]] * cycle
  }
  const link = linkTime(times, times.chunk)
  const ways = makeWays(graph, times.router + times.link + link, cycle)
  const sum = { hops: 0, links: 0, wires: 0 }
  for (const { full, short } of flows) {
    for (let from = 0, k = 0; from < R; from++) {
      let known = false
      for (let to = 0; to < R; to++, k++) {
        const shorter = anyShort ? short[2 * k] : 0
        const n = full[k] + shorter
        if (n === 0) continue
        if (!known) ways.from(from)
        known = true
        if (ways.time[to] === Number.POSITIVE_INFINITY)
          throw new Error(`chunks went from router ${from} to ${to}, but no path connects them`)
        const time = full[k] * link + (shorter > 0 ? short[2 * k + 1] : 0)
        sum.hops += n * ways.hops[to]
        sum.links += linksOf(times, ways.hops[to]) * time
        sum.wires += n * (ways.wires[to] + entry[from] + exit[to])
      }
    }
  }
  return sum
}

/**
 * Computes propagation and routers of the fastest path from one router to all others, with a label-correcting search.
 * If all links are equally long, the first label of each router is final, and the search stops when every router has
 * one. `hop`: ps of a link and a router without propagation.
 */
function makeWays(graph: Graph, hop: number, cycle: number) {
  const { routers: R, firstChan, routerOf } = graph
  const to = new Int32Array(graph.chans)
  const length = new Float64Array(graph.chans)
  let even = true
  let any = -1
  for (let c = 0; c < graph.chans; c++) {
    to[c] = graph.far[c] < 0 ? -1 : routerOf[graph.far[c]]
    length[c] = graph.latency[c] * cycle
    if (to[c] < 0) continue
    if (any < 0) any = c
    if (length[c] !== length[any]) even = false
  }
  const wires = new Float64Array(R)
  const hops = new Int32Array(R)
  const time = new Float64Array(R)
  const waits = new Uint8Array(R)
  const queue: number[] = []

  // FIFO label correction (Bellman–Ford with a queue): a router re-enters the queue when its label improves.
  function from(start: number): void {
    time.fill(Number.POSITIVE_INFINITY)
    queue.length = 0
    queue.push(start)
    time[start] = 0
    wires[start] = 0
    hops[start] = 1
    for (let i = 0; i < queue.length && !(even && queue.length === R); i++) {
      const r = queue[i]
      waits[r] = 0
      for (let c = firstChan[r]; c < firstChan[r + 1]; c++) {
        const next = to[c]
        if (next < 0) continue
        const at = time[r] + hop + length[c]
        if (at >= time[next]) continue
        time[next] = at
        wires[next] = wires[r] + length[c]
        hops[next] = hops[r] + 1
        if (waits[next] === 1) continue
        waits[next] = 1
        queue.push(next)
      }
    }
    waits.fill(0)
  }
  return { from, time, wires, hops }
}
