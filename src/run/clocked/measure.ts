// A measured run on a clocked engine: warm up, measure packets created in the window, let them arrive. It ends for a reason, and says which.
import type { ClockedEngine } from "../../engines/flit/clocked.ts"
import { CONTROL } from "../../fabric/flit.ts"
import type { StandingWish } from "../../model/standing.ts"
import type { Topology } from "../../model/topology.ts"
import { type Stopped, standstill } from "../ends.ts"
import type { MeasurePlan } from "../measure-plan.ts"
import type { SimulateOptions } from "../options.ts"
import type { Pausable, Saved } from "../pausable.ts"
import { openAutomatic, overloadedOn, precise } from "./automatic.ts"
import { type Outcome, since } from "./counts.ts"
import { type Course, countedIn } from "./course.ts"
import { drain } from "./drain.ts"
import { jobsOn, jobsWait } from "./jobs.ts"
import { readMeasurement, saveMeasurement } from "./saved.ts"
import { StandingLooks } from "./standing.ts"
import { begin, warmUp } from "./warm-up.ts"
import { watchdog } from "./watchdog.ts"
import { close, open } from "./window.ts"
import { QueueSamples } from "./worst-channels.ts"

export class Measurement implements Pausable {
  readonly engine: ClockedEngine
  /** what stands before the channels, looked at while the window is measured */
  readonly samples: QueueSamples
  /** what does not move, looked at where a probe asks for it */
  readonly standing: readonly StandingLooks[]
  private readonly options: SimulateOptions
  /** all that a measurement knows between two cycles: this, and what looks and samples remember */
  private readonly m: Course

  /** `offered`: flits and packets per cycle that all sources together create on average; `each`: mean flits of a packet of each stream */
  constructor(
    engine: ClockedEngine,
    topology: Topology,
    plan: MeasurePlan,
    offered: { flits: number; packets: number; each: readonly number[] },
    options: SimulateOptions,
    waiting: () => string = () => "",
    wishes: readonly StandingWish[] = [],
  ) {
    this.engine = engine
    this.options = options
    this.samples = new QueueSamples(topology.graph)
    this.standing = wishes.map((wish) => new StandingLooks(wish))
    this.m = {
      engine,
      plan,
      offered: offered.flits,
      flits: offered.each,
      looks: watchdog(engine, topology, offered.packets),
      s: { phase: "start", goal: 0, look: 0, from: 0, begin: 0, says: "", early: plan.early, arrived: 0, backlog: 0, last: 0 },
      batches: [],
      counted: undefined,
      outcome: undefined,
      waiting,
    }
  }

  run(): Outcome {
    while (!this.step(Number.POSITIVE_INFINITY));
    return this.result()
  }

  /** How it ended; only after `step` has said that it has. */
  result(): Outcome {
    if (this.m.s.phase !== "ended" || this.m.outcome === undefined) throw new Error("the measurement has not ended")
    return this.m.outcome
  }

  /** Where it stands, as the parts of a run that people know. */
  get fraction(): number {
    return Math.min(1, this.engine.now / this.m.plan.limit)
  }

  step(budget: number): boolean {
    const until = this.engine.now + Math.max(1, Math.floor(budget))
    while (this.m.s.phase !== "ended") {
      if (this.engine.now >= this.m.s.goal) this.next()
      else if (this.engine.now >= until) return false
      else this.advance(until)
    }
    return true
  }

  save(): Saved {
    const { s, batches, counted, outcome, looks } = this.m
    const { columns, looks: sampled } = this.samples.save()
    const standing = this.standing.map((l, i) => l.save(`standing${i}`))
    const samples = { looks: sampled, columns: Object.assign({}, columns, ...standing) }
    return saveMeasurement(this.engine, { state: s, batches, counted, outcome, looks: looks.save(), samples })
  }

  /** Takes over what another measurement of the same run saved, the state of its engine too. */
  resume(saved: Saved): void {
    const { m } = this
    const was = readMeasurement(this.engine, saved)
    this.engine.restore(was.snapshot)
    m.s = was.state
    m.batches = was.batches
    m.counted = was.counted
    m.outcome = was.outcome
    m.looks.resume(was.looks)
    this.samples.resume(was.sampled, saved)
    for (const [i, l] of this.standing.entries()) l.resume(`standing${i}`, saved)
  }

  /** Each phase is entered once, and goes on at every cycle that it has set as its goal. */
  private next(): void {
    const { m } = this
    const { s, plan } = m
    if (s.phase === "start") begin(m)
    else if (s.phase === "warm up") warmUp(m)
    else if (s.phase === "lead" && plan.window >= 0) open(m)
    else if (s.phase === "lead") openAutomatic(m)
    else if (s.phase === "window") close(m)
    else if (s.phase === "precise") precise(m)
    else if (s.phase === "drain") drain(m)
    else if (s.phase === "jobs") jobsOn(m)
    else overloadedOn(m)
  }

  /** The run cannot go on: what it counted since the window began, or since the start. */
  private stop(stopped: Stopped): void {
    const { engine, m } = this
    const { s } = m
    const begun = s.phase !== "start" && s.phase !== "warm up" && s.phase !== "lead"
    const counted = () => (begun && m.counted !== undefined ? countedIn(m) : { counts: since(engine, undefined) })
    m.outcome = s.phase === "drain" ? { ...m.outcome!, ...stopped } : { ...stopped, from: begun ? s.from : 0, to: engine.now, ...counted() }
    s.phase = "ended"
  }

  /** Advances to the next look, or to `until` if that is earlier. A look sees the network at the same cycles wherever the run was paused. */
  private advance(until: number): void {
    const { engine, options } = this
    const { s } = this.m
    if (engine.now >= s.look) s.look = Math.min(s.goal, engine.now + 1024)
    this.advanceTo(Math.min(s.look, until))
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

  /** Stops at the end of every interval where a probe wants to know what stands. */
  private advanceTo(end: number): void {
    const { engine, standing } = this
    const { interval } = this.m.plan
    while (standing.length > 0 && engine.now < end) {
      engine.advance(Math.min(end, (Math.floor(engine.now / interval) + 1) * interval))
      if (engine.now % interval === 0) for (const looks of standing) looks.look(engine)
    }
    if (engine.now < end) engine.advance(end)
  }

  private stopped(): Stopped | undefined {
    const { engine } = this
    if (engine.columns.control[CONTROL.full] !== 0)
      return {
        why: "memory",
        explains: `by cycle ${engine.now} more answers waited at their endpoints than there is room for (or more packets were under way); lower the load, or give answers a class of their own`,
      }
    if (this.options.shouldStop?.()) return { why: "time", explains: `was stopped at cycle ${engine.now}` }
    return jobsWait(this.m) ?? standstill(this.m.looks.look(engine.now))
  }
}
