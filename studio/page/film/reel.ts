// The film of one side: the frames that its engine has sent ahead, the counters of all frames, and its events.
import type { Frame } from "../../shared/messages.ts"

/** Frames that are kept: more than the engines send ahead of the clock. */
const MOST_FRAMES = 120
/** Maximum number of frames whose counters are kept, the newest ones that are all kept, and as many older ones. */
const MOST_COUNTED = 6144
const NEWEST = 2048
/** Cycles over which the accepted load and the latency are averaged. */
export const SPAN = 400
/** A side is saturated if it accepts less than this share of the offered load for SATURATED cycles, after START. */
const SHARE = 0.9
const SATURATED = 200
const START = 400

export interface FilmEvent {
  readonly cycle: number
  readonly kind: "saturated" | "deadlock"
}

/** The counters of a side around one cycle. NaN: not known. */
export interface Counters {
  /** Flits per endpoint and cycle, over the last SPAN cycles. */
  readonly accepted: number
  /** Mean latency of the packets that arrived in the last SPAN cycles. */
  readonly latency: number
  /** Blocked flits, now. */
  readonly blocked: number
}

const unknown: Counters = { accepted: Number.NaN, latency: Number.NaN, blocked: Number.NaN }

export class Reel {
  private ends = 1
  offered: number | undefined
  frames: Frame[] = []
  /** Frames of an earlier take are ignored. */
  take = 0
  /** The last cycle that was requested, and the distance of frames. */
  asked = 0
  stride = 0
  deadlock: number | undefined
  private saturated: number | undefined
  private lowSince: number | undefined
  /** [frame] -> its cycle and counters, in the order of time. Old frames are thinned, so that memory stays flat. */
  readonly cycles: number[] = []
  private readonly columns = { accepted: [] as number[], delivered: [] as number[], latency: [] as number[] }
  readonly blocked: number[] = []
  private readonly known: Counters[] = []

  /** Sets the properties of its network. Frames may have arrived before. */
  open(ends: number, offered: number | undefined): void {
    this.ends = ends
    this.offered = offered
  }

  /** Adds the next frame of the film. */
  add(frame: Frame): void {
    this.frames.push(frame)
    if (this.frames.length > MOST_FRAMES) this.frames.splice(0, this.frames.length - MOST_FRAMES)
    this.count(frame)
  }

  /** Shows this frame alone: the engine was moved to its cycle. */
  show(frame: Frame): void {
    this.frames = [frame]
    this.count(frame)
  }

  get last(): number {
    return this.frames.at(-1)?.status.cycle ?? 0
  }
  get ended(): boolean {
    return this.frames.at(-1)?.status.ended === true
  }
  get events(): readonly FilmEvent[] {
    const events: FilmEvent[] = []
    if (this.saturated !== undefined) events.push({ cycle: this.saturated, kind: "saturated" })
    if (this.deadlock !== undefined) events.push({ cycle: this.deadlock, kind: "deadlock" })
    return events
  }

  /** Returns the index of the last frame at or before a time; the first if there is none. */
  at(time: number): number {
    let [low, high] = [0, this.frames.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.frames[middle].status.cycle <= time) low = middle
      else high = middle - 1
    }
    return Math.max(0, low)
  }

  counters(time: number): Counters {
    const at = this.index(time)
    // The first frame alone counts nothing. After thinning, the next one may be later than the time.
    return this.countersAt(at === 0 && time > this.cycles[0] && this.cycles.length > 1 ? 1 : at)
  }

  /** Returns the counters of a frame by its index in `cycles`. */
  countersAt(i: number): Counters {
    if (i < 0) return unknown
    this.known[i] ??= this.over(i, SPAN)
    return this.known[i]
  }

  /** Returns the index of the last counted frame at or before a time, or -1. */
  index(time: number): number {
    let [low, high] = [-1, this.cycles.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.cycles[middle] <= time) low = middle
      else high = middle - 1
    }
    return low
  }

  isSaturated(time: number): boolean {
    return this.saturated !== undefined && this.saturated <= time
  }
  isDeadlocked(time: number): boolean {
    return this.deadlock !== undefined && this.deadlock <= time
  }

  private over(i: number, span: number): Counters {
    const { cycles, columns, blocked } = this
    const from = Math.max(0, Math.min(i - 1, this.index(cycles[i] - span)))
    const passed = cycles[i] - cycles[from]
    if (i === 0 || passed <= 0) return { ...unknown, blocked: blocked[i] }
    const arrived = columns.delivered[i] - columns.delivered[from]
    return {
      accepted: (columns.accepted[i] - columns.accepted[from]) / passed / this.ends,
      latency: arrived > 0 ? (columns.latency[i] - columns.latency[from]) / arrived : Number.NaN,
      blocked: blocked[i],
    }
  }

  /** Removes frames before the newest ones, so that the others are evenly spaced over the run. */
  private thin(): void {
    const { cycles, known } = this
    const old = cycles.length - NEWEST
    const gap = cycles[old] / NEWEST
    let kept = 1
    for (let i = 1; i < cycles.length; i++) {
      if (i < old && cycles[i] - cycles[kept - 1] < gap) continue
      for (const column of [cycles, this.blocked, ...Object.values(this.columns)]) column[kept] = column[i]
      if (i in known) known[kept] = known[i]
      else delete known[kept]
      kept++
    }
    for (const column of [cycles, known, this.blocked, ...Object.values(this.columns)]) column.length = kept
  }

  /** Stores the counters of a frame that is later than all before, and looks for saturation. */
  private count({ status }: Frame): void {
    const { cycle, accepted, delivered, latency, blocked } = status
    if (cycle <= (this.cycles.at(-1) ?? -1)) return
    this.cycles.push(cycle)
    this.columns.accepted.push(accepted)
    this.columns.delivered.push(delivered)
    this.columns.latency.push(latency)
    this.blocked.push(blocked)
    if (this.cycles.length > MOST_COUNTED) this.thin()
    if (this.saturated !== undefined || this.deadlock !== undefined || this.offered === undefined || cycle < START)
      return
    const low = this.over(this.cycles.length - 1, SATURATED).accepted < SHARE * this.offered
    this.lowSince = low ? (this.lowSince ?? cycle) : undefined
    if (this.lowSince !== undefined && cycle - this.lowSince >= SATURATED / 2) this.saturated = cycle
  }
}
