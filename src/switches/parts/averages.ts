// Moving averages of what outputs are asked for, one sample in each cycle: of all samples, and of the largest and the smallest of each interval. Cycles in
// which nobody asks are not sampled: they count as zeros when an average is asked for.
//   metric = mean - (mean of the largest - mean of the smallest) / 2
// which is small for bursts, however high they are. Intervals are those of the clock, and count when they are over; what is missing in the beginning is 0.
// Columns:
//   when, what   [o * N + n]  cycles and values of the samples above 0 of the last N cycles: a ring from `first` to `next`
//   sum          [o]          of them
//   tops, bottoms [o * M + n] largest and smallest of the last M intervals, `topSum` and `bottomSum` of them
//   interval     [o]          the one that is running; its largest, smallest and number of samples: `top`, `bottom`, `seen`
import { i32, u16 } from "../../fabric/columns.ts"
import type { Sensing } from "../../model/congestion.ts"

export interface Averages {
  readonly columns: Readonly<Record<string, Int32Array | Uint16Array>>
  /** output o is asked for by `value` > 0 in cycle t */
  sample(o: number, value: number, t: number): void
  /** whether the metric of output o, before the sample of cycle t, is above `threshold` */
  above(o: number, t: number): boolean
  /** the metric itself; for tests and reports */
  metric(o: number, t: number): number
}

/** `scale`: the value of one request. */
export function makeAverages(outputs: number, s: Pick<Sensing, "samples" | "interval" | "threshold">, scale: number): Averages {
  const N = s.samples
  const I = s.interval
  const M = Math.max(1, Math.floor(N / I))
  const LIMIT = s.threshold * scale
  const columns = {
    when: i32(outputs * N),
    what: i32(outputs * N),
    first: u16(outputs),
    next: u16(outputs),
    live: u16(outputs),
    sum: i32(outputs),
    tops: i32(outputs * M),
    bottoms: i32(outputs * M),
    topSum: i32(outputs),
    bottomSum: i32(outputs),
    interval: i32(outputs),
    top: i32(outputs),
    bottom: i32(outputs),
    seen: u16(outputs),
  }
  const { when, what, first, next, live, sum, tops, bottoms, topSum, bottomSum, interval, top, bottom, seen } = columns

  function sample(o: number, value: number, t: number): void {
    close(o, t)
    expire(o, t)
    const n = next[o]!
    when[o * N + n] = t
    what[o * N + n] = value
    next[o] = n + 1 === N ? 0 : n + 1
    live[o]!++
    sum[o]! += value
    if (value > top[o]!) top[o] = value
    if (seen[o] === 0 || value < bottom[o]!) bottom[o] = value
    seen[o]!++
  }

  /** Samples of cycle t - N and before count no more. */
  function expire(o: number, t: number): void {
    while (live[o] !== 0) {
      const n = first[o]!
      if (when[o * N + n]! > t - N) return
      sum[o]! -= what[o * N + n]!
      first[o] = n + 1 === N ? 0 : n + 1
      live[o]!--
    }
  }

  /** Intervals before that of cycle t are over. */
  function close(o: number, t: number): void {
    const now = (t / I) | 0
    const was = interval[o]!
    if (now === was) return
    interval[o] = now
    put(o, was % M, top[o]!, seen[o] === I ? bottom[o]! : 0)
    top[o] = 0
    bottom[o] = 0
    seen[o] = 0
    // those in which nobody asked
    const last = now - was > M ? was + M : now - 1
    for (let k = was + 1; k <= last; k++) put(o, k % M, 0, 0)
  }

  function put(o: number, slot: number, most: number, least: number): void {
    const i = o * M + slot
    topSum[o]! += most - tops[i]!
    bottomSum[o]! += least - bottoms[i]!
    tops[i] = most
    bottoms[i] = least
  }

  function value(o: number, t: number): number {
    close(o, t)
    expire(o, t - 1)
    return sum[o]! / N - (topSum[o]! - bottomSum[o]!) / (2 * M)
  }

  return { columns, sample, above: (o, t) => value(o, t) > LIMIT, metric: (o, t) => value(o, t) / scale }
}
