// What the counters of a finished run say: values by name, and the tables that probes make of them.

import type { Compiled } from "../../compile/compile.ts"
import { offeredBy, offeredIn } from "../../compile/offered.ts"
import { BINS, Histogram } from "../../core/histogram.ts"
import { isSaturated } from "../../core/saturation.ts"
import type { ClockedEngine } from "../../engines/flit/clocked.ts"
import type { RunCounts, StreamCounts } from "../../model/probe.ts"
import type { Outcome } from "./counts.ts"

export function valuesOf(engine: ClockedEngine, c: Compiled, o: Outcome): Record<string, number> {
  const { streams } = c
  const ends = engine.layout.graph.ends
  const values: Record<string, number> = {}
  const put = (prefix: string, stream: number) => {
    const n = engine.stat("measured", stream)
    const histogram = histogramOf(engine, engine.columns.histogram, stream)
    const network = histogramOf(engine, engine.columns.networkHistogram, stream)
    const mean = (what: "latency" | "network" | "hops") => (n === 0 ? Number.NaN : engine.stat(what, stream) / n)
    const flits = flitsOf(o.counts.endOut, streams.length, stream)
    Object.assign(values, {
      [`${prefix}accepted`]: flits / ends / Math.max(1, o.to - o.from),
      [`${prefix}packets`]: n,
      [`${prefix}latency.mean`]: mean("latency"),
      [`${prefix}latency.sd`]:
        n < 2 ? Number.NaN : Math.sqrt(Math.max(0, engine.stat("latencySquared", stream) / n - mean("latency") ** 2)),
      [`${prefix}latency.min`]: n === 0 ? Number.NaN : engine.stat("min", stream),
      [`${prefix}latency.p50`]: histogram.quantile(0.5),
      [`${prefix}latency.p90`]: histogram.quantile(0.9),
      [`${prefix}latency.p99`]: histogram.quantile(0.99),
      [`${prefix}latency.p999`]: histogram.quantile(0.999),
      [`${prefix}latency.max`]: n === 0 ? Number.NaN : engine.stat("max", stream),
      [`${prefix}network.mean`]: mean("network"),
      [`${prefix}network.p50`]: network.quantile(0.5),
      [`${prefix}network.p90`]: network.quantile(0.9),
      [`${prefix}network.p99`]: network.quantile(0.99),
      [`${prefix}network.p999`]: network.quantile(0.999),
      [`${prefix}network.max`]: n === 0 ? Number.NaN : engine.stat("networkMax", stream),
      [`${prefix}hops.mean`]: mean("hops"),
      [`${prefix}links.mean`]: mean("hops") - 1,
    })
  }
  values["offered"] = offeredIn(c, o.from, o.to)
  put("", -1)
  if (o.half !== undefined) values["latency.ci"] = o.half
  if (o.acceptedHalf === Number.POSITIVE_INFINITY) delete values["accepted"]
  else if (o.acceptedHalf !== undefined) values["accepted.ci"] = o.acceptedHalf * values["offered"]
  if (streams.length > 1) {
    streams.forEach((s, i) => {
      put(`${s.name}.`, i)
      const t = c.spec.traffic[i]
      if (t !== undefined) values[`${s.name}.offered`] = offeredBy(c, i, o.from, o.to)
    })
  }
  values["cycles"] = engine.now
  values["flit-hops"] = engine.flitHops()
  values["saturated"] = isSaturated(o.why, values) ? 1 : 0
  return values
}

/** flits of one stream, or of all */
function flitsOf(column: Uint32Array, streams: number, stream: number): number {
  let sum = 0
  for (let i = 0; i < column.length; i++) if (stream < 0 || i % streams === stream) sum += column[i]!
  return sum
}

function histogramOf(engine: ClockedEngine, histogram: Uint32Array, stream: number): Histogram {
  const all = new Histogram()
  const n = engine.constants.streams
  for (let i = 0; i < engine.parts * n; i++) {
    if (stream < 0 || i % n === stream) for (let b = 0; b < BINS; b++) all.counts[b]! += histogram[i * BINS + b]!
  }
  return all
}

/** Counters of the whole run as plain columns in the network's own numbering, for probes. */
export function countsOf(engine: ClockedEngine, c: Compiled, o: Outcome): RunCounts {
  const { layout: l, columns: a, constants: k } = engine
  const { graph } = l
  const perEnd = (column: Uint32Array, stream: number) => {
    const all = new Uint32Array(graph.ends)
    for (let e = 0; e < l.ends; e++) if (l.outerEnd[e]! >= 0) all[l.outerEnd[e]!] = column[e * k.streams + stream]!
    return all
  }
  const series = (column: Uint32Array | Float64Array, stream: number) => {
    const all = new Float64Array(k.seriesLength)
    for (let p = 0; p < l.parts; p++)
      for (let i = 0; i < k.seriesLength; i++) all[i]! += column[(p * k.streams + stream) * k.seriesLength + i]!
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
  const channel = new Uint32Array(graph.chans)
  for (let ch = 0; ch < graph.chans; ch++) channel[ch] = o.counts.portFlits[l.slot[ch]! >> l.LV]!
  return { window: o.to - o.from, interval: k.seriesInterval, channel, streams }
}
