// Where the time of the measured chunks went, in cycles of their mean latency: the same parts as in the flit engine. They are sums of whole
// picoseconds over all chunks, so they add up to the mean exactly:
//   source         from creation until the chunk counts as sent (endpoint: since)
//   serialisation  time on the links of the fastest way: on each where chunks are stored and forwarded, flits behind the first where they cut through
//   wires          latency of these links
//   pipelines      routers of that way when nothing is in the way; cut-through: and the first flit on each link
//   detour         the same beyond that way
//   credits        in a waiting list, before full buffers
//   output         what remains: waiting for the channel, noise; where network latency begins at the hand-over, the send queue of the endpoint
// The fastest way is looked for in networks of one rail and at most 1,024 routers; elsewhere the way that was taken counts as the fastest.
import type { Graph } from "../../model/graph.ts"

export interface ChunkTimes {
  /** bytes of a full chunk; ps that it takes on a link between routers, and on one of an endpoint */
  readonly chunk: number
  readonly full: number
  readonly endFull: number
  readonly perByte: number
  /** ps of the first flit, where chunks cut through; else 0 */
  readonly head: number
  /** ps of a router's pipeline; of every link besides its latency */
  readonly router: number
  readonly link: number
  /** ps of a unit of latency, as STATE counts it */
  readonly wire: number
}

const MOST_ROUTERS = 1024

export function countsWays(graph: Graph): boolean {
  return graph.rails === 1 && graph.routers <= MOST_ROUTERS
}

/** ps that every link of a way adds: all of the chunk, or its first flit. */
export function linkTime(times: ChunkTimes, bytes: number): number {
  const time = bytes >= times.chunk ? times.full : Math.round(bytes * times.perByte)
  return times.head > 0 ? Math.min(times.head, time) : time
}

/** Links of a way that count so, for a number of routers: the endpoints' are told apart where chunks are stored. */
export function linksOf(times: ChunkTimes, hops: number): number {
  return times.head > 0 ? hops + 1 : hops - 1
}

/** ps that the links of the endpoints add beyond that: both of them, or the flits behind the first once. */
export function endsTime(times: ChunkTimes, bytes: number): number {
  const time = bytes >= times.chunk ? times.endFull : Math.round(bytes * times.perByte)
  return times.head > 0 ? Math.max(0, time - times.head) : 2 * time
}

/** Sums over the measured chunks, in ps; `crossed`: those that entered the network. */
export interface Spent {
  readonly measured: number
  readonly latency: number
  readonly network: number
  readonly crossed: number
  readonly ends: number
  readonly waited: number
  readonly way: Way
}

/** Routers, ps on links as by linkTime(), ps of latency. */
export interface Way {
  readonly hops: number
  readonly links: number
  readonly wires: number
}

export type Attribution = Readonly<Record<"source" | "serialisation" | "wires" | "pipelines" | "detour" | "credits" | "output", number>>

/** Undefined if nothing that was measured has arrived. `least`: the fastest ways of the same chunks. */
export function attributionOf(s: Spent, times: ChunkTimes, cycle: number, least: Way): Attribution | undefined {
  if (s.measured === 0) return undefined
  const length = (w: Way) => w.links + w.hops * times.router + w.wires + (w.hops + s.crossed) * times.link
  const cut = times.head > 0
  const share = (ps: number) => ps / s.measured / cycle
  return {
    source: share(s.latency - s.network),
    serialisation: share(s.ends + (cut ? 0 : least.links)),
    wires: share(least.wires + (least.hops + s.crossed) * times.link),
    pipelines: share(least.hops * times.router + (cut ? least.links : 0)),
    detour: share(length(s.way) - length(least)),
    credits: share(s.waited),
    output: share(s.network - s.ends - length(s.way) - s.waited),
  }
}

/** [from * routers + to] -> full chunks; [2 * that] -> shorter ones, and their linkTime(). */
export interface Flows {
  readonly full: Uint32Array
  readonly short: Float64Array
}

/** `flows`: of every worker; whether any chunk is not a full one. `cycle`: ps of a cycle, the unit of latencies. */
export function leastWays(graph: Graph, times: ChunkTimes, cycle: number, flows: readonly Flows[], anyShort: boolean): Way {
  const R = graph.routers
  const entry = new Float64Array(R)
  const exit = new Float64Array(R)
  // all endpoints of one router have the same
  for (let e = 0; e < graph.ends; e++) {
    entry[graph.routerOf[graph.entry[e]!]!] = graph.entryLatency[e]! * cycle
    exit[graph.routerOf[graph.home[e]!]!] = graph.latency[graph.home[e]!]! * cycle
  }
  const link = linkTime(times, times.chunk)
  const ways = makeWays(graph, times.router + times.link + link, cycle)
  const sum = { hops: 0, links: 0, wires: 0 }
  for (const { full, short } of flows) {
    for (let from = 0, k = 0; from < R; from++) {
      let known = false
      for (let to = 0; to < R; to++, k++) {
        const shorter = anyShort ? short[2 * k]! : 0
        const n = full[k]! + shorter
        if (n === 0) continue
        if (!known) ways.from(from)
        known = true
        if (ways.time[to] === Number.POSITIVE_INFINITY) throw new Error(`chunks went from router ${from} to ${to}, where no way leads`)
        const time = full[k]! * link + (shorter > 0 ? short[2 * k + 1]! : 0)
        sum.hops += n * ways.hops[to]!
        sum.links += linksOf(times, ways.hops[to]!) * time
        sum.wires += n * (ways.wires[to]! + entry[from]! + exit[to]!)
      }
    }
  }
  return sum
}

/** ps of latency and routers visited on the fastest way from one router to every other, by correcting labels until none changes; where all links
 *  are equally long the first label is right, and all is known when every router has one. `hop`: ps of a link and a router besides the latency. */
function makeWays(graph: Graph, hop: number, cycle: number) {
  const { routers: R, firstChan, routerOf } = graph
  const to = new Int32Array(graph.chans)
  const length = new Float64Array(graph.chans)
  let even = true
  let any = -1
  for (let c = 0; c < graph.chans; c++) {
    to[c] = graph.far[c]! < 0 ? -1 : routerOf[graph.far[c]!]!
    length[c] = graph.latency[c]! * cycle
    if (to[c]! < 0) continue
    if (any < 0) any = c
    if (length[c] !== length[any]) even = false
  }
  const wires = new Float64Array(R)
  const hops = new Int32Array(R)
  const time = new Float64Array(R)
  const waits = new Uint8Array(R)
  const queue: number[] = []

  function from(start: number): void {
    time.fill(Number.POSITIVE_INFINITY)
    queue.length = 0
    queue.push(start)
    time[start] = 0
    wires[start] = 0
    hops[start] = 1
    for (let i = 0; i < queue.length && !(even && queue.length === R); i++) {
      const r = queue[i]!
      waits[r] = 0
      for (let c = firstChan[r]!; c < firstChan[r + 1]!; c++) {
        const next = to[c]!
        if (next < 0) continue
        const at = time[r]! + hop + length[c]!
        if (at >= time[next]!) continue
        time[next] = at
        wires[next] = wires[r]! + length[c]!
        hops[next] = hops[r]! + 1
        if (waits[next] === 1) continue
        waits[next] = 1
        queue.push(next)
      }
    }
    waits.fill(0)
  }
  return { from, time, wires, hops }
}
