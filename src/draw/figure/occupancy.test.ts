import { expect, test } from "vitest"
import { draw } from "./draw.ts"
import { occupancyCells } from "./occupancy.ts"

test("a cell for each router and interval that has flits, columns named by the end of their interval", () => {
  const f = occupancyCells({ time: [200, 300, 300], router: [1, 0, 2], flits: [7, 5, 9] }, "o", "Occupancy")!
  expect(f.cells.map((c) => [c.x, c.y, c.value])).toEqual([
    [1, 1, 7],
    [2, 0, 5],
    [2, 2, 9],
  ])
  expect([f.columns, f.rows, f.max, f.x.min, f.x.step]).toEqual([3, 3, 9, 100, 100])
  expect(f.cells[0].facts).toEqual([
    ["router", 1],
    ["time", 200],
    ["flits", 7],
  ])
  const { svg, hits } = draw(f, 600)
  expect(hits.length).toBe(3)
  for (const label of ["100", "200", "300", "Time (cycles)", "Router", "flits 0"])
    expect(svg).toContain(`>${label}</text>`)
})

test("360 intervals of 240 routers: 2 x 2 share a cell that shows the fullest", () => {
  const table = { time: [10, 20, 3600], router: [0, 1, 239], flits: [3, 4, 1] }
  const f = occupancyCells(table, "o", "Occupancy")!
  expect([f.columns, f.rows, f.x.step, f.y.step]).toEqual([180, 120, 20, 2])
  expect(f.cells.map((c) => [c.x, c.y, c.value])).toEqual([
    [0, 0, 4],
    [179, 119, 1],
  ])
})

test("no flits, no figure", () =>
  expect(occupancyCells({ time: [], router: [], flits: [] }, "o", "Occupancy")).toBeUndefined())
