// A run that can pause and go back. It stores snapshots at increasing distances and re-simulates from the nearest one.
// This file does not depend on workers or pages.
import type { Saved } from "../../src/measure/saved.ts"
import type { RunResult } from "../../src/model/experiment.ts"
import type { Observation } from "../../src/observe/observation.ts"
import type { LiveRun } from "../../src/run/pausable.ts"
import type { HeatKind, State, Status } from "../shared/messages.ts"

/** Maximum number of snapshots, and maximum bytes of all together. */
const MOST_KEPT = 32
const MOST_BYTES = 192 * 2 ** 20
/**
 * Cycles between two marks of the flits that channels have carried. Utilisation is measured over at least this many
 * cycles.
 */
const MARK = 256
const LEAST = 64
/** Cycles between the first snapshots, a multiple of MARK. */
const SPACING = 256

interface Mark {
  readonly cycle: number
  readonly carried: Uint32Array
}

interface Snapshot extends Mark {
  readonly saved: Saved
  readonly bytes: number
}

export class Live {
  readonly run: LiveRun
  readonly observation: Observation
  ended = false
  /** Snapshots in order of time. The first one is never removed, so that every cycle stays reachable. */
  private kept: Snapshot[] = []
  private spacing = SPACING
  private result: RunResult | undefined
  /** Cycle of the next snapshot. */
  private next = 0
  /**
   * The last two marks. They are at multiples of MARK, so that the picture of a cycle does not depend on earlier seeks.
   */
  private marks: Mark[] = []
  private readonly queued: Float64Array
  private readonly stalled: Float64Array

  constructor(run: LiveRun) {
    const observation = run.observation()
    if (observation === undefined) throw new Error("A run on several threads cannot be inspected.")
    this.run = run
    this.observation = observation
    const { chans } = observation.topology.graph
    this.queued = new Float64Array(chans)
    this.stalled = new Float64Array(chans)
    this.mark()
    this.keep()
  }

  get now(): number {
    return this.observation.now
  }

  /** Simulates up to this cycle or to the end, and takes snapshots. */
  forward(to: number): void {
    while (!this.ended && this.now < to) {
      // Stop at multiples of MARK, because utilisation needs marks at fixed cycles.
      this.ended = this.run.reach(Math.min(to, (Math.floor(this.now / MARK) + 1) * MARK))
      if (this.now % MARK === 0) this.mark()
      if (this.now >= this.next) this.keep()
    }
  }

  /** Goes to this cycle, backwards or forwards. */
  seek(cycle: number): void {
    this.back(cycle)
    this.forward(cycle)
  }

  /** Restores the nearest snapshot at or before this cycle, if the cycle is in the past. */
  back(cycle: number): void {
    if (cycle >= this.now) return
    let at = this.kept[0]
    // The snapshot must be early enough that a complete interval of utilisation can be simulated again before `cycle`.
    for (const k of this.kept) if (k.cycle <= cycle - LEAST - MARK) at = k
    this.run.resume(at.saved)
    this.ended = false
    this.marks = [at]
  }

  /** Returns the state for another engine. */
  state(): State {
    return { saved: this.run.save(), far: this.observation.topology.graph.far }
  }

  /**
   * Continues from the state of another run on an equal machine; throws if the machines differ. Cycles before it cannot
   * be sought.
   */
  adopt({ saved, far }: State): void {
    // The sizes may be equal, but packets that have selected a failed link would wait forever, so the links are
    // compared.
    const wired = this.observation.topology.graph.far
    if (far.length !== wired.length || far.some((f, c) => f !== wired[c]))
      throw new Error("Its network has different links.")
    // If the state does not fit, restore the own state, so that a failed branch does not damage this run.
    const before = this.run.save()
    try {
      this.run.resume(saved)
    } catch (e) {
      this.run.resume(before)
      throw e
    }
    this.ended = false
    this.kept = []
    this.marks = []
    this.spacing = SPACING
    this.mark()
    this.keep()
  }

  /** Forgets the past and takes no more snapshots, because a run of a sweep never goes back. */
  forget(): void {
    this.kept = []
    this.next = Number.POSITIVE_INFINITY
  }

  async finished(): Promise<RunResult> {
    this.result ??= await this.run.result()
    return this.result
  }

  status(running: boolean, rate: number, blocked: number): Status {
    const kept = this.kept.map((k) => k.cycle)
    return { cycle: this.now, running, ended: this.ended, kept, ...this.observation.totals(), blocked, rate }
  }

  /** Writes one byte of heat for each channel. */
  heat(kind: HeatKind, into: Uint8Array): void {
    const busy = this.busy()
    if (kind === "utilisation") for (let c = 0; c < into.length; c++) into[c] = byte(busy(c))
    else {
      const { queued, stalled } = this
      this.observation.queued(queued, stalled)
      for (let c = 0; c < into.length; c++) {
        // The fourth kind shows the cause of congestion: flits that wait at a busy channel. Flits that stall for
        // credits are caused downstream, except where the channel itself is saturated.
        const guilty = busy(c) > 0.95 ? queued[c] : queued[c] - stalled[c]
        into[c] = depth(kind === "queue" ? queued[c] : kind === "stall" ? stalled[c] : busy(c) * guilty)
      }
    }
  }

  /**
   * Returns the utilisation of a channel in the last cycles. The packet engine counts the flits of a chunk at its
   * start.
   */
  busy(): (chan: number) => number {
    const carried = this.observation.carried()
    const since = this.marks.findLast((m) => m.cycle <= this.now - LEAST) ?? this.marks[0]
    const span = this.now - since.cycle
    return (c) => (span > 0 ? Math.min(1, ((carried[c] - since.carried[c]) * this.observation.cyclesOf(c)) / span) : 0)
  }

  /** Stores the counters of the channels at the current cycle, and keeps the previous mark. */
  private mark(): void {
    if (this.marks.at(-1)?.cycle !== this.now)
      this.marks = [...this.marks.slice(-1), { cycle: this.now, carried: this.observation.carried() }]
  }

  /** Takes a snapshot. If there are too many, or their bytes exceed the limit, every second one is removed. */
  private keep(): void {
    if (this.ended) return
    const saved = this.run.save()
    const bytes = Object.values(saved.columns).reduce((sum, c) => sum + c.byteLength, 0)
    this.kept.push({ cycle: this.now, carried: this.observation.carried(), saved, bytes })
    while (this.kept.length > MOST_KEPT || (this.kept.length > 2 && this.bytes > MOST_BYTES)) this.thin()
    this.next = this.now + this.spacing
  }

  get bytes(): number {
    return this.kept.reduce((sum, k) => sum + k.bytes, 0)
  }

  /** Removes every second snapshot, but never the first. */
  private thin(): void {
    // The distance doubles at each thinning, so the snapshots stay evenly spaced over a run of any length.
    this.kept = this.kept.filter((_, i) => i % 2 === 0)
    this.spacing *= 2
  }
}

const byte = (part: number): number => Math.max(0, Math.min(255, Math.round(255 * part)))
/** Logarithmic scale of queued flits: 1 flit is visible, 4,095 is full heat. */
const depth = (flits: number): number => byte(Math.log2(1 + Math.max(0, flits)) / 12)
