// Phases of a measured run: warm up, measure packets created in the window, let them arrive. A run ends for a reason, and says which.
import { type Checked, type Complaint, complain } from "../../core/complaint.ts"
import { isShort } from "../../core/saturation.ts"
import { quantity, type Scale } from "../../core/units.ts"
import type { ClockedEngine } from "../../engines/flit/clocked.ts"
import { type Batch, decide, type Throughput, throughput } from "../../engines/steady.ts"
import type { Verdict } from "../../engines/verdict.ts"
import { CONTROL } from "../../fabric/flit.ts"
import type { MeasureSpec, StopReason } from "../../model/experiment.ts"
import type { Topology } from "../../model/topology.ts"
import type { SimulateOptions } from "../options.ts"
import { watchdog } from "./watchdog.ts"
import { QueueSamples } from "./worst-channels.ts"

/** Known this well, relative to what is offered, a network that is not clearly saturated is not. */
export const CLOSE = 0.0025

export interface MeasurePlan {
  /** cycles, or -1 for automatic */
  readonly warmup: number
  readonly window: number
  readonly limit: number
  readonly precision: number
  readonly drain: MeasureSpec["drain"]
  readonly early: boolean
  /** cycles of an interval of the time series, which is also the batch of the automatic decisions */
  readonly interval: number
  /** cycles that the time series can hold */
  readonly horizon: number
}

/** Batches of an automatic measurement: short enough to end soon, long enough to hold packets. */
const BATCH = 256

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
  const warmup = duration("warmup", -1)
  const window = duration("window", -1)
  const interval = seriesOf(m.series, scale, bad)
  if (limit < 1) bad.push(complain("measure.limit", "leaves no cycle to run", "set it to at least 1cycle"))
  if (window === 0) bad.push(complain("measure.window", "measures nothing", "set it to at least 1cycle, or to auto"))
  if (bad.length === 0 && window > 0 && Math.max(0, warmup) + window > limit)
    bad.push(
      complain(
        "measure.limit",
        `${limit} cycles are fewer than warm-up and window together`,
        `set it to at least ${Math.max(0, warmup) + window}cycles`,
      ),
    )
  if (bad.length > 0) return { bad }
  const automatic = warmup < 0 || window < 0
  const usual = automatic ? BATCH : 2 ** Math.max(4, Math.ceil(Math.log2(limit / 4096)))
  return {
    ok: {
      warmup,
      window,
      limit,
      precision: m.precision,
      drain: m.drain,
      early: m.saturation === "early",
      interval: interval > 0 ? interval : usual,
      horizon: limit,
    },
  }
}

/** A time series has whole cycles in each interval: others would be another interval than the one that was asked for. */
function seriesOf(raw: string, scale: Scale, bad: Complaint[]): number {
  const v = quantity(raw, "cycles", scale)
  const cycles = typeof v === "number" ? Math.round(v) : 0
  if (typeof v === "string" || v < 0 || v >= 2 ** 30)
    bad.push(complain("measure.series", typeof v === "string" ? v : `${v} cycles`, "write a duration such as 1kcycles, below 2^30 cycles"))
  else if (Math.abs(v - cycles) > 1e-9 * v) {
    const least = Math.floor(v)
    bad.push(
      complain(
        "measure.series",
        `${raw} is ${Number(v.toPrecision(9))} cycles, and an interval has whole ones`,
        `write ${least > 0 ? `${least}cycles or ` : ""}${least + 1}cycles`,
      ),
    )
  }
  return cycles
}

export interface Outcome {
  readonly why: StopReason
  readonly explains: string
  /** measured window, and what was counted in it */
  readonly from: number
  readonly to: number
  readonly counts: WindowCounts
  /** half width of the 95 % interval of mean latency, if it was estimated */
  readonly half?: number
  /** half width of the 95 % interval of what was accepted, relative to what was offered; infinite if the window was too short to tell: then there is no number */
  readonly acceptedHalf?: number
}

export type Stopped = { readonly why: StopReason; readonly explains: string }

