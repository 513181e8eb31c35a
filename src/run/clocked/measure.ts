// Phases of a measured run: warm up, measure packets created in the window, let them arrive. A run ends for a reason, and says which.
import { bitsFor } from "../../core/bitset.ts"
import { type Checked, type Complaint, complain } from "../../core/complaint.ts"
import { isShort } from "../../core/saturation.ts"
import { quantity, type Scale } from "../../core/units.ts"
import type { ClockedEngine } from "../../engines/flit/clocked.ts"
import { type Batch, type Decision, decide, type Throughput, throughput } from "../../engines/steady.ts"
import type { Verdict } from "../../engines/verdict.ts"
import { CONTROL } from "../../fabric/flit.ts"
import type { MeasureSpec, StopReason } from "../../model/experiment.ts"
import type { Topology } from "../../model/topology.ts"
import type { SimulateOptions } from "../options.ts"
import type { Pausable, Saved } from "../pausable.ts"
import { copyCounts, flitsOut, type Outcome, since, type WindowCounts } from "./counts.ts"
import { readMeasurement, type State, saveMeasurement } from "./saved.ts"
import { watchdog } from "./watchdog.ts"
import { QueueSamples } from "./worst-channels.ts"

/** Known this well, relative to what is offered, a network that is not clearly saturated is not. */
export const CLOSE = 0.0025

