import fc from "fast-check"
import { expect, test } from "vitest"
import { autoregressive, normals } from "../../test/support/series.ts"
import { autocorrelation, jain, Moments, trend } from "./stats.ts"

const values = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1, maxLength: 50 })

test("2, 4, 4, 4, 5, 5, 7, 9: mean 5, squares 32", () => {
  const m = new Moments().addAll([2, 4, 4, 4, 5, 5, 7, 9])
  expect([m.n, m.mean, m.min, m.max]).toEqual([8, 5, 2, 9])
  expect(m.squares).toBeCloseTo(32, 12)
  expect(m.variance).toBeCloseTo(32 / 7, 12)
  // t(0.025; 7) = 2.364624 times sqrt(32/7/8)
  expect(m.half()).toBeCloseTo(2.364624 * Math.sqrt(32 / 56), 5)
})

test("merged parts are the whole, in any cut", () => {
  fc.assert(
    fc.property(values, values, (a, b) => {
      const whole = new Moments().addAll([...a, ...b])
      const parts = new Moments().addAll(a).merge(new Moments().addAll(b)).merge(new Moments())
      expect(parts.n).toBe(whole.n)
      expect(parts.mean).toBeCloseTo(whole.mean, 8)
      expect(parts.squares / (1 + whole.squares)).toBeCloseTo(whole.squares / (1 + whole.squares), 8)
      expect([parts.min, parts.max]).toEqual([whole.min, whole.max])
    }),
  )
})

test("a large offset does not eat the variance", () => {
  expect(new Moments().addAll([1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16]).variance).toBeCloseTo(30, 6)
})

test("one value has a mean and no interval", () => {
  const one = new Moments().add(3)
  expect([one.mean, one.half()]).toEqual([3, Number.POSITIVE_INFINITY])
  expect(one.variance).toBeNaN()
})

test("the 95 % interval of independent values covers the mean in 95 % of 4000 trials", () => {
  let covered = 0
  for (let i = 0; i < 4000; i++) {
    const m = new Moments().addAll(normals(i, 8))
    if (Math.abs(m.mean) <= m.half()) covered++
  }
  expect(Math.abs(covered / 4000 - 0.95)).toBeLessThan(0.014) // 4 * sqrt(0.95 * 0.05 / 4000)
})

test("autocorrelation: alternating, known, and AR(1) gives phi^lag", () => {
  // 1, -1, 1, -1: sum of 3 products of -1 over 4 squares
  expect(autocorrelation([1, -1, 1, -1], 1)).toBe(-0.75)
  expect(autocorrelation([9, 1, -1, 1, -1], 1, 1)).toBe(-0.75)
  const x = autoregressive(3, 100_000, 0.7, 10)
  expect(autocorrelation(x, 1)).toBeCloseTo(0.7, 1)
  expect(autocorrelation(x, 3)).toBeCloseTo(0.343, 1)
  expect(autocorrelation([5, 5, 5], 1)).toBeNaN()
  expect(autocorrelation([1, 2], 2)).toBeNaN()
})

test("Jain: equal 1, one of four 1/4, (1, 2, 3): 36 / (3 * 14)", () => {
  expect(jain([7, 7, 7, 7])).toBe(1)
  expect(jain([0, 0, 5, 0])).toBe(0.25)
  expect(jain(Uint32Array.of(1, 2, 3))).toBeCloseTo(36 / 42, 12)
  expect(jain([0, 0])).toBeNaN()
})

test("trend: 1, 3, 5 rises by 2 exactly; 0, 1, 0 by nothing; slopes of noise are within 2.5 errors in 98 %", () => {
  expect(trend([1, 3, 5])).toEqual({ slope: 2, error: 0 })
  expect(trend([9, 9, 0, 1, 0], 2).slope).toBe(0)
  // residuals of 0, 1, 0 about 1/3: squares 2/3, one degree of freedom, spread 2
  expect(trend([0, 1, 0]).error).toBeCloseTo(Math.sqrt(2 / 3 / 2), 12)
  let within = 0
  for (let i = 0; i < 2000; i++) {
    const { slope, error } = trend(normals(i, 30))
    if (Math.abs(slope) < 2.5 * error) within++
  }
  expect(within / 2000).toBeGreaterThan(0.97) // Student's t with 28 degrees: 0.9814
  expect(trend([1, 2]).slope).toBeNaN()
})
