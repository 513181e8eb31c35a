// Phases of a measured run: warm up, measure packets created in the window, let them arrive; and what the counters say in the end.
import { type Checked, type Complaint, complain } from "../core/complaint.ts"
import { BINS, Histogram } from "../core/histogram.ts"
import { quantity, type Scale } from "../core/units.ts"
import type { ClockedEngine } from "../engines/flit/clocked.ts"
import { CONTROL } from "../fabric/flit.ts"
import type { MeasureSpec, RunResult, StopReason, Table } from "../model/experiment.ts"
import type { Compiled } from "./compile.ts"
import type { SimulateOptions } from "./simulate.ts"

export interface MeasurePlan {
  /** cycles, or -1 for automatic */
  readonly warmup: number
  readonly window: number
  readonly limit: number
  readonly precision: number
  readonly drain: MeasureSpec["drain"]
  readonly early: boolean
  readonly seriesShift: number
  readonly series: boolean
}

export function planOf(m: MeasureSpec, scale: Scale): Checked<MeasurePlan> {
  const bad: Complaint[] = []
  const duration = (key: "warmup" | "window" | "limit" | "series", auto: number): number => {
    if (m[key] === "auto") return auto
    const v = quantity(m[key], "cycles", scale)
    if (typeof v === "number" && v >= 0 && v < 2 ** 30) return Math.round(v)
    bad.push(complain(`measure.${key}`, typeof v === "string" ? v : `${v} cycles`, "write a duration such as 10kcycles, below 2^30 cycles"))
    return 0
  }
  const limit = duration("limit", 200_000)
  const interval = duration("series", 0)
  const plan: MeasurePlan = {
    warmup: duration("warmup", -1),
    window: duration("window", -1),
    limit,
    precision: m.precision,
    drain: m.drain,
    early: m.saturation === "early",
    seriesShift: interval > 0 ? Math.max(0, Math.round(Math.log2(interval))) : Math.max(4, Math.ceil(Math.log2(Math.max(1, limit / 512)))),
    series: interval > 0,
  }
  if (limit < 1) bad.push(complain("measure.limit", "leaves no cycle to run", "set it to at least 1cycle"))
  return bad.length > 0 ? { bad } : { ok: plan }
}

interface Outcome {
  readonly why: StopReason
  readonly explains: string
  /** measured window */
  readonly from: number
  readonly to: number
  readonly acceptedFlits: number[]
}

export function measureFlit(engine: ClockedEngine, c: Compiled, plan: MeasurePlan, options: SimulateOptions): RunResult {
  const started = performance.now()
  const outcome = fixedWindow(engine, plan, options)
  const values = valuesOf(engine, c, outcome)
  values["seconds"] = (performance.now() - started) / 1000
  return { why: outcome.why, explains: outcome.explains, fingerprint: engine.fingerprint(), values, tables: tablesOf(engine) }
}

function fixedWindow(engine: ClockedEngine, plan: MeasurePlan, options: SimulateOptions): Outcome {
  const { control } = engine.columns
  const from = Math.max(0, plan.warmup)
  const to = from + plan.window
  control[CONTROL.from] = from
  control[CONTROL.to] = to
  slice(engine, from, options, to)
  const before = deliveredFlits(engine)
  slice(engine, to, options, to)
  const acceptedFlits = deliveredFlits(engine).map((x, i) => x - before[i]!)
  if (plan.drain === "none") return { why: "cycles", explains: `ran its ${to} cycles`, from, to, acceptedFlits }
  if (plan.drain === "all") control[CONTROL.quiet] = to
  while (stillOpen(engine, to) && engine.now < plan.limit) engine.advance(Math.min(plan.limit, engine.now + 64))
  const drained = !stillOpen(engine, to)
  return {
    why: drained ? "drained" : "saturated",
    from,
    to,
    acceptedFlits,
    explains: drained
      ? `all measured packets arrived by cycle ${engine.now}`
      : `measured packets were still on their way at the limit of ${plan.limit} cycles`,
  }
}

