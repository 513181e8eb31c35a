import { expect, test } from "vitest"
import { Draws } from "../../../core/rng.ts"
import { against, fewestPairs, ratioInterval } from "./ratio.ts"

/** Pairs of a ratio: normal noise, and every tenth pair disturbed by up to 40 % on one of its sides. */
function pairs(ratio: number, noise: number, n: number, seed: number): number[] {
  const draws = new Draws(seed)
  return Array.from({ length: n }, () => {
    const normal = Math.sqrt(-2 * Math.log(1 - draws.unit())) * Math.cos(2 * Math.PI * draws.unit())
    const disturbed = draws.unit() < 0.1 ? (draws.unit() < 0.5 ? 1 : -1) * Math.log(1.4) * draws.unit() : 0
    return ratio * Math.exp(noise * normal + disturbed)
  })
}
const many = Array.from({ length: 500 }, (_, i) => i + 1)
const share = (holds: (seed: number) => boolean) => many.filter(holds).length / many.length

test("five pairs: the outer two cut off, a spread as if they were where the next ones are", () => {
  const e = Math.exp
  const got = ratioInterval([e(-9), e(0.01), e(0.02), e(0.03), e(9)])
  // winsorised 0.01 0.01 0.02 0.03 0.03: squares sum to 4 * 0.0001, over 3 * 2; t of 2 degrees of freedom is 4.3027
  const half = 4.302652729911275 * Math.sqrt(0.0004 / 6)
  expect([Math.log(got.ratio), Math.log(got.low), Math.log(got.high)].map((v) => v.toFixed(8))).toEqual(
    [0.02, 0.02 - half, 0.02 + half].map((v) => v.toFixed(8)),
  )
  expect([got.pairs, fewestPairs]).toEqual([5, 5])
})

test("the interval holds the true ratio in about 95 of 100 cases, disturbed pairs or not", () => {
  const covers = share((seed) => {
    const { low, high } = ratioInterval(pairs(1.013, 0.04, 20, seed))
    return low < 1.013 && high > 1.013
  })
  expect(covers).toBeGreaterThan(0.92)
  expect(covers).toBeLessThan(0.99)
})

test("2 % are seen with 60 pairs that differ by 3 %, and nothing is seen where there is nothing", () => {
  expect(share((seed) => against(1, ratioInterval(pairs(0.98, 0.03, 60, seed))) === "below")).toBeGreaterThan(0.95)
  expect(share((seed) => against(1, ratioInterval(pairs(1, 0.03, 60, seed))) !== "not decided")).toBeLessThan(0.08)
})

test("only the whole interval decides", () => {
  const i = (low: number, high: number) => ({ ratio: 1, low, high, pairs: 9 })
  expect([i(0.98, 1.02), i(0.9, 0.96), i(0.96, 1.1)].map((x) => against(0.97, x))).toEqual([
    "above",
    "below",
    "not decided",
  ])
})