export class Measurement {
  private readonly engine: ClockedEngine
  private readonly plan: MeasurePlan
  private readonly options: SimulateOptions
  private readonly offered: number
  private readonly looks: ReturnType<typeof watchdog>
  /** a growing backlog ends the run; not again once it has turned out to be none */
  private early: boolean
  /** what stands before the channels, looked at while the window is measured */
  readonly samples: QueueSamples
  private stopped: Stopped | undefined

  /** `offered`: flits and packets per cycle that all sources together create on average */
  constructor(
    engine: ClockedEngine,
    topology: Topology,
    plan: MeasurePlan,
    offered: { flits: number; packets: number },
    options: SimulateOptions,
  ) {
    this.engine = engine
    this.plan = plan
    this.offered = offered.flits
    this.early = plan.early
    this.options = options
    this.looks = watchdog(engine, topology, offered.packets)
    this.samples = new QueueSamples(topology.graph)
  }

  run(): Outcome {
    const { plan } = this
    const from = plan.warmup >= 0 ? plan.warmup : this.warmUp()
    if (this.stopped !== undefined) return this.end(0, undefined)
    return this.checked(plan.window >= 0 ? this.fixed(from, from + plan.window) : this.untilPrecise(from))
  }

  // ---- phases

  /** Runs until latency is steady, or the backlog grows; answers the cycle from which to measure. */
  private warmUp(): number {
    const batches: Batch[] = []
    const length = this.plan.interval
    while (this.engine.now + length <= this.plan.limit / 2) {
      if (!this.go(this.engine.now + length)) return 0
      batches.push(this.batch(batches.length))
      const { next } = decide(batches, -1, this.plan)
      if (next === "measure") return this.engine.now
      if (next === "saturated" && this.early) return this.engine.now
    }
    return this.engine.now
  }

  private fixed(from: number, to: number): Outcome {
    const { control } = this.engine.columns
    control[CONTROL.from] = from
    control[CONTROL.to] = to
    if (!this.go(from)) return this.end(0, undefined)
    const begin = copyCounts(this.engine)
    if (!this.go(to)) return this.end(from, begin)
    return this.drain({ why: "cycles", explains: `ran its ${to} cycles`, from, to, counts: since(this.engine, begin) })
  }

  private untilPrecise(from: number): Outcome {
    const { engine, plan } = this
    const { control } = engine.columns
    const length = plan.interval
    // measured packets are those created from here on: start on a batch boundary
    from = Math.ceil(from / length) * length
    control[CONTROL.from] = from
    if (!this.go(from)) return this.end(0, undefined)
    const counted = copyCounts(engine)
    const batches = this.batchesTo(from)
    const begin = batches.length
    while (engine.now + length <= plan.limit) {
      if (!this.go(engine.now + length)) return this.end(from, counted)
      batches.push(this.batch(batches.length))
      const d = decide(batches, begin, plan)
      if (d.next === "saturated" && this.early) return this.overloaded(from, counted, batches, d.says)
      if (d.next !== "steady") continue
      control[CONTROL.to] = engine.now
      return this.drain({
        why: "steady",
        explains: d.says,
        from,
        to: engine.now,
        counts: since(engine, counted),
        ...this.acceptedIn(batches, begin),
        ...(d.estimate !== undefined ? { half: d.estimate.half } : {}),
      })
    }
    control[CONTROL.to] = engine.now
    const d = decide(batches, begin, plan)
    const half = d.estimate === undefined ? {} : { half: d.estimate.half }
    return { ...this.limited(from, since(engine, counted), batches, d.says), ...half }
  }

