// Latency attribution of the clocked engines: splits the mean latency of the measured packets into components, in
// cycles, named here as the result columns time.*. They are sums of whole cycles over all packets, so they add up to
// the mean exactly. ClockedEngine.attribution calls it for the report.
//   `source`         From creation until the head leaves its endpoint.
//   `serialisation`  Flits after the head.
//   `propagation`    Latency of the links of the fastest path between the two endpoints.
//   `pipelines`      Routers of that path at zero load, and the injection channel (or the last channel, if packets move
//                    as a unit). If the core is faster than the links, this includes waiting of a packet for its own
//                    flits.
//   `detour`         Propagation and pipelines beyond that path.
//   `credits`        Credit stalls of the head.
//   `contention`     The remainder: waiting for a VC or the crossbar, and gaps between the flits of a packet.
//   `stash`          Only for switches with a stash: time in it, or, if the network lost the packet, until its
//                    retransmission.
// The fastest path is a shortest path (Dijkstra); the length of a hop is its latency plus the mean pipeline. Networks
// with more than 1,024 routers do not count packets by pair, so that propagation and pipelines include detours.
import { countsFlows } from "../../fabric/flit.ts"
import type { Graph } from "../../model/graph.ts"
import type { ClockedEngine } from "./clocked.ts"

export type Part = "source" | "serialisation" | "propagation" | "pipelines" | "detour" | "credits" | "contention"
export type Attribution = Readonly<Record<Part, number> & { stash?: number }>

/** Returns undefined if no measured packet has arrived. */
export function attributionOf(engine: ClockedEngine): Attribution | undefined {
  const n = engine.stat("measured")
  if (n === 0) return undefined
  const total = engine.stat("latency")
  const network = engine.stat("network")
  const serialisation = engine.stat("length") - n
  const hops = engine.stat("hops")
  const perHop = engine.pipelines / hops
  // Time of the taken paths at zero load: propagation, one cycle of the injection channel, and pipelines.
  const way = engine.stat("wires") + n + engine.pipelines
  const least = countsFlows(engine.layout)
    ? minimalPaths(engine, Math.round(perHop))
    : { wires: engine.stat("wires"), hops }
  const pipelines = n + Math.round(perHop * least.hops)
  const credits = engine.stat("credit")
  const stash = engine.stat("stash")
  return {
    source: (total - network) / n,
    serialisation: serialisation / n,
    propagation: least.wires / n,
    pipelines: pipelines / n,
    detour: (way - least.wires - pipelines) / n,
    credits: credits / n,
    contention: (network - serialisation - way - credits - stash) / n,
    ...(engine.stashes ? { stash: stash / n } : {}),
  }
}

/** Returns propagation and routers of the fastest paths, summed over the measured packets. */
function minimalPaths(engine: ClockedEngine, pipeline: number): { wires: number; hops: number } {
  const { graph } = engine.layout
  const { flows } = engine.columns
  const R = graph.routers
  const ends = endWires(graph)
  const wires = new Float64Array(R)
  const hops = new Int32Array(R)
  const sent = new Float64Array(R)
  for (let i = 0; i < flows.length; i++) sent[i % R] += flows[i]
  let sumWires = 0
  let sumHops = 0
  for (let from = 0; from < R; from++) {
    if (sent[from] === 0) continue
    fastest(graph, from, pipeline, wires, hops)
    for (let to = 0; to < R; to++) {
      const c = flows[to * R + from]
      sumWires += c * (wires[to] + ends.entry[from] + ends.exit[to])
      sumHops += c * hops[to]
    }
  }
  return { wires: sumWires, hops: sumHops }
}

/**
 * Returns the latency of the channels to and from the endpoints of each router. All endpoints of a router have the
 * same.
 */
function endWires(graph: Graph): { entry: Float64Array; exit: Float64Array } {
  const entry = new Float64Array(graph.routers)
  const exit = new Float64Array(graph.routers)
  for (let e = 0; e < graph.ends; e++) {
    const home = graph.home[e * graph.rails]
    entry[graph.routerOf[graph.entry[e * graph.rails]]] = graph.entryLatency[e * graph.rails]
    exit[graph.routerOf[home]] = graph.latency[home]
  }
  return { entry, exit }
}

/**
 * Dijkstra's algorithm from one router, with buckets because latencies are integers: propagation and routers of the
 * fastest path to every other.
 */
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
      for (let c = firstChan[r]; c < firstChan[r + 1]; c++) {
        if (far[c] < 0) continue
        const to = routerOf[far[c]]
        const at = t + latency[c] + pipeline
        if (at >= time[to]) continue
        time[to] = at
        wires[to] = wires[r] + latency[c]
        hops[to] = hops[r] + 1
        buckets[at] ??= []
        buckets[at].push(to)
      }
    }
  }
}
