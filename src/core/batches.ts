// What a correlated series of observations says about its mean: where its warm-up ends, and how well the mean is known.
import { autocorrelation, Moments, skewness } from "./stats.ts"
import { studentQuantile } from "./student.ts"

/** Means of `batches` equal batches of values[from..]; what does not fill a batch is left out at the front, where
 *  warm-up would linger. */
export function batchMeans(values: ArrayLike<number>, batches: number, from = 0): Float64Array {
  const size = Math.floor((values.length - from) / batches)
  if (size < 1) return new Float64Array(0)
  const start = values.length - size * batches
  const means = new Float64Array(batches)
  for (let b = 0; b < batches; b++)
    means[b] = new Moments().addAll(values, start + b * size, start + (b + 1) * size).mean
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

/** Returns the mean and its confidence interval by batch means: A. M. Law and J. S. Carson (1979). */
export function estimate(values: ArrayLike<number>, batches = 20, confidence = 0.95, from = 0): Estimate {
  const means = batchMeans(values, batches, from)
  const moments = new Moments().addAll(means)
  return {
    mean: moments.mean,
    half: moments.half(confidence),
    batches: means.length,
    correlation: autocorrelation(means, 1),
  }
}

/** What a series of (sum, count) says about the mean of all that was counted; `rest`: what each group lies off it. */
export interface RatioEstimate extends Estimate {
  readonly rest: Float64Array
}

/**
 * The mean of what was counted, sum(sums) / sum(counts), and its confidence interval: batch means of a ratio (M. A.
 * Crane and D. L. Iglehart, 1975). A batch that counted more weighs more, as it does in the mean. Batches are joined
 * into `groups` or up to twice as many; undefined if there are fewer.
 *
 * Three things widen the interval. Neighbouring groups are correlated: a first-order process with the correlation r has
 * (1 + r) / (1 - r) times the variance in its mean, and r is itself estimated too low by about 1/n. Few groups:
 * Student's t. Groups are skewed, so that a low mean comes with a low variance: the upper end of the interval lies
 * further away by the first term of an Edgeworth expansion (N. J. Johnson, 1978; P. Hall, 1992), and the half width is
 * that of this end.
 */
export function ratioEstimate(
  sums: ArrayLike<number>,
  counts: ArrayLike<number>,
  groups: number,
  confidence = 0.95,
): RatioEstimate | undefined {
  const size = Math.floor(sums.length / groups)
  if (size < 1) return undefined
  const n = Math.floor(sums.length / size)
  const s = batchMeans(sums, n)
  const c = batchMeans(counts, n)
  const all = new Moments().addAll(c).mean
  const mean = new Moments().addAll(s).mean / all
  const rest = s.map((x, i) => (x - mean * c[i]) / all)
  const moments = new Moments().addAll(rest)
  const correlation = autocorrelation(rest, 1)
  const r = Math.min(MOST_CORRELATED, Math.max(0, (Number.isNaN(correlation) ? 0 : correlation) + 1 / n))
  const more = (1 + r) / (1 - r)
  const t = studentQuantile((1 - confidence) / 2, n - 1)
  const skew = ((LOW_SKEW * Math.max(0, skewness(rest))) / (6 * Math.sqrt(n / more))) * (2 * t * t + 1)
  return { mean, half: (t + skew) * Math.sqrt((more * moments.variance) / n), batches: n, correlation, rest }
}

/**
 * Returns the half width of the interval of a latency whose measurement ended because its interval was narrow. Such a
 * measurement tends to end where the latency is below its true mean, because the standard deviation of
 * the mean latency of a queue grows with the square of that mean (W. Whitt, Planning queueing simulations, 1989). The
 * upper end is therefore the mean whose own deviation would just explain the measured one: with the relative half
 * widths h (given) and x (returned), x = h · (1 + x)². From h = 1/4 on, 1 + x is limited to 2.
 */
export function halfAfterStopping({ mean, half }: Pick<Estimate, "mean" | "half">): number {
  const h = half / mean
  return h > 1 / 4 ? 4 * half : (2 * half) / (1 - 2 * h + Math.sqrt(1 - 4 * h))
}

/** Skewness of a few dozen values is estimated too low: of 30 exponential ones by this factor. */
const LOW_SKEW = 1.5
/** With more correlation than this a drift cannot be detected. */
const MOST_CORRELATED = 0.9

/**
 * Returns how many of the first values to discard, by MSER-m (K. P. White, M. J. Cobb and S. C. Spratt, 2000). It works
 * on means of `group` values. Among all cuts in the first half of the series it takes the one that minimises the
 * standard error of the mean of the remaining values. Returns -1 if the best cut is at the very end of that half,
 * because the series is then too short for a decision.
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
    rest.add(means[cut])
    const error = rest.squares / rest.n ** 2
    if (cut <= half && error <= least) {
      least = error
      best = cut
    }
  }
  return best === half ? -1 : best === 0 ? 0 : start + best * group
}
