// Phases of a measured packet run: warm up, measure what is created in the window, let it arrive. Decisions are taken at common times only, from
// sums that are the same in every mode, so a run ends at the same time whatever the synchronisation and the number of workers.

import type { PacketNetwork } from "../../compile/packet/machine.ts"
import { isShort } from "../../core/saturation.ts"
import { type Batch, decide, throughput } from "../../engines/steady.ts"
import { CLOSE, ended, enough, type MeasurePlan, type Stopped, standstill } from "../clocked/measure.ts"
import type { SimulateOptions } from "../options.ts"
import { type CollectMemory, SUM, total } from "./collect.ts"
import type { PacketRun } from "./run.ts"
import { packetWatchdog } from "./watchdog.ts"

export interface PacketOutcome {
  readonly why: Stopped["why"]
  readonly explains: string
  /** measured window in cycles */
  readonly from: number
  readonly to: number
  /** flits sent on each channel in it */
  readonly channels: Uint32Array
  readonly half?: number
  /** half width of the 95 % interval of what was accepted, relative to what was offered; infinite if the window was too short to tell: then there is no number */
  readonly acceptedHalf?: number
}

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
  readonly intervals: number
  /** bytes per cycle that all sources together create on average */
  readonly offered: number
  readonly options: SimulateOptions
}

export class PacketMeasurement {
  now = 0
  private readonly s: MeasureSite
  private stopped: Stopped | undefined
  private arrived = 0
  private before: Uint32Array = new Uint32Array(0)

  private readonly looks: ReturnType<typeof packetWatchdog>
  /** a growing backlog ends the run; not again once it has turned out to be none */
  private early: boolean

  constructor(s: MeasureSite) {
    this.s = s
    this.early = s.plan.early
    this.looks = packetWatchdog(s.run, s.network, () => this.now)
  }

  run(): PacketOutcome {
    const { plan } = this.s
    const from = plan.warmup >= 0 ? plan.warmup : this.warmUp()
    if (this.stopped !== undefined) return this.end(0)
    return this.checked(plan.window >= 0 ? this.fixed(from, from + plan.window) : this.untilPrecise(from))
  }

  private get length(): number {
    return this.s.plan.interval
  }

  private warmUp(): number {
    const { plan } = this.s
    const batches: Batch[] = []
    while (this.now + this.length <= plan.limit / 2) {
      if (!this.go(this.now + this.length)) return 0
      batches.push(this.batch(batches.length))
      const { next } = decide(batches, -1, plan)
      if (next === "measure" || (next === "saturated" && this.early)) return this.now
    }
    return this.now
  }

  private open(from: number, to: number): boolean {
    this.s.window[0] = from * this.s.cycle
    this.s.window[1] = to * this.s.cycle
    if (!this.go(from)) return false
    this.before = this.s.run.sent()
    return true
  }

  private fixed(from: number, to: number): PacketOutcome {
    if (!this.open(from, to) || !this.go(to)) return this.end(from)
    return this.drain({ why: "cycles", explains: `ran its ${to} cycles`, from, to, channels: this.channels() })
  }

  private untilPrecise(asked: number): PacketOutcome {
    const { plan } = this.s
    const from = Math.ceil(asked / this.length) * this.length
    if (!this.open(from, Number.POSITIVE_INFINITY)) return this.end(0)
    const batches: Batch[] = []
    this.arrived = 0
    for (let i = 0; i < from / this.length; i++) batches.push(this.batch(i))
    const begin = batches.length
    while (this.now + this.length <= plan.limit) {
      if (!this.go(this.now + this.length)) return this.end(from)
      batches.push(this.batch(batches.length))
      const d = decide(batches, begin, plan)
      if (d.next === "saturated" && this.early) return this.overloaded(from, batches, d.says)
      if (d.next !== "steady") continue
      this.s.window[1] = this.now * this.s.cycle
      return this.drain({
        why: "steady",
        explains: d.says,
        from,
        to: this.now,
        channels: this.channels(),
        ...this.acceptedIn(batches, begin),
        ...(d.estimate !== undefined ? { half: d.estimate.half } : {}),
      })
    }
    const d = decide(batches, begin, plan)
    return { ...this.limited(from, batches, d.says), ...(d.estimate !== undefined ? { half: d.estimate.half } : {}) }
  }

  /** As Measurement.overloaded() of the clocked engines. */
  private overloaded(from: number, batches: Batch[], says: string): PacketOutcome {
    const { plan, offered } = this.s
    for (;;) {
      const known = this.now >= 2 * from ? throughput(batches, from / this.length) : undefined
      if (known?.drifts === true && 2 * this.now < plan.limit) {
        from = this.now
        this.before = this.s.run.sent()
        for (const m of this.s.memories) m.accepted.fill(0)
      } else if (known !== undefined && enough(known, plan.precision) && this.looks.suspects(this.now) === undefined) {
        if (isShort({ offered, accepted: known.mean, half: known.half })) {
          this.s.window[1] = this.now * this.s.cycle
          return { why: "saturated", explains: says, from, to: this.now, channels: this.channels(), acceptedHalf: known.half / offered }
        }
        if (known.half <= CLOSE * offered) break
      }
      if (this.now + this.length > plan.limit) return this.limited(from, batches, says)
      if (!this.go(this.now + this.length)) return this.end(from)
      batches.push(this.batch(batches.length))
    }
    this.early = false
    return this.untilPrecise(from)
  }

