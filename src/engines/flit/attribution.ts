// Where the time of the measured packets went, in cycles of the mean latency. Parts are sums of whole cycles over all of them, so they add up to
// it exactly:
//   source         from creation until the head leaves its endpoint
//   serialisation  flits behind the head
//   wires          latency of the links of the fastest way there is between the two endpoints
//   pipelines      routers of that way when nothing is in the way, and the injection channel (or, where packets move as a whole, the last one); with a
//                  core faster than the links, also what a packet waits for its own flits
//   detour         wires and pipelines beyond that way
//   credits        the head stands before full buffers
//   output         what remains: waiting for a VC or for the crossbar, flits of a packet kept apart by others
//   stash          only where switches have one: put aside in it, or, if the network lost the packet, until it was sent again
// The fastest way is the shortest in the sense of Dijkstra, with latency and the mean pipeline as the length of a hop; networks of more than 1,024 routers
// do not count packets by pair, and what they call wires and pipelines includes detours.
import { countsFlows } from "../../fabric/flit.ts"
import type { Graph } from "../../model/graph.ts"
import type { ClockedEngine } from "./clocked.ts"

export type Part = "source" | "serialisation" | "wires" | "pipelines" | "detour" | "credits" | "output"
export type Attribution = Readonly<Record<Part, number> & { stash?: number }>

/** Undefined if nothing that was measured has arrived. */
export function attributionOf(engine: ClockedEngine): Attribution | undefined {
  const n = engine.stat("measured")
  if (n === 0) return undefined
  const total = engine.stat("latency")
  const network = engine.stat("network")
  const serialisation = engine.stat("length") - n
  const hops = engine.stat("hops")
  const perHop = engine.pipelines / hops
  const way = engine.stat("wires") + n + engine.pipelines
  const least = countsFlows(engine.layout) ? leastWays(engine, Math.round(perHop)) : { wires: engine.stat("wires"), hops }
  const pipelines = n + Math.round(perHop * least.hops)
  const credits = engine.stat("credit")
  const stash = engine.stat("stash")
  return {
    source: (total - network) / n,
    serialisation: serialisation / n,
    wires: least.wires / n,
    pipelines: pipelines / n,
    detour: (way - least.wires - pipelines) / n,
    credits: credits / n,
    output: (network - serialisation - way - credits - stash) / n,
    ...(engine.stashes ? { stash: stash / n } : {}),
  }
}

/** Links' latency and routers of the fastest ways, added up over the measured packets. */
function leastWays(engine: ClockedEngine, pipeline: number): { wires: number; hops: number } {
  const { graph } = engine.layout
  const { flows } = engine.columns
  const R = graph.routers
  const ends = endWires(graph)
  const wires = new Float64Array(R)
  const hops = new Int32Array(R)
  const sent = new Float64Array(R)
  for (let i = 0; i < flows.length; i++) sent[i % R]! += flows[i]!
  let sumWires = 0
  let sumHops = 0
  for (let from = 0; from < R; from++) {
    if (sent[from] === 0) continue
    fastest(graph, from, pipeline, wires, hops)
    for (let to = 0; to < R; to++) {
      const c = flows[to * R + from]!
      sumWires += c * (wires[to]! + ends.entry[from]! + ends.exit[to]!)
      sumHops += c * hops[to]!
    }
  }
  return { wires: sumWires, hops: sumHops }
}

/** Latency of the channels to and from the endpoints of each router; all endpoints of one router have the same. */
function endWires(graph: Graph): { entry: Float64Array; exit: Float64Array } {
  const entry = new Float64Array(graph.routers)
  const exit = new Float64Array(graph.routers)
  for (let e = 0; e < graph.ends; e++) {
    const home = graph.home[e * graph.rails]!
    entry[graph.routerOf[graph.entry[e * graph.rails]!]!] = graph.entryLatency[e * graph.rails]!
    exit[graph.routerOf[home]!] = graph.latency[home]!
  }
  return { entry, exit }
}

/** Dijkstra from one router: latency of links and routers visited on the fastest way to every other. */
function fastest(graph: Graph, from: number, pipeline: number, wires: Float64Array, hops: Int32Array): void {
  const { routers: R, firstChan, far, latency, routerOf } = graph
  const time = new Float64Array(R).fill(Number.POSITIVE_INFINITY)
  const buckets: number[][] = [[from]]
  time[from] = 0
  wires[from] = 0
  hops[from] = 1
  for (let t = 0; t < buckets.length; t++) {
    for (const r of buckets[t] ?? []) {
      if (time[r] !== t) continue
      for (let c = firstChan[r]!; c < firstChan[r + 1]!; c++) {
        if (far[c]! < 0) continue
        const to = routerOf[far[c]!]!
        const at = t + latency[c]! + pipeline
        if (at >= time[to]!) continue
        time[to] = at
        wires[to] = wires[r]! + latency[c]!
        hops[to] = hops[r]! + 1
        buckets[at] ??= []
        buckets[at]!.push(to)
      }
    }
  }
}
