// Logarithms with every bit defined. ECMAScript leaves the last bits of Math.log and Math.exp to the implementation,
// and processors differ. These functions use only + - * / and floor of exact results, which IEEE 754 defines, so a seed
// gives the same run everywhere.
//
// `minusLog2` is -log2 of 32 random bits in fixed point, by a table of 1,024 steps with linear interpolation. `Factor`
// converts it into a time or a number of trials. All products are integers below 2^53, so a machine with only 32-bit
// integers obtains the same bits. Limits: the interpolation lies at most 1.8e-7 below the curve, so mean gaps are too
// long by a relative error of about 1e-7. No gap exceeds 32 ln 2 = 22 means.

import { warmUpJit } from "./jit-warmup.ts"

/** 2 atanh(s), that is ln((1 + s) / (1 - s)), for |s| <= 0.18: the series up to s^29. */
function twiceAtanh(s: number): number {
  const q = s * s
  let sum = 1 / 29
  for (let n = 27; n > 0; n -= 2) sum = sum * q + 1 / n
  return 2 * s * sum
}

/** ln(x) of a finite x > 0, to about 1e-16 of itself; -Infinity of 0. */
export function logarithm(x: number): number {
  if (!(x > 0 && x < Number.POSITIVE_INFINITY)) return x === 0 ? Number.NEGATIVE_INFINITY : x > 0 ? x : Number.NaN
  let power = 0
  for (; x > Math.SQRT2; x /= 2) power++
  for (; x < Math.SQRT1_2; x *= 2) power--
  return power * Math.LN2 + twiceAtanh((x - 1) / (x + 1))
}

/** -ln(1 - p) for p in 0..1, exact to the last digits for small p too: what is lost by 1 - p is not needed. */
export function minusLogOfRest(p: number): number {
  return p < 0.25 ? twiceAtanh(p / (2 - p)) : -logarithm(1 - p)
}

/** e^x, to about 1e-15 of itself: the series up to x^17 for |x| <= ln(2) / 2, times a power of two. */
export function exponential(x: number): number {
  if (!(x > -746 && x < 710)) return x < 0 ? 0 : x > 0 ? Number.POSITIVE_INFINITY : x
  const power = Math.round(x / Math.LN2)
  // ln 2 in two parts, the first with few bits: the difference keeps all of its own
  const rest = x - power * 0.6931471803691238 - power * 1.9082149292705877e-10
  let sum = 1
  for (let n = 17; n > 0; n--) sum = 1 + (sum * rest) / n
  for (let n = power; n > 0; n--) sum *= 2
  for (let n = power; n < 0; n++) sum /= 2
  return sum
}

/** One, in the fixed point of `minusLog2`. */
export const LOG_ONE = 2 ** 27
const STEPS = 1024
/** [i] -> log2(1 + i / STEPS) */
const table = Int32Array.from({ length: STEPS + 1 }, (_, i) =>
  Math.round((logarithm(1 + i / STEPS) / Math.LN2) * LOG_ONE),
)

/** -log2((bits + 1) / 2^32) in units of 2^-27, for 32 random bits: 0..2^32. Exponential, of mean 1 / ln 2; it falls
 *  with the bits. */
export function minusLog2(bits: number): number {
  const x = (bits + 1) | 0
  if (x === 0) return 0
  const zeros = Math.clz32(x)
  const mantissa = x << zeros
  const i = (mantissa >>> 21) & 1023
  const low = table[i]
  // 18 bits of slope by 21 bits of rest, times 2^-21
  return (zeros + 1) * 0x8000000 - low - Math.floor((table[i + 1] - low) * (mantissa & 0x1fffff) * 4.76837158203125e-7)
}

// the largest answers are no small integers
warmUpJit(() => minusLog2(0))

/** A positive number (or 0) by which logarithms are multiplied, rounded to 32 bits: two halves of 16 and a power of
 *  two, so that no product needs more than 53. */
export class Factor {
  private readonly high: number
  private readonly low: number
  private readonly scale: number
  /** `value`: what the product of 1 is to be, 1 being LOG_ONE. */
  constructor(value: number) {
    let mantissa = Math.min(value, Number.MAX_VALUE) / LOG_ONE
    let scale = 2 ** 16
    for (; mantissa > 0 && mantissa < 2 ** 31; mantissa *= 2) scale /= 2
    for (; mantissa >= 2 ** 32; mantissa /= 2) scale *= 2
    const whole = Math.min(2 ** 32 - 1, Math.round(mantissa))
    this.high = Math.floor(whole / 2 ** 16)
    this.low = whole - this.high * 2 ** 16
    this.scale = scale
  }
  /** floor(log * value), less at most one unit of the logarithm's last place. */
  times(log: number): number {
    // 2^-16: what 32 bits by 16 have beyond 32
    return Math.floor((log * this.high + Math.floor(log * this.low * 1.52587890625e-5)) * this.scale)
  }
}
