// Phases of a measured packet run: warm up, measure what is created in the window, let it arrive. Decisions are taken at common times only, from
// sums that are the same in every mode, so a run ends at the same time whatever the synchronisation and the number of workers.

import type { PacketNetwork } from "../../compile/packet/machine.ts"
import { isShort } from "../../core/saturation.ts"
import { type Batch, createdIn, decide, isCreated, throughput } from "../../engines/steady.ts"
import { CLOSE, ended, enough, type Stopped, shareOf, standstill, UNSURE, undrained, watched } from "../ends.ts"
import type { MeasurePlan } from "../measure-plan.ts"
import type { SimulateOptions } from "../options.ts"
import type { Pausable, Saved } from "../pausable.ts"
import { type CollectMemory, SUM, total } from "./collect.ts"
import type { PacketOutcome } from "./outcome.ts"
import type { PacketRun } from "./run.ts"
import { readMeasurement, type State, saveMeasurement } from "./saved.ts"
import { diagnosisOf, packetWatchdog } from "./watchdog.ts"

export interface MeasureSite {
  readonly run: PacketRun
  readonly network: PacketNetwork
  readonly memories: readonly CollectMemory[]
  /** begin and end of the window in ps, read by the collectors */
  readonly window: Float64Array
  readonly plan: MeasurePlan
  /** ps of a cycle */
  readonly cycle: number
  readonly streams: number
  /** the first of them are traffic; the rest is what ranks send */
  readonly traffic: number
  readonly intervals: number
  /** bytes per cycle that all sources together create on average, by their specification */
  readonly offered: number
  readonly options: SimulateOptions
  /** What ranks wait for, in words. */
  waiting(): string
}

export class PacketMeasurement implements Pausable {
  private readonly s: MeasureSite
  private readonly looks: ReturnType<typeof packetWatchdog>
  /** all that a measurement knows between two common times: these, and what looks remember */
  private at: State
  private batches: Batch[] = []
  /** flits sent on each channel when the window was opened */
  private before: Uint32Array = new Uint32Array(0)
  private outcome: PacketOutcome | undefined

  constructor(s: MeasureSite) {
    this.s = s
    this.at = { phase: "start", now: 0, goal: 0, from: 0, to: 0, begin: 0, says: "", early: s.plan.early, arrived: 0, created: 0, last: 0 }
    this.looks = packetWatchdog(s.run, s.network, () => this.now)
  }

  get now(): number {
    return this.at.now
  }

  run(): PacketOutcome {
    while (!this.step(Number.POSITIVE_INFINITY));
    return this.result()
  }

  /** How it ended; only after `step` has said that it has. */
  result(): PacketOutcome {
    if (this.at.phase !== "ended" || this.outcome === undefined) throw new Error("the measurement has not ended")
    return this.outcome
  }

  /** From common time to common time, which are the same wherever it is paused. */
  step(budget: number): boolean {
    const until = this.now + Math.max(1, budget)
    while (this.at.phase !== "ended") {
      if (this.now >= this.at.goal) this.next()
      else if (this.now >= until) return false
      else this.advance()
    }
    return true
  }

  /** As `step`, but stands at this cycle afterwards, between two common times if need be: nothing is decided there, so that changes nothing. */
  reach(cycle: number): boolean {
    const { run } = this.s
    while (this.at.phase !== "ended") {
      if (this.now >= this.at.goal) this.next()
      else if (this.common <= cycle) this.advance()
      else {
        if (cycle > this.reached) {
          run.advance(cycle * this.s.cycle)
          this.at.reached = cycle
        }
        return false
      }
    }
    return true
  }

  /** the cycle that the simulation stands at */
  get reached(): number {
    return Math.max(this.at.now, this.at.reached ?? 0)
  }

  /** the next common time */
  private get common(): number {
    return Math.min(this.at.goal, this.at.now + Math.max(1024, Math.ceil(1e7 / this.s.cycle)))
  }

  save(): Saved {
    const { at, batches, before, outcome } = this
    return saveMeasurement({ state: at, batches, before, outcome, looks: this.looks.save() })
  }

  /** Takes over what another measurement of the same run saved; its simulation has done so already. */
  resume(saved: Saved): void {
    const was = readMeasurement(saved, this.s.network.topology.graph.chans)
    this.at = was.state
    this.batches = was.batches
    this.before = was.before
    this.outcome = was.outcome
    this.looks.resume(was.looks)
  }