  /** The limit ends the run: saturated, if clearly less was accepted than offered. */
  private limited(from: number, batches: readonly Batch[], says: string): PacketOutcome {
    const { plan, offered } = this.s
    this.s.window[1] = this.now * this.s.cycle
    const begin = from / this.length
    const accepted = batches.slice(begin).reduce((sum, b) => sum + b.accepted, 0) / Math.max(1, batches.length - begin)
    const interval = this.acceptedIn(batches, begin)
    const half = interval.acceptedHalf === undefined ? undefined : interval.acceptedHalf * offered
    const short = isShort({ offered, accepted, half, packets: this.measured })
    return {
      why: short ? "saturated" : "cycles",
      explains: short
        ? `accepts ${((100 * accepted) / offered).toFixed(1)} % of what is offered`
        : `reached the limit of ${plan.limit} cycles; ${says}`,
      from,
      to: this.now,
      channels: this.channels(),
      ...interval,
      ...(short && half === undefined ? { acceptedHalf: Number.POSITIVE_INFINITY } : {}),
    }
  }

  private acceptedIn(batches: readonly Batch[], begin: number): { acceptedHalf?: number } {
    const known = throughput(batches, begin)
    return known === undefined ? {} : { acceptedHalf: known.half / this.s.offered }
  }

  /** As Measurement.checked() of the clocked engines. */
  private checked(o: PacketOutcome): PacketOutcome {
    return this.stopped === undefined ? ended(o, this.looks, this.now) : o
  }

  /** Lets measured packets arrive, with the sources still on. */
  private drain(o: PacketOutcome): PacketOutcome {
    const { plan, run, cycle } = this.s
    if (plan.drain === "none") return o
    const step = Math.max(64, Math.ceil(1e6 / cycle))
    const last = this.now + Math.max(plan.limit, 4 * (o.to - o.from))
    while (run.open(o.to * cycle)) {
      if (this.now >= last)
        return {
          ...o,
          why: "saturated",
          explains: `packets of the measured window were still on their way ${this.now - o.to} cycles later`,
        }
      if (!this.go(this.now + step)) return { ...o, ...this.stopped! }
    }
    return o.why === "cycles" ? { ...o, why: "drained", explains: `all packets of the window arrived by cycle ${this.now}` } : o
  }

  /** Advances; false if the run cannot go on. */
  private go(end: number): boolean {
    const { run, cycle, plan, options } = this.s
    const step = Math.max(1024, Math.ceil(1e7 / cycle))
    while (this.now < end) {
      this.now = Math.min(end, this.now + step)
      run.advance(this.now * cycle)
      options.onProgress?.(Math.min(1, this.now / plan.limit), `cycle ${this.now}`)
      if (options.shouldStop?.()) this.stopped = { why: "time", explains: `was stopped at cycle ${this.now}` }
      else if (run.idle() && run.inUse() > 0)
        this.stopped = {
          why: "deadlock",
          explains: `${run.inUse()} chunks wait for credits that never come, at cycle ${this.now}: give the routing the VCs it needs`,
        }
      else this.stopped = standstill(this.looks.look(this.now))
      if (this.stopped !== undefined) return false
    }
    return true
  }

  private channels(): Uint32Array {
    return this.s.run.sent().map((n, c) => n - (this.before[c] ?? 0))
  }

  private end(from: number): PacketOutcome {
    return { ...this.stopped!, from, to: this.now, channels: this.channels() }
  }

  private batch(i: number): Batch {
    const { memories, streams, intervals, offered } = this.s
    let packets = 0
    let bytes = 0
    let latency = 0
    for (const m of memories)
      for (let s = 0; s < streams; s++) {
        const k = (s * intervals + i) * 3
        packets += m.series[k]!
        bytes += m.series[k + 1]!
        latency += m.series[k + 2]!
      }
    this.arrived += bytes
    return {
      latency: packets === 0 ? Number.NaN : latency / packets / this.s.cycle,
      offered,
      accepted: bytes / this.length,
      backlog: offered * (i + 1) * this.length - this.arrived,
    }
  }

  private get measured(): number {
    return total(this.s.memories, SUM.measured, -1, this.s.streams)
  }

  /** packets that arrived so far */
  get delivered(): number {
    return total(this.s.memories, SUM.delivered, -1, this.s.streams)
  }
}
