// Student's t: the half width of a confidence interval over a few seeds ("The probable error of a mean", Student, 1908).
// The distribution function is a regularised incomplete beta function, computed by its continued fraction (modified Lentz); its inverse by bisection.

/** t such that a t-distributed value of `df` degrees of freedom lies within ±t with probability `confidence`. */
export function studentT(df: number, confidence = 0.95): number {
  let low = 0
  let high = 2
  while (within(high, df) < confidence) high *= 2
  for (let i = 0; i < 100 && high - low > 1e-12 * high; i++) {
    const middle = (low + high) / 2
    if (within(middle, df) < confidence) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** P(|T| <= t) */
function within(t: number, df: number): number {
  return 1 - incompleteBeta(df / (df + t * t), df / 2, 0.5)
}

function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x))
  return x < (a + 1) / (a + b + 2) ? (front * fraction(x, a, b)) / a : 1 - (front * fraction(1 - x, b, a)) / b
}

function fraction(x: number, a: number, b: number): number {
  const tiny = 1e-300
  let c = 1
  let d = 1 / nonZero(1 - ((a + b) * x) / (a + 1), tiny)
  let sum = d
  for (let m = 1; m <= 500; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 / nonZero(1 + even * d, tiny)
    c = nonZero(1 + even / c, tiny)
    sum *= d * c
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / nonZero(1 + odd * d, tiny)
    c = nonZero(1 + odd / c, tiny)
    sum *= d * c
    if (Math.abs(d * c - 1) < 1e-15) break
  }
  return sum
}

function nonZero(v: number, tiny: number): number {
  return Math.abs(v) < tiny ? tiny : v
}

/** Lanczos ("A precision approximation of the gamma function", 1964), g = 7, nine terms. */
function logGamma(z: number): number {
  const terms = [
    676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905, -0.13857109526572012,
    9.984369578019572e-6, 1.5056327351493116e-7,
  ]
  if (z < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * z)) - logGamma(1 - z)
  let sum = 0.9999999999998099
  terms.forEach((term, i) => {
    sum += term / (z + i)
  })
  const t = z + 6.5
  return 0.5 * Math.log(2 * Math.PI) + (z - 0.5) * Math.log(t) - t + Math.log(sum)
}

export interface Estimate {
  readonly mean: number
  /** half width of the 95 % confidence interval; NaN with fewer than two samples */
  readonly half: number
  readonly samples: number
}

export function estimate(samples: readonly number[]): Estimate {
  const n = samples.length
  const mean = samples.reduce((a, b) => a + b, 0) / n
  if (n < 2) return { mean, half: Number.NaN, samples: n }
  const variance = samples.reduce((a, b) => a + (b - mean) ** 2, 0) / (n - 1)
  return { mean, half: studentT(n - 1) * Math.sqrt(variance / n), samples: n }
}
