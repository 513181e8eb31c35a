// Progress of a sweep: one live line on a terminal, and a plain line every 10 s elsewhere.
import { duration } from "../core/duration.ts"

export interface ProgressState {
  readonly total: number
  readonly known: number
  readonly done: number
  readonly failed: number
  readonly running: number
  /** sum of the fractions of the running runs */
  readonly partial: number
  readonly seconds: number
  readonly megabytes: number
}

/**
 * Returns the progress as one line. The remaining time assumes that the remaining runs take as long as those so far.
 */
export function progressText(s: ProgressState): string {
  const todo = s.total - s.known
  const rate = s.seconds > 0 ? s.done / s.seconds : 0
  const work = s.done + s.partial
  const togo = work > 0.05 ? (s.seconds * (todo - work)) / work : Number.NaN
  const parts = [
    `${s.done + s.known}/${s.total} done${s.known > 0 ? ` (${s.known} already stored)` : ""}`,
    s.failed > 0 ? `${s.failed} failed` : "",
    `${s.running} running`,
    `${Math.max(0, todo - s.done - s.running)} queued`,
    rate > 0 ? `${rate >= 1 ? rate.toFixed(1) : rate.toPrecision(2)} runs/s` : "",
    todo - s.done > 0 && Number.isFinite(togo) ? `${duration(Math.max(0, togo))} remaining` : "",
    s.megabytes > 0 ? `${Math.round(s.megabytes)} MB` : "",
  ]
  return parts.filter((p) => p !== "").join(" · ")
}

export function bar(fraction: number, width: number): string {
  const full = Math.max(0, Math.min(width, Math.round(fraction * width)))
  return "█".repeat(full) + "░".repeat(width - full)
}

export interface ProgressSink {
  readonly live: boolean
  readonly width: number
  write(text: string): void
}

const liveEvery = 100
const plainEvery = 10_000

export class Progress {
  private readonly sink: ProgressSink
  private last = -Infinity
  private drawn = false
  constructor(sink: ProgressSink) {
    this.sink = sink
  }
  /**
   * Shows the state, at most every 100 ms (terminal) or 10 s. The first plain line is delayed, so short sweeps print
   * none.
   */
  show(s: ProgressState, force = false): void {
    const now = performance.now()
    if (!force && now - this.last < (this.sink.live ? liveEvery : plainEvery)) return
    if (!this.sink.live && this.last === -Infinity && !force) {
      this.last = now
      return
    }
    this.last = now
    if (!this.sink.live) {
      this.sink.write(`${progressText(s)}\n`)
      return
    }
    const fraction = s.total === 0 ? 1 : (s.known + s.done + s.partial) / s.total
    const text = `${bar(fraction, 20)} ${progressText(s)}`
    this.sink.write(`\r\u001b[K${text.length < this.sink.width ? text : text.slice(0, this.sink.width - 1)}`)
    this.drawn = true
  }
  /** Removes the live line, so that the following output starts on an empty one. */
  clear(): void {
    if (this.drawn) this.sink.write("\r\u001b[K")
    this.drawn = false
  }
}
