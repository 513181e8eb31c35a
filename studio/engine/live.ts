// One run that goes on, stops, and goes back: thinned snapshots, and running on from the nearest of them. Nothing here knows workers or pages.
import type { RunResult } from "../../src/model/experiment.ts"
import type { LiveRun, Saved } from "../../src/run/pausable.ts"
import type { Sight } from "../../src/run/sight/sight.ts"
import type { HeatKind, State, Status } from "../shared/messages.ts"

/** snapshots kept at most, and bytes of all of them together */
const MOST_KEPT = 32
const MOST_BYTES = 192 * 2 ** 20
/** cycles between two marks of what channels have carried; pictures of utilisation are taken over at least so many of them */
const MARK = 256
const LEAST = 64
/** cycles between the first snapshots, a multiple of MARK */
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
  readonly sight: Sight
  ended = false
  private kept: Snapshot[] = []
  private spacing = SPACING
  private result: RunResult | undefined
  private next = 0
  /** the last two; at multiples of MARK, so that a picture of a cycle does not depend on how one came there */
  private marks: Mark[] = []
  private readonly queued: Float64Array
  private readonly stalled: Float64Array

  constructor(run: LiveRun) {
    const sight = run.sight()
    if (sight === undefined) throw new Error("a run on several threads cannot be looked at")
    this.run = run
    this.sight = sight
    const { chans } = sight.topology.graph
    this.queued = new Float64Array(chans)
    this.stalled = new Float64Array(chans)
    this.mark()
    this.keep()
  }

  get now(): number {
    return this.sight.now
  }

  /** Goes on to this cycle, or to the end. Snapshots are taken on the way. */
  forward(to: number): void {
    while (!this.ended && this.now < to) {
      this.ended = this.run.reach(Math.min(to, (Math.floor(this.now / MARK) + 1) * MARK))
      if (this.now % MARK === 0) this.mark()
      if (this.now >= this.next) this.keep()
    }
  }

  /** Goes to this cycle, back or forth. */
  seek(cycle: number): void {
    this.back(cycle)
    this.forward(cycle)
  }

  /** To the nearest snapshot at or before this cycle, if it lies behind. */
  back(cycle: number): void {
    if (cycle >= this.now) return
    let at = this.kept[0]!
    for (const k of this.kept) if (k.cycle <= cycle - LEAST - MARK) at = k
    this.run.resume(at.saved)
    this.ended = false
    this.marks = [at]
  }

  state(): State {
    return { saved: this.run.save(), far: this.sight.topology.graph.far }
  }

  /** Goes on from the state of another run on a machine like this one; throws where it is not alike. What lies before is not this run's. */
  adopt({ saved, far }: State): void {
    // of the same size, but packets that have chosen a link that is no more would wait for it for ever
    const wired = this.sight.topology.graph.far
    if (far.length !== wired.length || far.some((f, c) => f !== wired[c])) throw new Error("its network is wired otherwise")
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

  async finished(): Promise<RunResult> {
    this.result ??= await this.run.result()
    return this.result
  }

  status(running: boolean, rate: number): Status {
    const { created, delivered, latency } = this.sight.totals()
    const kept = this.kept.map((k) => k.cycle)
    return { cycle: this.now, running, ended: this.ended, kept, created, delivered, latency, rate }
  }

  /** A byte for each channel. */
  heat(kind: HeatKind, into: Uint8Array): void {
    const busy = this.busy()
    if (kind === "utilisation") for (let c = 0; c < into.length; c++) into[c] = byte(busy(c))
    else {
      const { queued, stalled } = this
      this.sight.queued(queued, stalled)
      for (let c = 0; c < into.length; c++) {
        const guilty = busy(c) > 0.95 ? queued[c]! : queued[c]! - stalled[c]!
        into[c] = depth(kind === "queue" ? queued[c]! : kind === "stall" ? stalled[c]! : busy(c) * guilty)
      }
    }
  }

  /** Part of the last cycles in which a channel carried flits. Those of the packet engine count when a chunk begins. */
  busy(): (chan: number) => number {
    const carried = this.sight.carried()
    const since = this.marks.findLast((m) => m.cycle <= this.now - LEAST) ?? this.marks[0]!
    const span = this.now - since.cycle
    return (c) => (span > 0 ? Math.min(1, ((carried[c]! - since.carried[c]!) * this.sight.cyclesOf(c)) / span) : 0)
  }

  private mark(): void {
    if (this.marks.at(-1)?.cycle !== this.now) this.marks = [...this.marks.slice(-1), { cycle: this.now, carried: this.sight.carried() }]
  }

  private keep(): void {
    if (this.ended) return
    const saved = this.run.save()
    const bytes = Object.values(saved.columns).reduce((sum, c) => sum + c.byteLength, 0)
    this.kept.push({ cycle: this.now, carried: this.sight.carried(), saved, bytes })
    while (this.kept.length > MOST_KEPT || (this.kept.length > 2 && this.bytes > MOST_BYTES)) this.thin()
    this.next = this.now + this.spacing
  }

  get bytes(): number {
    return this.kept.reduce((sum, k) => sum + k.bytes, 0)
  }

  /** Every second one goes, never the first. */
  private thin(): void {
    this.kept = this.kept.filter((_, i) => i % 2 === 0)
    this.spacing *= 2
  }
}

const byte = (part: number): number => Math.max(0, Math.min(255, Math.round(255 * part)))
/** flits on a scale of logarithms: 1 flit is seen, 4,095 is full heat */
const depth = (flits: number): number => byte(Math.log2(1 + Math.max(0, flits)) / 12)
