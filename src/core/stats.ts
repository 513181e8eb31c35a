// Means, variances and what they say. Accumulators merge, so that parts of a run may be counted apart.
import { studentQuantile } from "./student.ts"

/** Mean and variance in one pass: B. P. Welford, 1962; merged after T. F. Chan, G. H. Golub and R. J. LeVeque, 1979. */
export class Moments {
  n = 0
  mean = 0
  /** sum of squared distances from the mean */
  squares = 0
  min = Number.POSITIVE_INFINITY
  max = Number.NEGATIVE_INFINITY

  add(x: number): this {
    const off = x - this.mean
    this.mean += off / ++this.n
    this.squares += off * (x - this.mean)
    this.min = Math.min(this.min, x)
    this.max = Math.max(this.max, x)
    return this
  }

  addAll(values: ArrayLike<number>, from = 0, to = values.length): this {
    for (let i = from; i < to; i++) this.add(values[i])
    return this
  }

  merge(other: Moments): this {
    const n = this.n + other.n
    if (n === 0) return this
    const off = other.mean - this.mean
    this.squares += other.squares + (off * off * this.n * other.n) / n
    this.mean += (off * other.n) / n
    this.n = n
    this.min = Math.min(this.min, other.min)
    this.max = Math.max(this.max, other.max)
    return this
  }

  /** of the sample (n - 1); NaN for fewer than 2 values */
  get variance(): number {
    return this.n > 1 ? this.squares / (this.n - 1) : Number.NaN
  }
  get deviation(): number {
    return Math.sqrt(this.variance)
  }
  /** Half width of the confidence interval of the mean, if the values are independent; infinite for fewer than 2. */
  half(confidence = 0.95): number {
    if (this.n < 2) return Number.POSITIVE_INFINITY
    return studentQuantile((1 - confidence) / 2, this.n - 1) * Math.sqrt(this.variance / this.n)
  }
}

/** Correlation of a series with itself `lag` values later; NaN for a constant or too short a series. */
export function autocorrelation(values: ArrayLike<number>, lag: number, from = 0): number {
  const n = values.length
  const { mean, squares } = new Moments().addAll(values, from)
  if (n - from <= lag || squares === 0) return Number.NaN
  let sum = 0
  for (let i = from; i + lag < n; i++) sum += (values[i] - mean) * (values[i + lag] - mean)
  return sum / squares
}

/** Third central moment over the cube of the deviation; 0 for a constant series. */
export function skewness(values: ArrayLike<number>): number {
  const { n, mean, squares } = new Moments().addAll(values)
  if (squares === 0) return 0
  let cubes = 0
  for (let i = 0; i < n; i++) cubes += (values[i] - mean) ** 3
  return cubes / n / (squares / n) ** 1.5
}

/** Fairness of shares: 1 if all are equal, 1/n if one has everything (R. Jain, D. Chiu and W. Hawe, 1984). NaN if all
 *  are 0. */
export function jain(values: ArrayLike<number>): number {
  let sum = 0
  let squares = 0
  for (let i = 0; i < values.length; i++) {
    sum += values[i]
    squares += values[i] ** 2
  }
  return squares === 0 ? Number.NaN : (sum * sum) / (values.length * squares)
}

/** Slope of the least-squares line through (0, y0), (1, y1), … and the standard error of that slope. */
export function trend(values: ArrayLike<number>, from = 0): { slope: number; error: number } {
  const n = values.length - from
  if (n < 3) return { slope: Number.NaN, error: Number.NaN }
  const middle = (n - 1) / 2
  const { mean, squares } = new Moments().addAll(values, from)
  let cross = 0
  for (let i = 0; i < n; i++) cross += (i - middle) * (values[from + i] - mean)
  const spread = (n * (n * n - 1)) / 12 // sum of (i - middle)^2
  const slope = cross / spread
  const rest = Math.max(0, squares - slope * cross)
  return { slope, error: Math.sqrt(rest / (n - 2) / spread) }
}
