// How much each output was asked for over time, as runs of cycles with one value: cycles in which nothing changes cost nothing. What is asked of them is
//   metric = mean - (mean of the largest - mean of the smallest) / 2
// over the last N cycles, largest and smallest of each interval of I cycles: small for bursts, however high they are. Intervals are those of the clock, and
// count when they are over; before the first run there is 0.
// Columns:
//   runs   [(o * K + n % K) << 1]  first cycle and value of run n
//   newest [o]                     how many there were
import { bitsFor } from "../../core/bitset.ts"
import { i32, scratch } from "../../fabric/columns.ts"
import type { Sensing } from "../../model/congestion.ts"

export interface Runs {
  readonly columns: { readonly runs: Int32Array; readonly newest: Int32Array }
  /** from cycle t on the value of o is this */
  set(o: number, value: number, t: number): void
  value(o: number): number
  /** the first cycle of the run that lasts */
  since(o: number): number
  /** whether the metric of o, without cycle t and those behind it, is above `threshold` */
  above(o: number, t: number): boolean
  /** the metric itself; for tests and reports */
  metric(o: number, t: number): number
  /** o begins anew */
  clear(o: number): void
}

/** `scale`: the value of one request. */
export function makeRuns(outputs: number, s: Pick<Sensing, "samples" | "interval" | "threshold">, scale: number): Runs {
  const N = s.samples
  const I = s.interval
  const M = Math.max(1, Math.floor(N / I))
  const LIMIT = s.threshold * scale
  // a run has a cycle at least
  const K = 2 ** bitsFor(N + I + 2)
  const MASK = K - 1
  const columns = { runs: i32(2 * outputs * K), newest: i32(outputs) }
  const { runs, newest } = columns
  // largest and smallest of the intervals that are over
  const tops = scratch(M)
  const bottoms = scratch(M)

  function set(o: number, value: number, t: number): void {
    const n = newest[o]!
    const last = (o * K + ((n - 1) & MASK)) << 1
    if (n === 0 ? value === 0 : runs[last + 1] === value) return
    const at = (o * K + (n & MASK)) << 1
    runs[at] = t
    runs[at + 1] = value
    newest[o] = n + 1
  }

  function value(o: number): number {
    return newest[o] === 0 ? 0 : runs[((o * K + ((newest[o]! - 1) & MASK)) << 1) + 1]!
  }

  function since(o: number): number {
    return newest[o] === 0 ? 0 : runs[(o * K + ((newest[o]! - 1) & MASK)) << 1]!
  }

  /** Of the last N cycles. */
  function sum(o: number, t: number): number {
    const from = t - N
    let end = t
    let all = 0
    for (let n = newest[o]! - 1; n >= 0 && end > from; n--) {
      const at = (o * K + (n & MASK)) << 1
      const start = runs[at]!
      all += runs[at + 1]! * (end - (start > from ? start : from))
      end = start
    }
    return all
  }

  /** Largest less smallest of the last M intervals, all together. */
  function spread(o: number, t: number): number {
    const now = (t / I) | 0
    tops.fill(0)
    bottoms.fill(LARGE)
    let end = now * I
    const from = (now - M) * I > 0 ? (now - M) * I : 0
    for (let n = newest[o]! - 1; n >= 0 && end > from; n--) {
      const at = (o * K + (n & MASK)) << 1
      if (runs[at]! >= end) continue
      const start = runs[at]! > from ? runs[at]! : from
      note(start, end, runs[at + 1]!)
      end = start
    }
    // before the first of them
    if (end > from) note(from, end, 0)
    let all = 0
    for (let k = 0; k < M; k++) if (bottoms[k] !== LARGE) all += tops[k]! - bottoms[k]!
    return all
  }

  function note(start: number, end: number, v: number): void {
    const last = ((end - 1) / I) | 0
    for (let k = (start / I) | 0; k <= last; k++) {
      const i = k % M
      if (v > tops[i]!) tops[i] = v
      if (v < bottoms[i]!) bottoms[i] = v
    }
  }

  function above(o: number, t: number): boolean {
    const all = sum(o, t)
    // without the bounds it is no smaller
    return all > LIMIT * N && all / N - spread(o, t) / (2 * M) > LIMIT
  }

  function clear(o: number): void {
    newest[o] = 0
  }

  return { columns, set, value, since, above, clear, metric: (o, t) => (sum(o, t) / N - spread(o, t) / (2 * M)) / scale }
}

const LARGE = 0x7fffffff
