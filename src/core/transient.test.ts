import { describe, expect, test } from "vitest"
import { transientOf } from "./transient.ts"

const flat = (n: number, v = 100): number[] => new Array<number>(n).fill(v)

describe("a series and an event", () => {
  test("a peak of one interval: means of ten see it for ten intervals; 100 + 300 in ten is 130, then back", () => {
    const got = transientOf([...flat(50), 400, ...flat(60)], 50)
    // the intervals behind the event that there are: 400, 250, 200, … until the peak is the eleventh before
    expect(got).toEqual({ level: 100, peak: 400, settled: 10 })
  })
  test("a peak that the mean of ten hardly sees: 100 + 90 in ten is 109", () => {
    expect(transientOf([...flat(50), ...flat(20), 190, ...flat(60)], 50)).toEqual({
      level: 100,
      peak: 190,
      settled: 20,
    })
  })
  test("twenty intervals must stay: a second peak begins it anew", () => {
    const got = transientOf([...flat(50), 400, ...flat(20), 300, ...flat(60)], 50)
    expect(got.settled).toBe(31)
  })
  test("it never comes back", () => {
    expect(transientOf([...flat(50), ...flat(60, 150)], 50)).toEqual({
      level: 100,
      peak: 150,
      settled: Number.POSITIVE_INFINITY,
    })
  })
  test("what is not there does not count; what was before `from` neither", () => {
    const values = [...flat(5, 900), ...flat(45), Number.NaN, 120, Number.NaN, ...flat(60)]
    // means of what there is behind the event: 120, 120, then (120 + 100) / 2 = 110, which is near
    expect(transientOf(values, 50, 5)).toEqual({ level: 100, peak: 120, settled: 3 })
  })
})
