// Results of a finished clocked run: the named values of the report, and the counters that probes turn into tables.
// Engine columns are indexed by internal numbers of the partitions; this file maps them to the numbers of the topology,
// so the results do not depend on the partition. `stream` = -1 stands for all streams.
import type { Compiled } from "../../compile/compile.ts"
import { BINS, Histogram } from "../../core/histogram.ts"
import { isSaturated } from "../../core/saturation.ts"
import type { ClockedEngine } from "../../engines/flit/clocked.ts"
import { overTime } from "../../engines/flit/sampling.ts"
import type { WindowCounts } from "../../measure/clocked/counts.ts"
import type { Outcome } from "../../measure/course.ts"
import type { RunCounts, StreamCounts } from "../../model/probe.ts"
import type { Values } from "../../model/values.ts"
import { quantiles, streamValues } from "../stream-values.ts"
import { eventsOf } from "./events.ts"

type Counted = Outcome & { readonly counts: WindowCounts }

/**
 * Returns the values of the run and of each stream. Loads are flits per endpoint and cycle in the window; latencies are
 * cycles over packets that were created in the window.
 */
export function valuesOf(engine: ClockedEngine, c: Compiled, o: Counted): Record<string, number> {
  const ends = engine.layout.graph.ends
  const values = streamValues(c, o, (stream) => {
    const n = engine.stat("measured", stream)
    const network = histogramOf(engine, engine.columns.networkHistogram, stream)
    const mean = (what: "latency" | "network" | "hops") => (n === 0 ? Number.NaN : engine.stat(what, stream) / n)
    const flits = flitsOf(o.counts.endOut, c.streams.length, stream)
    return {
      accepted: flits / ends / Math.max(1, o.to - o.from),
      packets: n,
      "latency.mean": mean("latency"),
      "latency.sd":
        n < 2 ? Number.NaN : Math.sqrt(Math.max(0, engine.stat("latencySquared", stream) / n - mean("latency") ** 2)),
      "latency.min": n === 0 ? Number.NaN : engine.stat("min", stream),
      ...quantiles("latency", histogramOf(engine, engine.columns.histogram, stream)),
      "latency.max": n === 0 ? Number.NaN : engine.stat("max", stream),
      "network.mean": mean("network"),
      ...quantiles("network", network),
      "network.max": n === 0 ? Number.NaN : engine.stat("networkMax", stream),
      "hops.mean": mean("hops"),
      "links.mean": mean("hops") - 1,
    }
  })
  if (o.created !== undefined) values["created"] = o.created / ends / Math.max(1, o.to - o.from)
  const whole: Values = {
    cycles: engine.now,
    "flit-hops": engine.flitHops(),
    saturated: isSaturated(o.why, values) ? 1 : 0,
  }
  return Object.assign(values, whole)
}

/** Returns the flits of one stream, or of all. Column: [endpoint * streams + stream]. */
function flitsOf(column: Uint32Array, streams: number, stream: number): number {
  let sum = 0
  for (let i = 0; i < column.length; i++) if (stream < 0 || i % streams === stream) sum += column[i]
  return sum
}

/** Adds the histograms of all partitions. Column: [(partition * streams + stream) * BINS + bin]. */
function histogramOf(engine: ClockedEngine, histogram: Uint32Array, stream: number): Histogram {
  const all = new Histogram()
  const n = engine.constants.streams
  for (let i = 0; i < engine.parts * n; i++) {
    if (stream < 0 || i % n === stream) for (let b = 0; b < BINS; b++) all.counts[b] += histogram[i * BINS + b]
  }
  return all
}

/** Returns the counters of the whole run as columns in the numbering of the topology, for probes. */
export function countsOf(engine: ClockedEngine, c: Compiled, o: Counted): RunCounts {
  const { layout: l, columns: a, constants: k } = engine
  const { graph } = l
  // outerEnd is -1 for the internal endpoint numbers that only pad a partition.
  const perEnd = (column: Uint32Array, stream: number) => {
    const all = new Uint32Array(graph.ends)
    for (let e = 0; e < l.ends; e++) if (l.outerEnd[e] >= 0) all[l.outerEnd[e]] = column[e * k.streams + stream]
    return all
  }
  const series = (column: Uint32Array | Float64Array, stream: number) => {
    const all = new Float64Array(k.seriesLength)
    for (let p = 0; p < l.parts; p++)
      for (let i = 0; i < k.seriesLength; i++) all[i] += column[(p * k.streams + stream) * k.seriesLength + i]
    return all
  }
  const streams: StreamCounts[] = c.streams.map((s, i) => ({
    name: s.name,
    injected: perEnd(o.counts.endIn, i),
    accepted: perEnd(o.counts.endOut, i),
    latency: histogramOf(engine, a.histogram, i).counts,
    network: histogramOf(engine, a.networkHistogram, i).counts,
    seriesPackets: series(a.seriesCount, i),
    seriesFlits: series(a.seriesFlits, i),
    seriesLatency: series(a.seriesLatency, i),
    seriesNetwork: series(a.seriesNetwork, i),
    seriesInjected: series(a.seriesIn, i),
  }))
  // portFlits is indexed by output port, slot[channel] by output VC: the shift removes the VC.
  const channel = new Uint32Array(graph.chans)
  for (let ch = 0; ch < graph.chans; ch++) channel[ch] = o.counts.portFlits[l.slot[ch] >> l.LV]
  const seen = {
    ...(k.watch.counters.length > 0 ? { overTime: overTime(engine) } : {}),
    ...(k.watch.traceRows > 0 ? { events: eventsOf(engine) } : {}),
  }
  return { window: o.to - o.from, interval: k.seriesInterval, channel, streams, ...seen }
}