  /** cycles between two looks whether all jobs have ended */
  private get pace(): number {
    return Math.max(this.length, Math.ceil(2e6 / this.s.cycle))
  }

  private get length(): number {
    return this.s.plan.interval
  }

  // ---- phases: each is entered once, and goes on at every cycle that it has set as its goal

  private next(): void {
    const { at, s } = this
    if (at.phase === "start") {
      at.phase = "warm up"
      if (s.plan.untilJobs) this.playJobs()
      // a window that ends by itself judges the batches before it, too
      else if (s.plan.warmup >= 0 && s.plan.window >= 0) this.measureFrom(s.plan.warmup)
      else this.warmOn()
    } else if (at.phase === "jobs") this.jobsOn()
    else if (at.phase === "warm up") this.warmUp()
    else if (at.phase === "lead") this.open()
    else if (at.phase === "window") this.close()
    else if (at.phase === "precise") this.precise()
    else if (at.phase === "drain") this.drain()
    else {
      this.addBatch()
      this.overloaded()
    }
  }

  /** Everything counts from the beginning, until all jobs have ended. */
  private playJobs(): void {
    const { at, s } = this
    s.window[0] = 0
    s.window[1] = Number.POSITIVE_INFINITY
    this.before = s.run.sent()
    Object.assign(at, { phase: "jobs", from: 0, goal: Math.min(s.plan.limit, this.pace) })
  }

  private jobsOn(): void {
    const { at, s } = this
    const ranks = s.network.ranks?.ranks ?? 0
    const done = s.run.finished()
    if (done < ranks && this.now < s.plan.limit) {
      at.goal = Math.min(s.plan.limit, this.now + this.pace)
      return
    }
    const why = done === ranks ? "drained" : "cycles"
    const explains =
      done === ranks
        ? `all ${ranks} ranks have ended by cycle ${this.now}`
        : `reached the limit of ${s.plan.limit} cycles; ${done} of ${ranks} ranks have ended; ${s.waiting()}`
    s.window[1] = this.now * s.cycle
    this.outcome = { why, explains, from: 0, to: this.now, channels: this.channels() }
    at.phase = "ended"
  }

  /** Runs until latency is steady, or the backlog grows, or for as long as the plan says. */
  private warmUp(): void {
    const { plan } = this.s
    this.addBatch()
    if (plan.warmup >= 0) {
      this.warmOn()
      return
    }
    const { next } = decide(this.batches, -1, plan)
    if (next === "measure" || (next === "saturated" && this.at.early)) this.measureFrom(this.now)
    else this.warmOn()
  }

  private warmOn(): void {
    const { warmup, limit } = this.s.plan
    if (warmup >= 0 ? this.now < warmup : this.now + this.length <= limit / 2) this.at.goal = this.now + this.length
    else this.measureFrom(this.now)
  }

  private measureFrom(asked: number): void {
    const { plan, window, cycle } = this.s
    const from = plan.window >= 0 ? asked : Math.ceil(asked / this.length) * this.length
    window[0] = from * cycle
    window[1] = plan.window >= 0 ? (from + plan.window) * cycle : Number.POSITIVE_INFINITY
    Object.assign(this.at, { phase: "lead", from, to: from + Math.max(0, plan.window), goal: from })
  }

  private open(): void {
    const { at } = this
    this.openWindow()
    if (this.s.plan.window >= 0) {
      at.phase = "window"
      at.goal = at.to
      return
    }
    at.phase = "precise"
    at.begin = this.batches.length
    this.preciseOn()
  }

  private close(): void {
    const { from, to } = this.at
    this.arrive({ why: "cycles", explains: `ran its ${to} cycles`, from, to, ...this.countedIn() })
  }

  private precise(): void {
    const { at, batches } = this
    this.addBatch()
    const d = decide(batches, at.begin, this.s.plan)
    if (d.next === "saturated" && at.early) {
      at.phase = "overloaded"
      at.says = d.says
      this.overloaded()
    } else if (d.next !== "steady") this.preciseOn()
    else {
      this.s.window[1] = this.now * this.s.cycle
      this.arrive({
        why: "steady",
        explains: d.says,
        from: at.from,
        to: this.now,
        ...this.countedIn(),
        ...this.acceptedIn(at.begin),
        ...(d.estimate !== undefined ? { half: d.estimate.half } : {}),
      })
    }
  }