function slice(engine: ClockedEngine, end: number, options: SimulateOptions, whole: number): void {
  while (engine.now < end) {
    engine.advance(Math.min(end, engine.now + 1024))
    options.onProgress?.(engine.now / whole, `cycle ${engine.now}`)
  }
}

/** Packets of the window that have not arrived: on their way, or still to be created by a source that is behind. */
function stillOpen(engine: ClockedEngine, to: number): boolean {
  if (engine.stat("measuredOpen") > 0) return true
  const { birth, control } = engine.columns
  if (control[CONTROL.quiet]! <= to && engine.inFlight() > 0) return true
  if (control[CONTROL.quiet]! <= to) return false
  for (let i = 0; i < engine.constants.streams * engine.layout.ends; i++)
    if (birth[i]! < to && engine.layout.outerEnd[i % engine.layout.ends]! >= 0) return true
  return false
}

function deliveredFlits(engine: ClockedEngine): number[] {
  const sums = new Array<number>(engine.constants.streams).fill(0)
  const { endOut } = engine.columns
  for (let i = 0; i < endOut.length; i++) sums[i % sums.length]! += endOut[i]!
  return sums
}

function valuesOf(engine: ClockedEngine, c: Compiled, o: Outcome): Record<string, number> {
  const { streams } = c
  const ends = engine.layout.graph.ends
  const values: Record<string, number> = {}
  const put = (prefix: string, stream: number) => {
    const n = engine.stat("measured", stream)
    const histogram = histogramOf(engine, stream)
    const mean = (what: "latency" | "network" | "hops") => engine.stat(what, stream) / n
    const accepted = (stream < 0 ? o.acceptedFlits.reduce((a, b) => a + b, 0) : o.acceptedFlits[stream]!) / ends / (o.to - o.from)
    Object.assign(values, {
      [`${prefix}accepted`]: accepted,
      [`${prefix}packets`]: n,
      [`${prefix}latency.mean`]: mean("latency"),
      [`${prefix}latency.min`]: engine.stat("min", stream),
      [`${prefix}latency.p50`]: histogram.quantile(0.5),
      [`${prefix}latency.p90`]: histogram.quantile(0.9),
      [`${prefix}latency.p99`]: histogram.quantile(0.99),
      [`${prefix}latency.p999`]: histogram.quantile(0.999),
      [`${prefix}latency.max`]: engine.stat("max", stream),
      [`${prefix}network.mean`]: mean("network"),
      [`${prefix}hops.mean`]: mean("hops"),
      [`${prefix}links.mean`]: mean("hops") - 1,
    })
  }
  put("", -1)
  values["offered"] = c.spec.traffic.reduce((sum, t, i) => sum + t.load * sharing(c, i), 0)
  if (streams.length > 1) {
    streams.forEach((s, i) => {
      put(`${s.name}.`, i)
      const t = c.spec.traffic[i]
      if (t !== undefined) values[`${s.name}.offered`] = t.load * sharing(c, i)
    })
  }
  values["cycles"] = engine.now
  values["flit-hops"] = engine.flitHops()
  values["saturated"] = o.why === "saturated" ? 1 : 0
  return values
}

/** share of the endpoints that send in this stream */
function sharing(c: Compiled, i: number): number {
  const s = c.streams[i]!.senders
  return s === undefined ? 1 : s.reduce((a, b) => a + b, 0) / s.length
}

function histogramOf(engine: ClockedEngine, stream: number): Histogram {
  const { histogram } = engine.columns
  const all = new Histogram()
  const n = engine.constants.streams
  for (let i = 0; i < engine.layout.parts * n; i++) {
    if (stream < 0 || i % n === stream) for (let b = 0; b < BINS; b++) all.counts[b]! += histogram[i * BINS + b]!
  }
  return all
}

function tablesOf(_engine: ClockedEngine): Record<string, Table> {
  return {}
}
