import { expect, test } from "vitest"
import { studentQuantile, studentTail } from "./student.ts"

// published tables, and for 1 and 2 degrees of freedom the closed forms cot(pi q) and (1 - 2q) / sqrt(2 q (1 - q))
test.each([
  [0.025, 1, 12.706204736],
  [0.025, 2, 4.30265273],
  [0.025, 3, 3.182446305],
  [0.025, 9, 2.262157163],
  [0.025, 19, 2.093024054],
  [0.025, 30, 2.042272456],
  [0.025, 100, 1.983971519],
  [0.025, 1000, 1.962339081],
  [0.005, 10, 3.169272673],
  [0.05, 4, 2.131846786],
  [0.025, 2.5, 3.574654842],
  [0.975, 9, -2.262157163],
  [0.5, 7, 0],
])("t(%f; %f) = %f", (tail, freedom, t) => {
  expect(Math.abs(studentQuantile(tail, freedom) - t)).toBeLessThan(1e-8)
})

test("far tails against the closed forms of 1 and 2 degrees of freedom", () => {
  for (const q of [1e-9, 1e-6, 1e-3, 0.1, 0.3, 0.49]) {
    expect(studentQuantile(q, 1) / (1 / Math.tan(Math.PI * q))).toBeCloseTo(1, 8)
    expect(studentQuantile(q, 2) / ((1 - 2 * q) / Math.sqrt(2 * q * (1 - q)))).toBeCloseTo(1, 8)
  }
})

test("tail and quantile are inverse; many degrees of freedom tend to the normal 1.959964", () => {
  for (const n of [1, 2, 5, 17, 300])
    for (const q of [1e-5, 0.01, 0.2]) expect(studentTail(studentQuantile(q, n), n)).toBeCloseTo(q, 10)
  expect(studentQuantile(0.025, 1e6)).toBeCloseTo(1.959964, 4)
})

test("out of range is not a number", () => {
  for (const [q, n] of [
    [0, 5],
    [1, 5],
    [0.1, 0],
    [Number.NaN, 5],
  ] as const)
    expect(studentQuantile(q, n)).toBeNaN()
})