  private preciseOn(): void {
    const { at } = this
    const { plan } = this.s
    if (this.now + this.length <= plan.limit) {
      at.goal = this.now + this.length
      return
    }
    const d = decide(this.batches, at.begin, plan)
    const says = d.next === "saturated" ? UNSURE : d.says
    this.finish({ ...this.limited(says), ...(d.estimate !== undefined ? { half: d.estimate.half } : {}) })
  }

  /** As Measurement.overloaded() of the clocked engines. */
  private overloaded(): void {
    const { at, batches } = this
    const { plan, offered, memories, window, cycle } = this.s
    const known = this.now >= 2 * at.from ? throughput(batches, at.from / this.length) : undefined
    if (known?.drifts === true && 2 * this.now < plan.limit) {
      at.from = this.now
      this.openWindow()
      for (const m of memories) m.accepted.fill(0)
    } else if (known !== undefined && enough(known, plan.precision) && this.looks.suspects(this.now) === undefined) {
      const short = isShort({ offered, created: createdIn(batches, at.from / this.length), accepted: known.mean, half: known.half })
      if (short && this.now >= plan.watch) {
        window[1] = this.now * cycle
        const explains = watched(at.says, plan, this.now)
        const acceptedHalf = known.half / offered
        this.finish({ why: "saturated", explains, from: at.from, to: this.now, ...this.countedIn(), acceptedHalf })
        return
      }
      if (!short && known.half <= CLOSE * offered) {
        at.early = false
        this.measureOn()
        return
      }
    } else if (!isCreated(batches)) {
      this.measureOn()
      return
    }
    if (this.now + this.length > plan.limit) this.finish(this.limited(UNSURE))
    else at.goal = this.now + this.length
  }

  /** As measureOn() of the clocked engines. */
  private measureOn(): void {
    this.at.begin = this.at.from / this.length
    this.at.phase = "precise"
    this.preciseOn()
  }

  /** The limit ends the run: saturated, if clearly less was accepted than offered. */
  private limited(says: string): PacketOutcome {
    const { plan, offered } = this.s
    this.s.window[1] = this.now * this.s.cycle
    const window = { from: this.at.from, to: this.now, ...this.countedIn() }
    const loads = this.loadsOf(window)
    const interval = this.acceptedIn(window.from / this.length)
    const half = interval.acceptedHalf === undefined ? undefined : interval.acceptedHalf * offered
    const short = isShort({ ...loads, half })
    return {
      why: short ? "saturated" : "cycles",
      explains: short ? watched(shareOf(loads), plan, this.now) : `reached the limit of ${plan.limit} cycles; ${says}`,
      ...window,
      ...interval,
      ...(short && half === undefined ? { acceptedHalf: Number.POSITIVE_INFINITY } : {}),
    }
  }

  private acceptedIn(begin: number): { acceptedHalf?: number } {
    const known = throughput(this.batches, begin)
    return known === undefined ? {} : { acceptedHalf: known.half / this.s.offered }
  }

  /** Lets measured packets arrive, with the sources still on. */
  private arrive(o: PacketOutcome): void {
    const { plan } = this.s
    if (plan.drain === "none") {
      this.finish(o)
      return
    }
    this.outcome = o
    this.at.phase = "drain"
    this.at.last = plan.limit
  }

  private drain(): void {
    const { at } = this
    const { run, cycle } = this.s
    const o = this.outcome!
    if (!run.open(o.to * cycle))
      this.finish(o.why === "cycles" ? { ...o, why: "drained", explains: `all packets of the window arrived by cycle ${this.now}` } : o)
    else if (this.now >= at.last) this.finish(undrained(o, this.now, this.loadsOf(o)))
    else at.goal = Math.min(at.last, this.now + Math.max(64, Math.ceil(1e6 / cycle)))
  }

  /** As Measurement.finish() of the clocked engines. */
  private finish(o: PacketOutcome): void {
    this.outcome = ended(o, this.looks, this.now)
    this.at.phase = "ended"
  }