  /**
   * More is offered than accepted: how much is? The window is at least as long as all that lies before it, begins anew while what is accepted still rises or falls,
   * and ends when its interval is as narrow as asked and tells it from what is offered.
   */
  private overloaded(from: number, counted: WindowCounts, batches: Batch[], says: string): Outcome {
    const { engine, plan, offered } = this
    const length = plan.interval
    for (;;) {
      const known = engine.now >= 2 * from ? throughput(batches, from / length) : undefined
      if (known?.drifts === true && 2 * engine.now < plan.limit) {
        from = engine.now
        counted = copyCounts(engine)
      } else if (known !== undefined && enough(known, plan.precision) && this.looks.suspects(this.engine.now) === undefined) {
        if (isShort({ offered, accepted: known.mean, half: known.half })) {
          engine.columns.control[CONTROL.to] = engine.now
          const counts = since(engine, counted)
          return { why: "saturated", explains: says, from, to: engine.now, counts, acceptedHalf: known.half / offered }
        }
        if (known.half <= CLOSE * offered) break
      }
      if (engine.now + length > plan.limit) return this.limited(from, since(engine, counted), batches, says)
      if (!this.go(engine.now + length)) return this.end(from, counted)
      batches.push(this.batch(batches.length))
    }
    // what piled up did not go on doing so
    this.early = false
    return this.untilPrecise(from)
  }

  /** The limit ends the run: saturated, if clearly less was accepted than offered. */
  private limited(from: number, counts: WindowCounts, batches: readonly Batch[], says: string): Outcome {
    const { engine, plan, offered } = this
    engine.columns.control[CONTROL.to] = engine.now
    const accepted = flitsOut(counts) / Math.max(1, engine.now - from)
    const interval = this.acceptedIn(batches, from / plan.interval)
    const half = interval.acceptedHalf === undefined ? undefined : interval.acceptedHalf * offered
    const short = isShort({ offered, accepted, half, packets: engine.stat("measured") })
    return {
      why: short ? "saturated" : "cycles",
      explains: short
        ? `accepts ${((100 * accepted) / offered).toFixed(1)} % of what is offered`
        : `reached the limit of ${plan.limit} cycles; ${says}`,
      from,
      to: engine.now,
      counts,
      ...interval,
      // an automatic window that was too short for its own interval has no number
      ...(short && half === undefined ? { acceptedHalf: Number.POSITIVE_INFINITY } : {}),
    }
  }

  private acceptedIn(batches: readonly Batch[], begin: number): { acceptedHalf?: number } {
    const known = throughput(batches, begin)
    return known === undefined ? {} : { acceptedHalf: known.half / this.offered }
  }

  /** Lets measured packets arrive, with the sources still on (or, for "all", off). */
  private drain(o: Outcome): Outcome {
    const { engine, plan } = this
    if (plan.drain === "none") return o
    if (plan.drain === "all") engine.columns.control[CONTROL.quiet] = engine.now
    const last = engine.now + Math.max(plan.limit, 4 * (o.to - o.from))
    while (this.open(o.to)) {
      if (engine.now >= last)
        return {
          ...o,
          why: "saturated",
          explains: `packets of the measured window were still on their way ${engine.now - o.to} cycles later`,
        }
      if (!this.go(engine.now + 64)) return { ...o, ...this.stopped! }
    }
    return o.why === "cycles" ? { ...o, why: "drained", explains: `all packets of the window arrived by cycle ${engine.now}` } : o
  }

  /** Whatever else ended it: a network that stands still, or a part of it that does, is never called anything better. */
  private checked(o: Outcome): Outcome {
    if (this.stopped !== undefined) return o
    return ended(o, this.looks, this.engine.now)
  }

  // ---- steps

  /** Advances; false if the run cannot go on. */
  private go(end: number): boolean {
    const { engine, options } = this
    while (engine.now < end) {
      engine.advance(Math.min(end, engine.now + 1024))
      if (engine.now > engine.columns.control[CONTROL.from]!) this.samples.look(engine)
      options.onProgress?.(Math.min(1, engine.now / this.plan.limit), `cycle ${engine.now}`)
      if (options.audit) {
        const bad = engine.audit()
        if (bad.length > 0) throw new Error(`conservation is broken: ${bad[0]!.path}: ${bad[0]!.says}`)
      }
      if (engine.columns.control[CONTROL.full] !== 0)
        this.stopped = {
          why: "memory",
          explains: `by cycle ${engine.now} more answers waited at their endpoints than there is room for; lower the load, or give answers a class of their own`,
        }
      else if (options.shouldStop?.()) this.stopped = { why: "time", explains: `was stopped at cycle ${engine.now}` }
      else this.stopped = standstill(this.looks.look(this.engine.now))
      if (this.stopped !== undefined) return false
    }
    return true
  }

