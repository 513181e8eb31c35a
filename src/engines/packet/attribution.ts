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

/** `flows`: [(from * routers + to) * 2] -> chunks, and their linkTime(). `cycle`: ps of a cycle, the unit of latencies. */
export function leastWays(graph: Graph, times: ChunkTimes, cycle: number, flows: Float64Array): Way {
  const R = graph.routers
  const entry = new Float64Array(R)
  const exit = new Float64Array(R)
  // all endpoints of one router have the same
  for (let e = 0; e < graph.ends; e++) {
    entry[graph.routerOf[graph.entry[e]!]!] = graph.entryLatency[e]! * cycle
    exit[graph.routerOf[graph.home[e]!]!] = graph.latency[graph.home[e]!]! * cycle
  }
  const wires = new Float64Array(R)
  const hops = new Int32Array(R)
  const sum = { hops: 0, links: 0, wires: 0 }
  for (let from = 0; from < R; from++) {
    const row = flows.subarray(from * R * 2, (from + 1) * R * 2)
    if (row.every((n) => n === 0)) continue
    fastest(graph, from, times.router + times.link + linkTime(times, times.chunk), cycle, wires, hops)
    for (let to = 0; to < R; to++) {
      const n = row[to * 2]!
      if (n === 0) continue
      sum.hops += n * hops[to]!
      sum.links += linksOf(times, hops[to]!) * row[to * 2 + 1]!
      sum.wires += n * (wires[to]! + entry[from]! + exit[to]!)
    }
  }
  return sum
}

/** ps of latency and routers visited on the fastest way to every router, by correcting labels until none changes; `hop`: ps besides the latency. */
function fastest(graph: Graph, from: number, hop: number, cycle: number, wires: Float64Array, hops: Int32Array): void {
  const { routers: R, firstChan, far, latency, routerOf } = graph
  const time = new Float64Array(R).fill(Number.POSITIVE_INFINITY)
  const waits = new Uint8Array(R)
  const queue = [from]
  time[from] = 0
  wires[from] = 0
  hops[from] = 1
  for (let i = 0; i < queue.length; i++) {
    const r = queue[i]!
    waits[r] = 0
    for (let c = firstChan[r]!; c < firstChan[r + 1]!; c++) {
      if (far[c]! < 0) continue
      const to = routerOf[far[c]!]!
      const at = time[r]! + hop + latency[c]! * cycle
      if (at >= time[to]!) continue
      time[to] = at
      wires[to] = wires[r]! + latency[c]! * cycle
      hops[to] = hops[r]! + 1
      if (waits[to] === 1) continue
      waits[to] = 1
      queue.push(to)
    }
  }
}
