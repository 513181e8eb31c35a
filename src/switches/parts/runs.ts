// The contention metric of CBCM (contention-counters.ts), computed from runs of cycles with a constant value. Cycles
// without a change cost nothing. Over the last N cycles, with the maximum and minimum of each interval of I cycles:
//   metric = mean - (mean of the maxima - mean of the minima) / 2
// The metric stays small for bursts, however high they are. Intervals are aligned to the clock and count once they are
// over; the value before the first run is 0.
//
// Columns:
//   `runs`    [(o * K + n % K) << 1]  first cycle and value of run n of output o;
//   `newest`  [o]                     number of runs so far.
import { bitsFor } from "../../core/bitset.ts"
import { i32, scratch } from "../../fabric/columns.ts"
import type { ContentionCounting } from "../../model/congestion.ts"

export interface Runs {
  readonly columns: { readonly runs: Int32Array; readonly newest: Int32Array }
  /** Sets the value of o from cycle t on. */
  set(o: number, value: number, t: number): void
  value(o: number): number
  /** Returns the first cycle of the current run. */
  since(o: number): number
  /** Returns whether the metric of o over the cycles before t is above `threshold`. */
  above(o: number, t: number): boolean
  /** Returns the metric, for tests and reports. */
  metric(o: number, t: number): number
  /** Resets o to the value 0. */
  clear(o: number): void
}

/** `scale` is the value of one request. */
export function makeRuns(
  outputs: number,
  s: Pick<ContentionCounting, "samples" | "interval" | "threshold">,
  scale: number,
): Runs {
  const N = s.samples
  const I = s.interval
  const M = Math.max(1, Math.floor(N / I))
  const LIMIT = s.threshold * scale
  // A run has at least one cycle, so K runs always cover the last N + I cycles.
  const K = 2 ** bitsFor(N + I + 2)
  const MASK = K - 1
  const columns = { runs: i32(2 * outputs * K), newest: i32(outputs) }
  const { runs, newest } = columns
  // Maxima and minima of the intervals that are over.
  const tops = scratch(M)
  const bottoms = scratch(M)

  function set(o: number, value: number, t: number): void {
    const n = newest[o]
    const last = (o * K + ((n - 1) & MASK)) << 1
    if (n === 0 ? value === 0 : runs[last + 1] === value) return
    const at = (o * K + (n & MASK)) << 1
    runs[at] = t
    runs[at + 1] = value
    newest[o] = n + 1
  }

  function value(o: number): number {
    return newest[o] === 0 ? 0 : runs[((o * K + ((newest[o] - 1) & MASK)) << 1) + 1]
  }

  function since(o: number): number {
    return newest[o] === 0 ? 0 : runs[(o * K + ((newest[o] - 1) & MASK)) << 1]
  }

  /** Returns the sum over the last N cycles. */
  function sum(o: number, t: number): number {
    const from = t - N
    let end = t
    let all = 0
    for (let n = newest[o] - 1; n >= 0 && end > from; n--) {
      const at = (o * K + (n & MASK)) << 1
      const start = runs[at]
      all += runs[at + 1] * (end - (start > from ? start : from))
      end = start
    }
    return all
  }

  /** Returns the sum of (maximum - minimum) over the last M intervals. */
  function spread(o: number, t: number): number {
    const now = (t / I) | 0
    tops.fill(0)
    bottoms.fill(LARGE)
    let end = now * I
    const from = (now - M) * I > 0 ? (now - M) * I : 0
    for (let n = newest[o] - 1; n >= 0 && end > from; n--) {
      const at = (o * K + (n & MASK)) << 1
      if (runs[at] >= end) continue
      const start = runs[at] > from ? runs[at] : from
      note(start, end, runs[at + 1])
      end = start
    }
    // Before the first run the value was 0.
    if (end > from) note(from, end, 0)
    let all = 0
    for (let k = 0; k < M; k++) if (bottoms[k] !== LARGE) all += tops[k] - bottoms[k]
    return all
  }

  /** Applies value v of cycles [start, end) to the maxima and minima of its intervals. */
  function note(start: number, end: number, v: number): void {
    const last = ((end - 1) / I) | 0
    for (let k = (start / I) | 0; k <= last; k++) {
      const i = k % M
      if (v > tops[i]) tops[i] = v
      if (v < bottoms[i]) bottoms[i] = v
    }
  }

  function above(o: number, t: number): boolean {
    const all = sum(o, t)
    // The spread only lowers the metric, so the mean alone can rule it out without computing the spread.
    return all > LIMIT * N && all / N - spread(o, t) / (2 * M) > LIMIT
  }

  function clear(o: number): void {
    newest[o] = 0
  }

  return {
    columns,
    set,
    value,
    since,
    above,
    clear,
    metric: (o, t) => (sum(o, t) / N - spread(o, t) / (2 * M)) / scale,
  }
}

const LARGE = 0x7fffffff
