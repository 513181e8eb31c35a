import fc from "fast-check"
import { expect, test } from "vitest"
import { BINS, bin, EXACT_BELOW, Histogram, lowestOf, middleOf, RELATIVE_ERROR } from "./histogram.ts"

const value = fc.oneof(fc.nat(300), fc.nat(100_000), fc.nat(2147483647))

test("bins are in order, without gaps, exact below 256, and 2^31 - 1 is in the last", () => {
  for (let v = 0; v < EXACT_BELOW; v++) expect(bin(v)).toBe(v)
  for (let b = 1; b < BINS; b++) {
    expect(bin(lowestOf(b))).toBe(b)
    expect(bin(lowestOf(b) - 1)).toBe(b - 1)
  }
  expect(bin(2147483647)).toBe(BINS - 1)
})

test("the middle of a bin is within 0.4 % of every value in it", () => {
  expect(RELATIVE_ERROR).toBe(1 / 256)
  fc.assert(fc.property(value, (v) => Math.abs(middleOf(bin(v)) - v) <= RELATIVE_ERROR * v))
})

test("quantiles of 1..100 are 50, 90, 99, 100", () => {
  const h = new Histogram()
  for (let v = 1; v <= 100; v++) h.add(v)
  expect([0, 0.5, 0.9, 0.99, 0.999, 1].map((q) => h.quantile(q))).toEqual([1, 50, 90, 99, 100, 100])
  expect(h.mean()).toBe(50.5)
})

test("quantiles agree with the sorted list to the stated error, merged or not", () => {
  fc.assert(
    fc.property(
      fc.array(value, { minLength: 1, maxLength: 200 }),
      fc.array(value, { maxLength: 50 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (a, b, q) => {
        const one = new Histogram()
        const two = new Histogram()
        for (const v of a) one.add(v)
        for (const v of b) two.add(v)
        one.merge(two)
        const all = [...a, ...b].sort((x, y) => x - y)
        expect(one.total).toBe(all.length)
        const exact = all[Math.max(0, Math.ceil(q * all.length) - 1)]
        expect(Math.abs(one.quantile(q) - exact)).toBeLessThanOrEqual(RELATIVE_ERROR * exact)
        const mean = all.reduce((s, v) => s + v, 0) / all.length
        expect(Math.abs(one.mean() - mean)).toBeLessThanOrEqual(RELATIVE_ERROR * mean + 1e-9)
      },
    ),
  )
})

test("empty, and values out of range", () => {
  const h = new Histogram()
  expect(h.quantile(0.5)).toBeNaN()
  expect(h.mean()).toBeNaN()
  h.add(-5)
  h.add(1e12)
  expect(h.counts[0]).toBe(1)
  expect(h.counts[BINS - 1]).toBe(1)
})