  /** The run cannot go on. */
  private stop(stopped: Stopped): void {
    const { at } = this
    const early = at.phase === "warm up" || (at.phase === "lead" && this.s.plan.window < 0)
    this.outcome =
      at.phase === "drain"
        ? { ...this.outcome!, ...stopped }
        : { ...stopped, from: early ? 0 : at.from, to: this.now, channels: this.channels(), ...(this.isOpen ? this.countedIn() : {}) }
    at.phase = "ended"
  }

  // ---- steps

  /** To the next common time. */
  private advance(): void {
    const { at } = this
    const { run, cycle, plan, options } = this.s
    at.now = this.common
    run.advance(at.now * cycle)
    options.onProgress?.(Math.min(1, at.now / plan.limit), `cycle ${at.now}`)
    const stopped = this.stopped()
    if (stopped !== undefined) this.stop(stopped)
  }

  private stopped(): Stopped | undefined {
    const { run, options, network } = this.s
    if (options.shouldStop?.()) return { why: "time", explains: `was stopped at cycle ${this.now}` }
    const { ranks } = this.s.network
    if (ranks !== undefined) return this.jobsStopped(ranks.ranks)
    if (run.idle() && run.inUse() > 0) {
      const says = `${run.inUse()} chunks wait for credits that never come, at cycle ${this.now}: give the routing the VCs it needs`
      return { why: "deadlock", explains: [says, ...diagnosisOf(network, run.waits(), this.now).words].join("\n") }
    }
    return standstill(this.looks.look(this.now))
  }

  /** Ranks that compute move nothing for as long as they like, so only a run without any event stands still. */
  private jobsStopped(ranks: number): Stopped | undefined {
    const { run, waiting } = this.s
    if (!run.idle() || run.finished() === ranks) return undefined
    if (run.waits().length > 0)
      return {
        why: "deadlock",
        explains: `chunks wait for credits that never come, at cycle ${this.now}: give the routing the VCs it needs; ${waiting()}`,
      }
    const left = ranks - run.finished()
    return { why: "waiting", explains: `${left} of ${ranks} ranks wait for what nobody sends; the network is empty; ${waiting()}` }
  }

  /** A window is open. */
  private get isOpen(): boolean {
    return ["window", "precise", "overloaded"].includes(this.at.phase)
  }

  /** Bytes that the streams have created so far. */
  private created(): number {
    return this.s.run.created(this.now * this.s.cycle)
  }

  private openWindow(): void {
    this.before = this.s.run.sent()
    this.at.created = this.created()
  }

  /** What was counted in the window so far. */
  private countedIn(): { channels: Uint32Array; created: number } {
    return { channels: this.channels(), created: this.created() - this.at.created }
  }

  /** What was created and what arrived in a window, in bytes per cycle. */
  private loadsOf(o: { readonly from: number; readonly to: number; readonly created?: number }) {
    const cycles = Math.max(1, o.to - o.from)
    let bytes = 0
    for (const m of this.s.memories) for (let i = 0; i < m.accepted.length; i++) bytes += m.accepted[i]!
    return { offered: this.s.offered, created: (o.created ?? bytes) / cycles, accepted: bytes / cycles, packets: this.measured }
  }

  private channels(): Uint32Array {
    return this.s.run.sent().map((n, c) => n - (this.before[c] ?? 0))
  }

  /** The next interval of the series. */
  private addBatch(): void {
    const { memories, streams, traffic, intervals, offered } = this.s
    const i = this.batches.length
    let packets = 0
    let bytes = 0
    let own = 0
    let latency = 0
    for (const m of memories)
      for (let s = 0; s < streams; s++) {
        const k = (s * intervals + i) * 3
        packets += m.series[k]!
        bytes += m.series[k + 1]!
        if (s < traffic) own += m.series[k + 1]!
        latency += m.series[k + 2]!
      }
    this.at.arrived += own
    const waiting = this.created() - this.at.arrived
    const before = this.batches.at(-1)?.waiting ?? 0
    this.batches.push({
      latency: packets === 0 ? Number.NaN : latency / packets / this.s.cycle,
      packets,
      offered,
      created: (own + waiting - before) / this.length,
      accepted: bytes / this.length,
      backlog: offered * (i + 1) * this.length - this.at.arrived,
      waiting,
    })
  }

  private get measured(): number {
    return total(this.s.memories, SUM.measured, -1, this.s.streams)
  }

  /** packets that arrived so far */
  get delivered(): number {
    return total(this.s.memories, SUM.delivered, -1, this.s.streams)
  }
}
