// Moving averages of what outputs are asked for, one sample in each cycle: of all samples, and of the largest and the smallest of each interval. Cycles in
// which nobody asks are not sampled: they count as zeros when an average is asked for.
//   metric = mean - (mean of the largest - mean of the smallest) / 2
// which is small for bursts, however high they are. Intervals are those of the clock, and count when they are over; what is missing in the beginning is 0.
// Columns:
//   averages [o * SIZE]          a record of one cache line for each output (AVERAGE)
//   samples  [(o * N + n) << 1]  cycles and values of the samples above 0 of the last N cycles: a ring of `live` from `first` on
//   bounds   [(o * M + n) << 1]  largest and smallest of the last M intervals
import { i32 } from "../../fabric/columns.ts"
import type { Sensing } from "../../model/congestion.ts"

/** Sum of the samples, of the largest and of the smallest; the ring; the interval that is running: its number, largest, smallest, samples. */
export const AVERAGE = {
  sum: 0,
  topSum: 1,
  bottomSum: 2,
  first: 3,
  next: 4,
  live: 5,
  interval: 6,
  top: 7,
  bottom: 8,
  seen: 9,
  size: 16,
} as const

export interface Averages {
  readonly columns: Readonly<Record<string, Int32Array>>
  /** output o is asked for by `value` > 0 in cycle t */
  sample(o: number, value: number, t: number): void
  /** whether the metric of output o, before the sample of cycle t, is above `threshold` */
  above(o: number, t: number): boolean
  /** the metric itself; for tests and reports */
  metric(o: number, t: number): number
}

/** `scale`: the value of one request. */
export function makeAverages(outputs: number, s: Pick<Sensing, "samples" | "interval" | "threshold">, scale: number): Averages {
  const {
    sum: SUM,
    topSum: TOPS,
    bottomSum: BOTTOMS,
    first: HEAD,
    next: TAIL,
    live: LIVE,
    interval: NOW,
    top: TOP,
    bottom: BOTTOM,
  } = AVERAGE
  const { seen: SEEN, size: SIZE } = AVERAGE
  const N = s.samples
  const I = s.interval
  const M = Math.max(1, Math.floor(N / I))
  const LIMIT = s.threshold * scale
  const columns = { averages: i32(outputs * SIZE), samples: i32(2 * outputs * N), bounds: i32(2 * outputs * M) }
  const { averages: a, samples, bounds } = columns

  function sample(o: number, value: number, t: number): void {
    const at = o * SIZE
    if (a[at + NOW] !== ((t / I) | 0)) close(o, t)
    if (a[at + LIVE] !== 0) expire(o, t)
    const n = a[at + TAIL]!
    const i = (o * N + n) << 1
    samples[i] = t
    samples[i + 1] = value
    a[at + TAIL] = n + 1 === N ? 0 : n + 1
    a[at + LIVE]!++
    a[at + SUM]! += value
    if (value > a[at + TOP]!) a[at + TOP] = value
    if (a[at + SEEN]!++ === 0 || value < a[at + BOTTOM]!) a[at + BOTTOM] = value
  }

  /** Samples of cycle t - N and before count no more. */
  function expire(o: number, t: number): void {
    const at = o * SIZE
    while (a[at + LIVE] !== 0) {
      const n = a[at + HEAD]!
      const i = (o * N + n) << 1
      if (samples[i]! > t - N) return
      a[at + SUM]! -= samples[i + 1]!
      a[at + HEAD] = n + 1 === N ? 0 : n + 1
      a[at + LIVE]!--
    }
  }

  /** Intervals before that of cycle t are over. */
  function close(o: number, t: number): void {
    const at = o * SIZE
    const now = (t / I) | 0
    const was = a[at + NOW]!
    if (now === was) return
    a[at + NOW] = now
    put(o, was % M, a[at + TOP]!, a[at + SEEN] === I ? a[at + BOTTOM]! : 0)
    a[at + TOP] = 0
    a[at + BOTTOM] = 0
    a[at + SEEN] = 0
    // those in which nobody asked
    const last = now - was > M ? was + M : now - 1
    for (let k = was + 1; k <= last; k++) put(o, k % M, 0, 0)
  }

  function put(o: number, slot: number, most: number, least: number): void {
    const i = (o * M + slot) << 1
    a[o * SIZE + TOPS]! += most - bounds[i]!
    a[o * SIZE + BOTTOMS]! += least - bounds[i + 1]!
    bounds[i] = most
    bounds[i + 1] = least
  }

  function value(o: number, t: number): number {
    const at = o * SIZE
    close(o, t)
    expire(o, t - 1)
    return a[at + SUM]! / N - (a[at + TOPS]! - a[at + BOTTOMS]!) / (2 * M)
  }

  function above(o: number, t: number): boolean {
    // without the bounds it is no smaller
    if (a[o * SIZE + SUM]! <= LIMIT * N) return false
    return value(o, t) > LIMIT
  }

  return { columns, sample, above, metric: (o, t) => value(o, t) / scale }
}
