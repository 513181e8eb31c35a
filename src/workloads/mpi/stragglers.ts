// Exposed communication, stragglers and tail of a job, from the communication and computing times of its ranks. The
// time of a rank is the sum of both. A synchronous job waits for its slowest rank, so each rank waits for the excess of
// the straggler over its own computing time.

/** Times in the unit of the input; NaN: no value, because a rank has not ended or no rank computes. */
export interface Stragglers {
  /** Fraction of the time of the ranks in which they did not compute. */
  readonly exposed: number
  /** The rank that computes longest, and its computing time relative to the mean; NaN: all ranks compute equally long. */
  readonly rank: number
  readonly excess: number
  /** Median and 99th percentile of the times of the ranks, and the longest relative to the median. */
  readonly p50: number
  readonly p99: number
  readonly tail: number
}

/** `communication[rank]` is negative if the rank has not ended. */
export function stragglersOf(communication: Float64Array, computing: Float64Array): Stragglers {
  const nothing = Number.NaN
  if (communication.some((t) => t < 0))
    return { exposed: nothing, rank: nothing, excess: nothing, p50: nothing, p99: nothing, tail: nothing }
  const ranks = communication.length
  const times = communication.map((t, r) => t + computing[r]).sort()
  const all = times.reduce((a, b) => a + b, 0)
  const computed = computing.reduce((a, b) => a + b, 0)
  const longest = computing.reduce((best, t, r) => (t > computing[best] ? r : best), 0)
  const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)]
  return {
    exposed: all > 0 ? (all - computed) / all : nothing,
    rank: computing.some((t) => t !== computing[0]) ? longest : nothing,
    excess: computed > 0 ? (computing[longest] * ranks) / computed : nothing,
    p50,
    p99,
    tail: p50 > 0 ? times[ranks - 1] / p50 : nothing,
  }
}

/** The smallest time that at least this fraction of the ranks does not exceed. `times` ascend. */
function percentile(times: Float64Array, fraction: number): number {
  return times[Math.ceil(fraction * times.length) - 1]
}
