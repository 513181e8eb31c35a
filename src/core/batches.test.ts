import { expect, test } from "vitest"
import { autoregressive } from "../../test/support/series.ts"
import { batchMeans, estimate, halfAfterStopping, mser } from "./batches.ts"

test("batches of 2 out of 7 values: the first is left out", () => {
  expect([...batchMeans([99, 1, 3, 5, 7, 9, 11], 3)]).toEqual([2, 6, 10])
  expect([...batchMeans([99, 99, 1, 3, 5, 7], 2, 2)]).toEqual([2, 6])
  expect(batchMeans([1, 2], 3)).toHaveLength(0)
})

test("estimate of 2, 6, 10: mean 6, half width t(0.025; 2) * 4 / sqrt(3)", () => {
  const e = estimate([1, 3, 5, 7, 9, 11], 3)
  expect(e.mean).toBe(6)
  expect(e.half).toBeCloseTo((4.302653 * 4) / Math.sqrt(3), 5)
  expect(e.batches).toBe(3)
  expect(e.correlation).toBe(0) // (-4 * 0 + 0 * 4) / 32
})

test("the half width after stopping solves x = h (1 + x)^2, and is 4 h where that has no solution", () => {
  const of = (half: number) => halfAfterStopping({ mean: 100, half })
  for (const half of [1, 2, 10, 24]) expect(of(half)).toBeCloseTo((half / 100) * (100 + of(half)) ** 2 * 0.01, 9)
  expect(of(16)).toBeCloseTo(25, 9) // 0.16 * 1.25^2 = 0.25
  expect([0, 25, 30].map(of)).toEqual([0, 100, 120])
})

// AR(1) with phi = 0.9: batches of 200 values are nearly independent (correlation time 19), single values are not.
test("batch means cover the mean of a correlated series where plain values do not", () => {
  let batched = 0
  let plain = 0
  const trials = 400
  for (let i = 0; i < trials; i++) {
    const x = autoregressive(i, 4000, 0.9, 50)
    const e = estimate(x, 20)
    const p = estimate(x, 4000)
    if (Math.abs(e.mean - 50) <= e.half) batched++
    if (Math.abs(p.mean - 50) <= p.half) plain++
  }
  expect(batched / trials).toBeGreaterThan(0.9) // 0.95 - 4 * 0.011
  expect(plain / trials).toBeLessThan(0.6) // sqrt(19) too narrow: 35 %
})

test("mser finds the end of an exponential warm-up and leaves a steady series alone", () => {
  let cut = 0
  let steady = 0
  for (let i = 0; i < 50; i++) {
    // from 100 down to 10 with phi = 0.95: 0.1 standard deviations (3.2) are left after ln(90 / 0.32) / 0.0513 = 110
    // values
    cut += mser(autoregressive(i, 2000, 0.95, 10, 1, 100))
    steady += mser(autoregressive(i, 2000, 0.5, 10))
  }
  expect(cut / 50).toBeGreaterThan(60)
  expect(cut / 50).toBeLessThan(300)
  expect(steady / 50).toBeLessThan(200)
})

test("mser: a step is cut exactly; a ramp is too short to tell; so are fewer than 20 values", () => {
  const step = Float64Array.from({ length: 200 }, (_, i) => (i < 40 ? 100 : i % 2))
  expect(mser(step)).toBe(40)
  expect(mser(Float64Array.from({ length: 200 }, (_, i) => i))).toBe(-1)
  expect(mser([1, 2, 3])).toBe(-1)
  expect(mser(new Float64Array(100).fill(7))).toBe(0)
})
