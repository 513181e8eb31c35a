// Quantiles of Student's t distribution, for confidence intervals of few batches. The relative error is below 1e-9 from
// 1 degree of freedom up. The tail is half the regularized incomplete beta function I_x(n/2, 1/2), x = n / (n + t^2).
// Its continued fraction is evaluated by the method of W. J. Lentz (1976). The logarithm of the gamma function uses the
// series of C. Lanczos (1964).
import { exponential, logarithm, minusLogOfRest } from "./logarithm.ts"

const lanczos = [
  676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059, 12.507343278686905,
  -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
]

function logGamma(x: number): number {
  let sum = 0.99999999999980993
  lanczos.forEach((c, i) => {
    sum += c / (x + i)
  })
  const t = x + lanczos.length - 1.5
  return (x - 0.5) * logarithm(t) - t + logarithm(Math.sqrt(2 * Math.PI) * sum)
}

function fraction(x: number, a: number, b: number): number {
  const tiny = 1e-300
  const away = (v: number): number => (Math.abs(v) < tiny ? tiny : v)
  let c = 1
  let d = 1 / away(1 - ((a + b) * x) / (a + 1))
  let product = d
  for (let m = 1; m < 1000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 / away(1 + even * d)
    c = away(1 + even / c)
    product *= c * d
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / away(1 + odd * d)
    c = away(1 + odd / c)
    product *= c * d
    if (Math.abs(c * d - 1) < 1e-15) break
  }
  return product
}

function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  const front = exponential(logGamma(a + b) - logGamma(a) - logGamma(b) + a * logarithm(x) - b * minusLogOfRest(x))
  // the fraction converges fast on this side of the mean only
  return x < (a + 1) / (a + b + 2) ? (front * fraction(x, a, b)) / a : 1 - (front * fraction(1 - x, b, a)) / b
}

/** P(T > t) for t >= 0 and `freedom` degrees of freedom. */
export function studentTail(t: number, freedom: number): number {
  return incompleteBeta(freedom / (freedom + t * t), freedom / 2, 0.5) / 2
}

/** The t that is exceeded with probability `tail`: studentQuantile(0.025, n) bounds a 95 % interval on both sides. */
export function studentQuantile(tail: number, freedom: number): number {
  if (!(tail > 0 && tail < 1 && freedom > 0)) return Number.NaN
  if (tail > 0.5) return -studentQuantile(1 - tail, freedom)
  let low = 0
  let high = 1
  while (studentTail(high, freedom) > tail) {
    low = high
    high *= 2
  }
  while (high - low > 1e-11 * high) {
    const middle = (low + high) / 2
    if (middle <= low || middle >= high) break
    if (studentTail(middle, freedom) > tail) low = middle
    else high = middle
  }
  return (low + high) / 2
}
