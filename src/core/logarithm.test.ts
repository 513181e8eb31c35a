import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { exponential, Factor, LOG_ONE, logarithm, minusLog2, minusLogOfRest } from "./logarithm.ts"

describe("functions of doubles", () => {
  const positive = fc.double({ min: 1e-300, max: 1e300, noNaN: true })
  test("ln is Math.log to some 1e-16 of itself, near 1 as well", () => {
    fc.assert(
      fc.property(positive, (x) => Math.abs(logarithm(x) - Math.log(x)) <= 5e-16 * Math.abs(Math.log(x)) + 1e-16),
    )
    fc.assert(
      fc.property(
        fc.double({ min: 0.5, max: 2, noNaN: true }),
        (x) => Math.abs(logarithm(x) - Math.log(x)) <= 1e-15 * Math.abs(Math.log(x)),
      ),
    )
    expect([1, 2, 0.5, 8, 0, -1].map(logarithm)).toEqual([
      0,
      Math.LN2,
      -Math.LN2,
      3 * Math.LN2,
      Number.NEGATIVE_INFINITY,
      Number.NaN,
    ])
  })
  test("-ln(1 - p) keeps its digits where p is small", () => {
    for (const p of [1e-300, 1e-18, 1e-9, 1e-3, 0.2, 0.25, 0.3, 0.5, 0.9, 0.999999])
      expect(Math.abs(minusLogOfRest(p) / -Math.log1p(-p) - 1)).toBeLessThan(5e-16)
    expect([0, 1].map(minusLogOfRest)).toEqual([0, Number.POSITIVE_INFINITY])
  })
  test("e^x is Math.exp to 1e-15 of itself, and 0 and infinite where that is", () => {
    fc.assert(
      fc.property(
        fc.double({ min: -700, max: 709, noNaN: true }),
        (x) => Math.abs(exponential(x) / Math.exp(x) - 1) <= 1e-15,
      ),
    )
    expect([0, -800, 800].map(exponential)).toEqual([1, 0, Number.POSITIVE_INFINITY])
  })
})

describe("-log2 of 32 random bits", () => {
  const true2 = (bits: number): number => 32 - Math.log2((bits >>> 0) + 1)

  test("the ends: 2^32 / 2^32 is 0, 2^31 / 2^32 is 1, 1 / 2^32 is 32", () => {
    expect([-1, 2 ** 31 - 1, 1, 0].map(minusLog2)).toEqual([0, LOG_ONE, 31 * LOG_ONE, 32 * LOG_ONE])
  })
  test(
    "never below the curve by more than its last place, never above by more " +
      "than the line between two steps, h^2 / 8 / ln 2",
    () => {
      const line = 1 / 1024 ** 2 / 8 / Math.LN2
      fc.assert(
        fc.property(fc.integer(), (bits) => {
          const off = minusLog2(bits) / LOG_ONE - true2(bits)
          return off >= -1 / LOG_ONE && off <= line + 2 / LOG_ONE
        }),
        { numRuns: 20_000 },
      )
    },
  )
  test("it falls with the bits: at every step of the table, and anywhere", () => {
    for (let power = 0; power < 32; power++)
      for (let i = 0; i < 1024; i++) {
        const x = Math.floor(2 ** power * (1 + i / 1024))
        expect(minusLog2(x - 1) >= minusLog2(x)).toBe(true)
        if (x > 1) expect(minusLog2(x - 2) >= minusLog2(x - 1)).toBe(true)
      }
    fc.assert(
      fc.property(
        fc.nat(2 ** 32 - 1),
        fc.nat(2 ** 32 - 1),
        (a, b) => minusLog2(Math.min(a, b)) >= minusLog2(Math.max(a, b)),
      ),
      { numRuns: 5000 },
    )
  })
  test("its mean over all 2^32 draws is 1 / ln 2, within 10^-6 of itself", () => {
    // x = 2^power (1 + (i + r) / 1024), r in steps of 2^-(power - 10): the line's mean over r is that of its two ends,
    // and floor takes off less than 1
    const at = (i: number): number =>
      2 * LOG_ONE - minusLog2(Math.min(2 ** 31 + i * 2 ** 21 - 1, 2 ** 32 - 2)) - LOG_ONE
    let sum = minusLog2(-1)
    for (let power = 0; power < 32; power++) {
      const inStep = 2 ** (power - 10)
      if (inStep < 1) {
        for (let x = 2 ** power; x < 2 ** (power + 1); x++) sum += minusLog2(x - 1)
        continue
      }
      for (let i = 0; i < 1024; i++) {
        const [low, high] = [at(i), i < 1023 ? at(i + 1) : LOG_ONE]
        sum += inStep * ((32 - power) * LOG_ONE - low - ((high - low) * (inStep - 1)) / inStep / 2 + 0.5)
      }
    }
    const mean = sum / 2 ** 32 / LOG_ONE
    const unknown = 0.5 / LOG_ONE // what floor takes off: between 0 and 1 place, 0.5 is in the sum
    expect(Math.abs(mean * Math.LN2 - 1) + unknown).toBeLessThan(1e-6)
    expect(Math.abs(mean * Math.LN2 - 1) + unknown).toBeLessThan(1.1e-7)
  })
})

describe("factors", () => {
  test("every step of a product is exact: the same in whole numbers of any length", () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-12, max: 1e12, noNaN: true }), fc.nat(2 ** 32), (value, log) => {
        const exact = new Factor(value).times(log)
        // the mantissa of 32 bits that stands for value / 2^27, found otherwise: by its power of two
        let power = 0
        while (value / LOG_ONE / 2 ** power >= 2 ** 32) power++
        while (value / LOG_ONE / 2 ** power < 2 ** 31) power--
        const mantissa = BigInt(Math.min(2 ** 32 - 1, Math.round(value / LOG_ONE / 2 ** power)))
        const product = BigInt(log) * (mantissa >> 16n) + ((BigInt(log) * (mantissa & 0xffffn)) >> 16n)
        const shift = power + 16
        return BigInt(exact) === (shift >= 0 ? product << BigInt(shift) : product >> BigInt(-shift))
      }),
      { numRuns: 3000 },
    )
  })
  test("1 becomes the value: exact for whole numbers of up to 32 bits; 0 makes all 0", () => {
    for (const n of [1, 2, 3, 1000, 65_535, 4_294_967_295]) expect(new Factor(n).times(LOG_ONE)).toBe(n)
    expect(new Factor(0).times(32 * LOG_ONE)).toBe(0)
    expect(new Factor(1e9).times(32 * LOG_ONE)).toBe(32e9)
    expect(new Factor(Number.POSITIVE_INFINITY).times(LOG_ONE)).toBeGreaterThan(1e300)
  })
})
