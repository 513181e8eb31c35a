import { expect, test } from "vitest"
import { bandwidthOverTime, fillOverTime, fullest } from "./over-time.ts"

const table = {
  time: [10, 10, 20, 20],
  router: [0, 1, 0, 0],
  vl: [0, 0, 0, 1],
  input: [1, 2, 0, 5],
  output: [3, 0, 4, 0],
  centre: [0, 0, 1, 2],
}

test("each VL in all routers: 1 + 3 + 2 = 6 flits of VL 0 at 10; 4 + 1 and 5 + 2 at 20", () => {
  const f = fillOverTime(table, "f", "Fill")!
  expect(f.at).toEqual([10, 20])
  expect(f.layers).toEqual([
    { name: "VL 0", values: [6, 5] },
    { name: "VL 1", values: [0, 7] },
  ])
})

test("each VL of each router at its fullest, and when", () => {
  const f = fullest(table, "f", "Fill")!
  expect(f.cells.map((c) => [c.x, c.y, c.value, c.facts!.at(-1)![1]])).toEqual([
    [0, 0, 5, 20],
    [1, 0, 2, 10],
    [0, 1, 7, 20],
  ])
  expect([f.columns, f.rows, f.max]).toEqual([2, 2, 7])
})

test("streams over time: one that ends early has 0 from then on, one alone has no figure", () => {
  const series = [
    ["a", { time: [10, 20, 30], accepted: [0.1, 0.2, 0.3] }],
    ["b", { time: [10], accepted: [0.4] }],
  ] as const
  expect(bandwidthOverTime(series, "b", "B")!.layers.map((l) => l.values)).toEqual([
    [0.1, 0.2, 0.3],
    [0.4, 0, 0],
  ])
  expect(bandwidthOverTime(series.slice(0, 1), "b", "B")).toBeUndefined()
})

test("501 intervals: three share a place, which is their mean and the end of the last", () => {
  const time = Array.from({ length: 501 }, (_, i) => i + 1)
  const f = fillOverTime(
    {
      ...Object.fromEntries(["router", "vl", "output", "centre"].map((k) => [k, time.map(() => 0)])),
      time,
      input: time,
    },
    "f",
    "Fill",
  )!
  expect(f.at.slice(0, 2)).toEqual([3, 6])
  expect(f.layers[0].values.slice(0, 2)).toEqual([2, 5])
})
