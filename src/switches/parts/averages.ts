// Moving averages of what outputs are asked for, one sample in each cycle: of all samples, and of the largest and the smallest of each interval. Cycles in
// which nobody asks are not sampled: they count as zeros when the next sample comes or an average is asked for.
//   metric = mean - (mean of the largest - mean of the smallest) / 2
// which is small for bursts, however high they are. Intervals are those of the clock, and count when they are over; what is missing in the beginning is 0.
// Columns:
//   averages [o * SIZE]   a record of one cache line for each output (AVERAGE)
//   samples  [o * N + t % N]  the last N samples
//   bounds   [(o * M + n) << 1]  largest and smallest of the last M intervals
import { i32, u8 } from "../../fabric/columns.ts"
import type { Sensing } from "../../model/congestion.ts"

/** Sum of the samples, of the largest and of the smallest; the cycles (their number) that the samples are known of; the interval that is running: its number,
 * largest, smallest, samples. */
export const AVERAGE = { sum: 0, topSum: 1, bottomSum: 2, known: 3, interval: 4, top: 5, bottom: 6, seen: 7, size: 8 } as const

export interface Averages {
  readonly columns: Readonly<Record<string, Int32Array | Uint8Array>>
  /** samples of cycle t follow */
  tick(t: number): void
  /** output o is asked for by `value` > 0 in this cycle */
  sample(o: number, value: number): void
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
    known: KNOWN,
    interval: NOW,
    top: TOP,
    bottom: BOTTOM,
    seen: SEEN,
    size: SIZE,
  } = AVERAGE
  const N = s.samples
  const I = s.interval
  const M = Math.max(1, Math.floor(N / I))
  const LIMIT = s.threshold * scale
  // whole requests of at most 64 inputs, or parts of them
  const samples = scale === 1 ? u8(outputs * N) : i32(outputs * N)
  const columns = { averages: i32(outputs * SIZE), samples, bounds: i32(2 * outputs * M) }
  const { averages: a, bounds } = columns
  // of this cycle
  let cycle = 0
  let slot = 0
  let interval = 0

  function tick(t: number): void {
    cycle = t
    slot = t % N
    interval = (t / I) | 0
  }

  function sample(o: number, value: number): void {
    const at = o * SIZE
    if (a[at + NOW] !== interval) close(at, o, interval)
    if (a[at + KNOWN] !== cycle) pass(at, o, cycle)
    const i = o * N + slot
    a[at + SUM]! += value - samples[i]!
    samples[i] = value
    a[at + KNOWN] = cycle + 1
    if (value > a[at + TOP]!) a[at + TOP] = value
    if (a[at + SEEN]!++ === 0 || value < a[at + BOTTOM]!) a[at + BOTTOM] = value
  }

  /** Nobody asked for o in the cycles from those that are known to t. */
  function pass(at: number, o: number, t: number): void {
    let c = a[at + KNOWN]!
    a[at + KNOWN] = t
    if (a[at + SUM] === 0) return
    if (t - c > N) c = t - N
    for (; c < t; c++) {
      const i = o * N + (c % N)
      a[at + SUM]! -= samples[i]!
      samples[i] = 0
    }
  }

  /** Intervals before number `now` are over. */
  function close(at: number, o: number, now: number): void {
    const was = a[at + NOW]!
    a[at + NOW] = now
    put(at, o, was % M, a[at + TOP]!, a[at + SEEN] === I ? a[at + BOTTOM]! : 0)
    a[at + TOP] = 0
    a[at + BOTTOM] = 0
    a[at + SEEN] = 0
    // those in which nobody asked
    const last = now - was > M ? was + M : now - 1
    for (let k = was + 1; k <= last; k++) put(at, o, k % M, 0, 0)
  }

  function put(at: number, o: number, n: number, most: number, least: number): void {
    const i = (o * M + n) << 1
    a[at + TOPS]! += most - bounds[i]!
    a[at + BOTTOMS]! += least - bounds[i + 1]!
    bounds[i] = most
    bounds[i + 1] = least
  }

  function value(o: number, t: number): number {
    const at = o * SIZE
    const now = (t / I) | 0
    if (a[at + NOW] !== now) close(at, o, now)
    if (a[at + KNOWN]! < t) pass(at, o, t)
    return a[at + SUM]! / N - (a[at + TOPS]! - a[at + BOTTOMS]!) / (2 * M)
  }

  function above(o: number, t: number): boolean {
    // without the bounds it is no smaller
    if (a[o * SIZE + SUM]! <= LIMIT * N) return false
    return value(o, t) > LIMIT
  }

  return { columns, tick, sample, above, metric: (o, t) => value(o, t) / scale }
}
