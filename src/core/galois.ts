// Finite fields GF(q), q = p^m, as log and antilog tables of a primitive element. Elements are the integers 0..q-1 read
// as digits in base p: the polynomial a_0 + a_1 x + … is a_0 + a_1 p + …. Sums of elements that are neither mod p nor
// bitwise go through Zech logarithms (1 + xi^n = xi^zech[n]), so every table has q entries and none has q². Limits: q
// up to 65,536.

export const largestField = 65_536

/** q = p^m with p prime, or undefined. */
export function primePower(q: number): { p: number; m: number } | undefined {
  if (!Number.isInteger(q) || q < 2) return undefined
  let p = q
  for (let d = 2; d * d <= q; d++) {
    if (q % d === 0) {
      p = d
      break
    }
  }
  let m = 0
  for (let rest = q; rest > 1; rest /= p, m++) if (rest % p !== 0) return undefined
  return { p, m }
}

/** The prime powers just below and above `q` that `fits` accepts, nearest first. */
export function nearPrimePowers(q: number, fits: (q: number) => boolean): number[] {
  const found: number[] = []
  for (let d = 1; d < q && found.length < 1; d++) if (primePower(q - d) !== undefined && fits(q - d)) found.push(q - d)
  for (let d = 1; found.length < 2 && q + d <= 2 * largestField; d++) {
    if (primePower(q + d) !== undefined && fits(q + d)) {
      found.push(q + d)
      break
    }
  }
  return found.sort((a, b) => Math.abs(a - q) - Math.abs(b - q))
}

export class GaloisField {
  readonly q: number
  readonly p: number
  readonly m: number
  /** monic primitive polynomial, coefficients from the constant up without the leading 1; for a prime field [-xi] */
  readonly polynomial: readonly number[]
  /** the primitive element: its powers are all elements but 0 */
  readonly xi: number
  /** [n] -> xi^n, twice over so that a sum of two logarithms needs no reduction */
  readonly exp: Uint16Array
  /** [element] -> n with xi^n = element; [0] is not used */
  readonly log: Uint16Array
  private readonly zech: Int32Array

  constructor(q: number) {
    const power = primePower(q)
    if (power === undefined || q > largestField)
      throw new Error(`there is no field of ${q} elements here: call primePower() first`)
    this.q = q
    this.p = power.p
    this.m = power.m
    this.exp = new Uint16Array(2 * q)
    this.log = new Uint16Array(q)
    this.polynomial = this.search()
    this.xi = this.m === 1 ? (this.p - this.polynomial[0]) % this.p : this.p
    this.zech = new Int32Array(q)
    if (this.m > 1 && this.p > 2) {
      const { exp, log, p } = this
      for (let n = 0; n < q - 1; n++) {
        const digit = exp[n] % p
        const plusOne = digit === p - 1 ? exp[n] - digit : exp[n] + 1
        this.zech[n] = plusOne === 0 ? -1 : log[plusOne]
      }
    }
  }

  add(a: number, b: number): number {
    if (this.p === 2) return a ^ b
    if (this.m === 1) return a + b < this.p ? a + b : a + b - this.p
    if (a === 0) return b
    if (b === 0) return a
    const from = this.log[a]
    const apart = this.log[b] - from
    const z = this.zech[apart < 0 ? apart + this.q - 1 : apart]
    return z < 0 ? 0 : this.exp[from + z]
  }

  neg(a: number): number {
    if (a === 0 || this.p === 2) return a
    // -1 = xi^((q-1)/2) where p is odd
    return this.m === 1 ? this.p - a : this.exp[this.log[a] + (this.q - 1) / 2]
  }

  sub(a: number, b: number): number {
    return this.add(a, this.neg(b))
  }

  mul(a: number, b: number): number {
    return a === 0 || b === 0 ? 0 : this.exp[this.log[a] + this.log[b]]
  }

  /** a / b; b is not 0. */
  div(a: number, b: number): number {
    return a === 0 ? 0 : this.exp[this.log[a] + this.q - 1 - this.log[b]]
  }

  /** Tries constant terms and coefficients in ascending order (constant first) until the powers of x, or of the root,
   *  run through all q-1 elements. */
  private search(): number[] {
    if (this.q === 2) {
      this.walk([1])
      return [1]
    }
    if (this.m === 1) {
      for (let root = 2; ; root++) if (this.walk([this.p - root])) return [this.p - root]
    }
    const { p, m } = this
    const low = new Array<number>(m).fill(0)
    low[0] = 1
    for (;;) {
      if (this.walk(low)) return low
      let i = m - 1
      while (low[i] === p - 1) low[i--] = 0
      low[i]++
    }
  }

  /** Fills the tables with powers of the root of `low`; false if they come back to 1 too early. */
  private walk(low: readonly number[]): boolean {
    const { q, p, exp, log } = this
    const top = q / p
    let a = 1
    for (let n = 0; n < q - 1; n++) {
      if (n > 0 && a === 1) return false
      exp[n] = a
      log[a] = n
      // times x: shift the digits up, then subtract the leading digit times the polynomial
      const lead = Math.floor(a / top)
      let next = 0
      let rest = (a % top) * p
      let place = 1
      for (let i = 0; i < low.length; i++) {
        next += (((rest % p) + lead * (p - low[i])) % p) * place
        rest = Math.floor(rest / p)
        place *= p
      }
      a = next
    }
    if (a !== 1) return false
    exp.copyWithin(q - 1, 0, q - 1)
    return true
  }
}
