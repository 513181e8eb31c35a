// Student's t by hand: the regularised incomplete beta function by its continued fraction (Lentz's method as in "Numerical Recipes",
// Press, Teukolsky, Vetterling, Flannery, 1992, section 6.4), and the quantile by bisection, which cannot fail and runs rarely.

/** Probability that |T| with `df` degrees of freedom exceeds |t|. */
export function studentTail(t: number, df: number): number {
  return incompleteBeta(df / (df + t * t), df / 2, 0.5)
}

/** The t for which |T| stays below it with probability `confidence`: studentQuantile(0.95, 10) = 2.228. */
export function studentQuantile(confidence: number, df: number): number {
  const tail = 1 - confidence
  let high = 1
  while (studentTail(high, df) > tail) high *= 2
  let low = 0
  for (let i = 0; i < 200 && high - low > 1e-12 * high; i++) {
    const middle = (low + high) / 2
    if (studentTail(middle, df) > tail) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** I_x(a, b). The fraction converges fast for x below the mean, else the mirror image is taken. */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  const front = Math.exp(a * Math.log(x) + b * Math.log1p(-x) - lnBeta(a, b))
  return x < (a + 1) / (a + b + 2) ? (front * fraction(x, a, b)) / a : 1 - (front * fraction(1 - x, b, a)) / b
}

function fraction(x: number, a: number, b: number): number {
  const tiny = 1e-300
  const away = (v: number): number => (Math.abs(v) < tiny ? tiny : v)
  let c = 1
  let d = 1 / away(1 - ((a + b) * x) / (a + 1))
  let sum = d
  for (let m = 1; m <= 1000; m++) {
    for (const term of [
      (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m)),
      (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1)),
    ]) {
      d = 1 / away(1 + term * d)
      c = away(1 + term / c)
      sum *= c * d
    }
    if (Math.abs(c * d - 1) < 1e-15) break
  }
  return sum
}

function lnBeta(a: number, b: number): number {
  return lnGamma(a) + lnGamma(b) - lnGamma(a + b)
}

/** Lanczos' approximation with g = 7 and nine terms: 15 digits for positive arguments. */
const lanczos = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059, 12.507343278686905,
  -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
]
function lnGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - lnGamma(1 - x)
  const t = x + 6.5
  let sum = lanczos[0]!
  for (let i = 1; i < 9; i++) sum += lanczos[i]! / (x - 1 + i)
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(t) - t + Math.log(sum)
}
