// What a correlated series of observations says about its mean: where its warm-up ends, and how well the mean is known.
import { autocorrelation, Moments } from "./stats.ts"

/** Means of `batches` equal batches of values[from..]; what does not fill a batch is left out at the front, where warm-up would linger. */
export function batchMeans(values: ArrayLike<number>, batches: number, from = 0): Float64Array {
  const size = Math.floor((values.length - from) / batches)
  if (size < 1) return new Float64Array(0)
  const start = values.length - size * batches
  const means = new Float64Array(batches)
  for (let b = 0; b < batches; b++) means[b] = new Moments().addAll(values, start + b * size, start + (b + 1) * size).mean
  return means
}

export interface Estimate {
  readonly mean: number
  /** half width of the confidence interval */
  readonly half: number
  readonly batches: number
  /** correlation of neighbouring batch means: near 0 if the batches are long enough for `half` to be believed */
  readonly correlation: number
}

/** The mean and its confidence interval by batch means (A. M. Law and J. S. Carson, 1979). */
export function estimate(values: ArrayLike<number>, batches = 20, confidence = 0.95, from = 0): Estimate {
  const means = batchMeans(values, batches, from)
  const moments = new Moments().addAll(means)
  return { mean: moments.mean, half: moments.half(confidence), batches: means.length, correlation: autocorrelation(means, 1) }
}

/**
 * How many of the first values to discard: MSER-m (K. P. White, M. J. Cobb and S. C. Spratt, 2000). Of all cuts in the first half of the series,
 * the one that makes the standard error of the mean of the rest least, in means of `group` values. -1: the best cut is at the very end of the
 * half that was searched, so the series is too short to tell.
 */
export function mser(values: ArrayLike<number>, group = 5): number {
  const n = Math.floor(values.length / group)
  if (n < 4) return -1
  const means = batchMeans(values, n)
  const start = values.length - n * group
  const rest = new Moments()
  const half = Math.floor(n / 2)
  let best = 0
  let least = Number.POSITIVE_INFINITY
  for (let cut = n - 1; cut >= 0; cut--) {
    rest.add(means[cut]!)
    const error = rest.squares / rest.n ** 2
    if (cut <= half && error <= least) {
      least = error
      best = cut
    }
  }
  return best === half ? -1 : best === 0 ? 0 : start + best * group
}