export interface MeasurePlan {
  /** the run ends when all jobs have */
  readonly untilJobs: boolean
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
  const usual = automatic ? BATCH : 2 ** Math.max(4, bitsFor(limit / 4096))
  return {
    ok: {
      warmup,
      window,
      limit,
      precision: m.precision,
      drain: m.drain,
      early: m.saturation === "early",
      untilJobs: m.until === "jobs",
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

export type Stopped = { readonly why: StopReason; readonly explains: string }

export class Measurement implements Pausable {
  readonly engine: ClockedEngine
  private readonly plan: MeasurePlan
  private readonly options: SimulateOptions
  private readonly offered: number
  private readonly looks: ReturnType<typeof watchdog>
  /** what stands before the channels, looked at while the window is measured */
  readonly samples: QueueSamples
  /** all that a measurement knows between two cycles: these, and what looks and samples remember */
  private s: State = { phase: "start", goal: 0, look: 0, from: 0, begin: 0, says: "", early: false, arrived: 0, last: 0 }
  private batches: Batch[] = []
  private counted: WindowCounts | undefined
  private outcome: Outcome | undefined

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
    this.s.early = plan.early
    this.options = options
    this.looks = watchdog(engine, topology, offered.packets)
    this.samples = new QueueSamples(topology.graph)
  }

  run(): Outcome {
    while (!this.step(Number.POSITIVE_INFINITY));
    return this.result()
  }

  /** How it ended; only after `step` has said that it has. */
  result(): Outcome {
    if (this.s.phase !== "ended" || this.outcome === undefined) throw new Error("the measurement has not ended")
    return this.outcome
  }

  /** Where it stands, as the parts of a run that people know. */
  get fraction(): number {
    return Math.min(1, this.engine.now / this.plan.limit)
  }

  step(budget: number): boolean {
    const until = this.engine.now + Math.max(1, Math.floor(budget))
    while (this.s.phase !== "ended") {
      if (this.engine.now >= this.s.goal) this.next()
      else if (this.engine.now >= until) return false
      else this.advance(until)
    }
    return true
  }

  save(): Saved {
    return saveMeasurement(this.engine, {
      state: this.s,
      batches: this.batches,
      counted: this.counted,
      outcome: this.outcome,
      looks: this.looks.save(),
      samples: this.samples.save(),
    })
  }

  /** Takes over what another measurement of the same run saved, the state of its engine too. */
  resume(saved: Saved): void {
    const was = readMeasurement(this.engine, saved)
    this.engine.restore(was.snapshot)
    this.s = was.state
    this.batches = was.batches
    this.counted = was.counted
    this.outcome = was.outcome
    this.looks.resume(was.looks)
    this.samples.resume(was.sampled, saved)
  }

  // ---- phases: each is entered once, and goes on at every cycle that it has set as its goal

  private next(): void {
    const { s, plan } = this
    if (s.phase === "start") {
      s.phase = "warm up"
      if (plan.warmup >= 0) this.measureFrom(plan.warmup)
      else this.warmOn()
    } else if (s.phase === "warm up") this.warmUp()
    else if (s.phase === "lead" && plan.window >= 0) this.open()
    else if (s.phase === "lead") this.openAutomatic()
    else if (s.phase === "window") this.close()
    else if (s.phase === "precise") this.precise()
    else if (s.phase === "drain") this.drain()
    else {
      this.batches.push(this.batch(this.batches.length))
      this.overloaded()
    }
  }

  private warmOn(): void {
    const { engine, plan } = this
    if (engine.now + plan.interval <= plan.limit / 2) this.s.goal = engine.now + plan.interval
    else this.measureFrom(engine.now)
  }

  /** Until latency is steady, or the backlog grows. */
  private warmUp(): void {
    this.batches.push(this.batch(this.batches.length))
    const { next } = decide(this.batches, -1, this.plan)
    if (next === "measure" || (next === "saturated" && this.s.early)) this.measureFrom(this.engine.now)
    else this.warmOn()
  }

  /** Packets are measured that are created from here on; a window that ends by itself begins on the boundary of a batch. */
  private measureFrom(cycle: number): void {
    const { s, plan } = this
    const { control } = this.engine.columns
    s.from = plan.window >= 0 ? cycle : Math.ceil(cycle / plan.interval) * plan.interval
    control[CONTROL.from] = s.from
    if (plan.window >= 0) control[CONTROL.to] = s.from + plan.window
    s.phase = "lead"
    s.goal = s.from
  }

  private open(): void {
    this.counted = copyCounts(this.engine)
    this.s.phase = "window"
    this.s.goal = this.s.from + this.plan.window
  }

  private close(): void {
    const { from } = this.s
    const to = from + this.plan.window
    this.arrive({ why: "cycles", explains: `ran its ${to} cycles`, from, to, counts: since(this.engine, this.counted) })
  }

  private openAutomatic(): void {
    const { s } = this
    this.counted = copyCounts(this.engine)
    s.arrived = 0
    this.batches = []
    for (let i = 0; i < s.from / this.plan.interval; i++) this.batches.push(this.batch(i))
    s.begin = this.batches.length
    s.phase = "precise"
    this.preciseOn()
  }

  private preciseOn(): void {
    const { engine, plan, s, batches } = this
    if (engine.now + plan.interval <= plan.limit) {
      s.goal = engine.now + plan.interval
      return
    }
    engine.columns.control[CONTROL.to] = engine.now
    const d = decide(batches, s.begin, plan)
    const half = d.estimate === undefined ? {} : { half: d.estimate.half }
    this.finish({ ...this.limited(d.says), ...half })
  }

  private precise(): void {
    const { s, batches } = this
    batches.push(this.batch(batches.length))
    const d = decide(batches, s.begin, this.plan)
    if (d.next === "saturated" && s.early) {
      s.phase = "overloaded"
      s.says = d.says
      this.overloaded()
    } else if (d.next === "steady") this.steady(d)
    else this.preciseOn()
  }

  private steady(d: Decision): void {
    const { engine, s, batches } = this
    engine.columns.control[CONTROL.to] = engine.now
    this.arrive({
      why: "steady",
      explains: d.says,
      from: s.from,
      to: engine.now,
      counts: since(engine, this.counted),
      ...this.acceptedIn(batches, s.begin),
      ...(d.estimate !== undefined ? { half: d.estimate.half } : {}),
    })
  }

  /**
   * More is offered than accepted: how much is? The window is at least as long as all that lies before it, begins anew while what is accepted still rises or falls,
   * and ends when its interval is as narrow as asked and tells it from what is offered.
   */
  private overloaded(): void {
    const { engine, plan, offered, s, batches } = this
    const length = plan.interval
    const known = engine.now >= 2 * s.from ? throughput(batches, s.from / length) : undefined
    if (known?.drifts === true && 2 * engine.now < plan.limit) {
      s.from = engine.now
      this.counted = copyCounts(engine)
    } else if (known !== undefined && enough(known, plan.precision) && this.looks.suspects(engine.now) === undefined) {
      if (isShort({ offered, accepted: known.mean, half: known.half })) {
        engine.columns.control[CONTROL.to] = engine.now
        const counts = since(engine, this.counted)
        this.finish({ why: "saturated", explains: s.says, from: s.from, to: engine.now, counts, acceptedHalf: known.half / offered })
        return
      }
      if (known.half <= CLOSE * offered) {
        // what piled up did not go on doing so: the window is open since s.from, with its counters and batches
        s.early = false
        s.begin = s.from / length
        s.phase = "precise"
        this.preciseOn()
        return
      }
    }
    if (engine.now + length > plan.limit) this.finish(this.limited(s.says))
    else s.goal = engine.now + length
  }

  /** The limit ends the run: saturated, if clearly less was accepted than offered. */
  private limited(says: string): Outcome {
    const { engine, plan, offered } = this
    const { from } = this.s
    const counts = since(engine, this.counted)
    engine.columns.control[CONTROL.to] = engine.now
    const accepted = flitsOut(counts) / Math.max(1, engine.now - from)
    const interval = this.acceptedIn(this.batches, from / plan.interval)
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
  private arrive(o: Outcome): void {
    const { engine, plan, s } = this
    if (plan.drain === "none") {
      this.finish(o)
      return
    }
    if (plan.drain === "all") engine.columns.control[CONTROL.quiet] = engine.now
    s.last = engine.now + Math.max(plan.limit, 4 * (o.to - o.from))
    s.phase = "drain"
    this.outcome = o
  }

  private drain(): void {
    const { engine, s } = this
    const o = this.outcome!
    if (!this.awaits(o.to))
      this.finish(o.why === "cycles" ? { ...o, why: "drained", explains: `all packets of the window arrived by cycle ${engine.now}` } : o)
    else if (engine.now >= s.last) {
      const explains = `packets of the measured window were still on their way ${engine.now - o.to} cycles later`
      this.finish({ ...o, why: "saturated", explains })
    } else s.goal = engine.now + 64
  }

  /** Whatever else ended it: a network that stands still, or a part of it that does, is never called anything better. */
  private finish(o: Outcome): void {
    this.outcome = ended(o, this.looks, this.engine.now)
    this.s.phase = "ended"
  }

  /** The run cannot go on: what it counted since the window began, or since the start. */
  private stop(stopped: Stopped): void {
    const { s, engine } = this
    const begun = s.phase !== "start" && s.phase !== "warm up" && s.phase !== "lead"
    const counts = () => since(engine, begun ? this.counted : undefined)
    this.outcome =
      s.phase === "drain" ? { ...this.outcome!, ...stopped } : { ...stopped, from: begun ? s.from : 0, to: engine.now, counts: counts() }
    s.phase = "ended"
  }

  // ---- steps

  /** Advances to the next look, or to `until` if that is earlier. A look sees the network at the same cycles wherever the run was paused. */
  private advance(until: number): void {
    const { engine, options, s } = this
    if (engine.now >= s.look) s.look = Math.min(s.goal, engine.now + 1024)
    engine.advance(Math.min(s.look, until))
    if (engine.now < s.look) return
    if (engine.now > engine.columns.control[CONTROL.from]!) this.samples.look(engine)
    options.onProgress?.(this.fraction, `cycle ${engine.now}`)
    if (options.audit) {
      const bad = engine.audit()
      if (bad.length > 0) throw new Error(`conservation is broken: ${bad[0]!.path}: ${bad[0]!.says}`)
    }
    const stopped = this.stopped()
    if (stopped !== undefined) this.stop(stopped)
  }

  private stopped(): Stopped | undefined {
    const { engine } = this
    if (engine.columns.control[CONTROL.full] !== 0)
      return {
        why: "memory",
        explains: `by cycle ${engine.now} more answers waited at their endpoints than there is room for; lower the load, or give answers a class of their own`,
      }
    if (this.options.shouldStop?.()) return { why: "time", explains: `was stopped at cycle ${engine.now}` }
    return standstill(this.looks.look(engine.now))
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
    this.s.arrived += flits
    return {
      latency: packets === 0 ? Number.NaN : latency / packets,
      offered: this.offered,
      accepted: flits / length,
      backlog: this.offered * (i + 1) * length - this.s.arrived,
    }
  }

  /** Packets of the window that have not arrived: on their way, or still to be created by a source that is behind. */
  private awaits(to: number): boolean {
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