  /** The run was stopped: what it counted since the window began, or since the start. */
  private end(from: number, begin: WindowCounts | undefined): Outcome {
    return { ...this.stopped!, from, to: this.engine.now, counts: since(this.engine, begin) }
  }

  private batchesTo(cycle: number): Batch[] {
    this.arrived = 0
    return Array.from({ length: cycle / this.plan.interval }, (_, i) => this.batch(i))
  }

  private batch(i: number): Batch {
    const { engine } = this
    const { seriesCount, seriesLatency, seriesFlits } = engine.columns
    const { streams, seriesLength } = engine.constants
    let packets = 0
    let latency = 0
    let flits = 0
    for (let s = 0; s < streams * engine.parts; s++) {
      packets += seriesCount[s * seriesLength + i]!
      latency += seriesLatency[s * seriesLength + i]!
      flits += seriesFlits[s * seriesLength + i]!
    }
    const length = this.plan.interval
    this.arrived += flits
    return {
      latency: packets === 0 ? Number.NaN : latency / packets,
      offered: this.offered,
      accepted: flits / length,
      backlog: this.offered * (i + 1) * length - this.arrived,
    }
  }
  private arrived = 0

  /** Packets of the window that have not arrived: on their way, or still to be created by a source that is behind. */
  private open(to: number): boolean {
    const { engine } = this
    const { birth, control } = engine.columns
    if (this.plan.drain === "all") return engine.busy
    if (engine.stat("measuredOpen") > 0) return true
    if (control[CONTROL.quiet]! <= to) return false
    const { ends, outerEnd } = engine.layout
    for (let i = 0; i < engine.constants.streams * ends; i++) if (birth[i]! < to && outerEnd[i % ends]! >= 0) return true
    return false
  }
}

/** A run that ends for this reason is asked once more whether it stands still; what may stand still is not called saturated. */
export function ended<O extends Stopped>(
  o: O,
  looks: { ask(now: number): Verdict; suspects(now: number): Verdict | undefined },
  now: number,
): O {
  const stands = standstill(looks.ask(now))
  if (stands !== undefined) return { ...o, ...stands }
  const may = o.why === "saturated" ? looks.suspects(now) : undefined
  if (may === undefined || !("words" in may)) return o
  return {
    ...o,
    why: "cycles",
    explains: `${may.words}\nit ended too early to tell whether it is saturated or stands still; raise measure.limit`,
  }
}

/** What is accepted is as well known as was asked. */
export function enough({ drifts, half, mean }: Throughput, precision: number): boolean {
  return !drifts && half <= precision * mean
}

export function standstill(verdict: Verdict | undefined): Stopped | undefined {
  return verdict?.kind === "deadlock" || verdict?.kind === "starved" ? { why: verdict.kind, explains: verdict.words } : undefined
}

/** Counters of the window: a copy at its begin, then the difference. */
export interface WindowCounts {
  readonly endIn: Uint32Array
  readonly endOut: Uint32Array
  readonly portFlits: Uint32Array
}

function copyCounts({ columns: a }: ClockedEngine): WindowCounts {
  return { endIn: a.endIn.slice(), endOut: a.endOut.slice(), portFlits: a.portFlits.slice() }
}

function since(engine: ClockedEngine, begin: WindowCounts | undefined): WindowCounts {
  const now = copyCounts(engine)
  for (const key of ["endIn", "endOut", "portFlits"] as const)
    for (let i = 0; i < now[key].length; i++) now[key][i]! -= begin?.[key][i] ?? 0
  return now
}

function flitsOut(c: WindowCounts): number {
  let sum = 0
  for (let i = 0; i < c.endOut.length; i++) sum += c.endOut[i]!
  return sum
}
