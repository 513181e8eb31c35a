// Phases of a measured run: warm up, measure packets created in the window, let them arrive. A run ends for a reason, and says which.
import { type Checked, type Complaint, complain } from "../core/complaint.ts"
import { quantity, type Scale } from "../core/units.ts"
import type { ClockedEngine } from "../engines/flit/clocked.ts"
import { type Batch, decide } from "../engines/steady.ts"
import { CONTROL } from "../fabric/flit.ts"
import type { MeasureSpec, StopReason } from "../model/experiment.ts"
import type { Topology } from "../model/topology.ts"
import type { SimulateOptions } from "./simulator.ts"
import { explainStall } from "./stall.ts"
import { QueueSamples } from "./worst-channels.ts"

export interface MeasurePlan {
  /** cycles, or -1 for automatic */
  readonly warmup: number
  readonly window: number
  readonly limit: number
  readonly precision: number
  readonly drain: MeasureSpec["drain"]
  readonly early: boolean
  /** log2 of the interval of the time series, which is also the batch of the automatic decisions */
  readonly seriesShift: number
  /** cycles that the time series can hold */
  readonly horizon: number
}

/** Batches of an automatic measurement: short enough to end soon, long enough to hold packets. */
const BATCH_SHIFT = 8

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
  const interval = duration("series", 0)
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
  const shift = interval > 0 ? Math.round(Math.log2(interval)) : automatic ? BATCH_SHIFT : Math.max(4, Math.ceil(Math.log2(limit / 4096)))
  return {
    ok: {
      warmup,
      window,
      limit,
      precision: m.precision,
      drain: m.drain,
      early: m.saturation === "early",
      seriesShift: Math.max(0, shift),
      horizon: limit,
    },
  }
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
}

/** Cycles between two looks at whether flits still move. */
const PATIENCE = 4096
/** Fewer packets than this part of the offered ones arrive: worth a look. */
const LAGGING = 0.8

export class Measurement {
  private readonly engine: ClockedEngine
  private readonly topology: Topology
  private readonly plan: MeasurePlan
  private readonly options: SimulateOptions
  private readonly offered: number
  private readonly offeredPackets: number
  private movedAt = 0
  private movedHops = 0
  private arrivedPackets = 0
  private underWay = 0
  /** what stands before the channels, looked at while the window is measured */
  readonly samples: QueueSamples
  private stopped: { why: StopReason; explains: string } | undefined

  /** `offered`: flits and packets per cycle that all sources together create on average */
  constructor(
    engine: ClockedEngine,
    topology: Topology,
    plan: MeasurePlan,
    offered: { flits: number; packets: number },
    options: SimulateOptions,
  ) {
    this.engine = engine
    this.topology = topology
    this.plan = plan
    this.offered = offered.flits
    this.offeredPackets = offered.packets
    this.options = options
    this.samples = new QueueSamples(topology.graph)
  }

  run(): Outcome {
    const { plan } = this
    const from = plan.warmup >= 0 ? plan.warmup : this.warmUp()
    if (this.stopped !== undefined) return this.end(0, undefined)
    return plan.window >= 0 ? this.fixed(from, from + plan.window) : this.untilPrecise(from)
  }

  // ---- phases

  /** Runs until latency is steady; answers the cycle from which to measure. A saturated network is measured from half its time on. */
  private warmUp(): number {
    const batches: Batch[] = []
    const length = 1 << this.plan.seriesShift
    while (this.engine.now + length <= this.plan.limit / 2) {
      if (!this.go(this.engine.now + length)) return 0
      batches.push(this.batch(batches.length))
      const { next } = decide(batches, -1, this.plan)
      if (next === "measure") return this.engine.now
      if (next === "saturated" && this.plan.early) return this.engine.now
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
    const length = 1 << plan.seriesShift
    // measured packets are those created from here on: start on a batch boundary
    from = Math.ceil(from / length) * length
    control[CONTROL.from] = from
    if (!this.go(from)) return this.end(0, undefined)
    const counted = copyCounts(engine)
    const batches: Batch[] = []
    this.arrived = 0
    for (let i = 0; i < from / length; i++) batches.push(this.batch(i))
    const begin = batches.length
    while (engine.now + length <= plan.limit) {
      if (!this.go(engine.now + length)) return this.end(from, counted)
      batches.push(this.batch(batches.length))
      const d = decide(batches, begin, plan)
      if (d.next === "go on" || d.next === "measure" || d.next === "warm up") continue
      if (d.next === "saturated" && !plan.early) continue
      control[CONTROL.to] = engine.now
      const outcome: Outcome = {
        why: d.next === "saturated" ? "saturated" : "steady",
        explains: d.says,
        from,
        to: engine.now,
        counts: since(engine, counted),
        ...(d.estimate !== undefined ? { half: d.estimate.half } : {}),
      }
      return d.next === "saturated" ? outcome : this.drain(outcome)
    }
    control[CONTROL.to] = engine.now
    const d = decide(batches, begin, plan)
    const counts = since(engine, counted)
    const total = flitsOut(counts) / Math.max(1, engine.now - from)
    const saturated = total < 0.95 * this.offered
    return {
      why: saturated ? "saturated" : "cycles",
      from,
      to: engine.now,
      counts,
      ...(d.estimate !== undefined ? { half: d.estimate.half } : {}),
      explains: saturated
        ? `accepts ${((100 * total) / this.offered).toFixed(1)} % of what is offered`
        : `reached the limit of ${plan.limit} cycles; ${d.says}`,
    }
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
      else this.watch()
      if (this.stopped !== undefined) return false
    }
    return true
  }

  /** Nothing moves, or much less arrives than is offered, although packets are on their way: is it a deadlock (of a part of the network)? */
  private watch(): void {
    const { engine } = this
    const passed = engine.now - this.movedAt
    if (passed < PATIENCE) return
    const hops = engine.flitHops()
    const arrived = engine.stat("delivered")
    const rate = (hops - this.movedHops) / passed
    const behind = (arrived - this.arrivedPackets) / passed < LAGGING * this.offeredPackets
    this.movedAt = engine.now
    this.movedHops = hops
    this.arrivedPackets = arrived
    // a packet that has only just been created did not stand still
    const waiting = this.underWay > 0
    this.underWay = engine.inFlight()
    if (this.underWay > 0 && (rate === 0 ? waiting : behind)) this.stopped = explainStall(engine, this.topology, passed, rate)
  }

  /** The run was stopped: what it counted since the window began, or since the start. */
  private end(from: number, begin: WindowCounts | undefined): Outcome {
    return { ...this.stopped!, from, to: this.engine.now, counts: since(this.engine, begin) }
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
    const length = 1 << this.plan.seriesShift
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
