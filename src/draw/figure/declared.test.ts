// Figures that probes declare, from the table `figures` of a run.
import { expect, test } from "vitest"
import { GraphBuilder } from "../../model/graph.ts"
import type { Topology } from "../../model/topology.ts"
import { declaredFigures } from "./declared.ts"
import { draw } from "./draw.ts"

type Rows = readonly Record<string, string>[]
type Tables = Record<string, Record<string, (number | string)[]>>

const row = (kind: string, table: string, more: Record<string, string> = {}) => ({
  ...{ table, kind, title: "Title", caption: "Caption.", x: "at", xLabel: "Time", y: "item", yLabel: "Item" },
  ...{ value: "load", unit: "load", by: "", ...more },
})

const figuresOf = (rows: Rows, tables: Tables) => declaredOf(rows, tables)

function declaredOf(rows: Rows, tables: Tables, network?: () => Topology) {
  const columns = Object.keys(rows[0]!)
  const figures = Object.fromEntries(columns.map((c) => [c, rows.map((r) => r[c]!)]))
  return declaredFigures({ ...tables, figures }, "line", "", network)
}

const series = { at: [100, 100, 200, 400], item: [0, 3, 3, 1], load: [0.5, 0.25, 1, 0.75] }

test("a map has a cell for each row: columns are the intervals from the first on, rows count from 0", () => {
  const [figure] = figuresOf([row("heat", "my.series")], { "my.series": series })
  if (figure?.kind !== "cells") throw new Error("no map")
  // intervals of 100: 100, 200, 300 and 400; items 0 to 3
  expect([figure.columns, figure.rows, figure.max]).toEqual([4, 4, 1])
  expect(figure.cells.map((c) => [c.x, c.y, c.value])).toEqual([
    [0, 0, 0.5],
    [0, 3, 0.25],
    [1, 3, 1],
    [3, 1, 0.75],
  ])
})

test("neighbours of a large map share a cell, which shows the largest of them", () => {
  const at = Array.from({ length: 400 }, (_, i) => (i + 1) * 10)
  const [figure] = figuresOf([row("heat", "t")], { t: { at, item: at.map(() => 0), load: at.map((t) => t) } })
  if (figure?.kind !== "cells") throw new Error("no map")
  // 400 columns of at most 180: three share one, 134 in all; the first shows the largest of 10, 20 and 30
  expect([figure.columns, figure.cells.length, figure.cells[0]?.value]).toEqual([134, 134, 30])
})

test("lines are distinguished by a column and sorted by x; values that are not numbers are left out", () => {
  const table = { at: [200, 100, 100, 300], item: [2, 1, 5, Number.NaN], name: ["a", "a", "b", "a"] }
  const [figure] = figuresOf([row("lines", "t", { by: "name" })], { t: table })
  if (figure?.kind !== "lines") throw new Error("no lines")
  expect(figure.lines).toEqual([
    {
      name: "a",
      spots: [
        { x: 100, y: 1 },
        { x: 200, y: 2 },
      ],
    },
    { name: "b", spots: [{ x: 100, y: 5 }] },
  ])
})

test("bars: one for each row, at most sixty", () => {
  const at = Array.from({ length: 70 }, (_, i) => i)
  const [figure] = figuresOf([row("bars", "t")], { t: { at, item: at.map((i) => i * i) } })
  if (figure?.kind !== "bars") throw new Error("no bars")
  expect(figure.bars.length).toBe(60)
  expect(figure.bars[3]).toMatchObject({ name: "Time 3", value: 9 })
  expect(figure.caption).toContain("The first 60 of 70 rows.")
})

test("a map of names: texts as they come, other numbers in their order", () => {
  const table = { at: [1.5, 0.5, 0.5], item: ["b", "a", "b"], load: [1, 2, 3] }
  const [figure] = figuresOf([row("heat", "t")], { t: table })
  if (figure?.kind !== "cells") throw new Error("no map")
  expect([figure.x.names, figure.y.names]).toEqual([
    ["0.5", "1.5"],
    ["b", "a"],
  ])
  expect(figure.cells.map((c) => [c.x, c.y, c.value])).toEqual([
    [1, 0, 1],
    [0, 1, 2],
    [0, 0, 3],
  ])
  expect(draw(figure, 600).svg).toContain(">1.5</text>")
})

test("an empty table, and a table that the run does not have: no figure", () => {
  const empty = { at: [], item: [], load: [] }
  expect(figuresOf([row("heat", "t"), row("lines", "t"), row("bars", "t"), row("heat", "x")], { t: empty })).toEqual([])
})

/** A ring of four routers with one endpoint each. */
function square(): Topology {
  const b = new GraphBuilder(4, 4, 3, { classes: ["end", "link"] })
  for (let r = 0; r < 4; r++) {
    b.attach(r, r, 0)
    b.link(r, 1, (r + 1) % 4, 2, 1)
  }
  return { name: "ring", graph: b.finish(), hops: () => 1, label: (r) => `corner ${r}` }
}

test("a graph: channels between routers and to endpoints in colour, the other links faint, and values of routers", () => {
  // from 0 to 1, from 1 to 0, from 2 to endpoint 2 (-2 - 2), and router 3 itself
  const table = { at: [0, 1, 2, 3], item: [1, 0, -4, 3], load: [0.5, 1, 0.25, 0.75] }
  const [figure] = declaredOf([row("graph", "t")], { t: table }, square)
  if (figure?.kind !== "graph") throw new Error("no graph")
  // 4 routers and 4 endpoints; 4 links and 4 endpoints drawn faintly, and three channels
  expect([figure.nodes.length, figure.channels.length, figure.max]).toEqual([8, 11, 1])
  expect(figure.channels.filter((c) => c.value !== undefined).map((c) => [c.from, c.to, c.value])).toEqual([
    [0, 1, 0.5],
    [1, 0, 1],
    [2, 6, 0.25],
  ])
  expect(figure.nodes[3].value).toBe(0.75)
  expect(figure.channels.at(-1)?.facts).toEqual([
    ["Time", "corner 2"],
    ["Item", 2],
    ["load", 0.25],
  ])
  const { svg } = draw(figure, 600)
  // the strongest colour is that of the highest value: a channel of 1, and not the router of 0.75
  expect(svg.match(/stroke="#[0-9a-f]{6}" stroke-width="2.6"/g)?.length).toBe(3)
  expect(svg).toContain("load 0<")
})

test("a graph of names, or of a network that cannot be built again: its nodes are in a circle", () => {
  const [named] = declaredOf([row("graph", "t")], { t: { at: ["a", "b"], item: ["b", "c"], load: [1, 2] } }, square)
  if (named?.kind !== "graph") throw new Error("no graph")
  expect(named.nodes.map((n) => n.facts[0])).toEqual([
    ["node", "a"],
    ["node", "b"],
    ["node", "c"],
  ])
  expect(named.nodes.every((n) => Math.abs(Math.hypot(n.x, n.y) - 1) < 1e-9)).toBe(true)
  const [numbers] = figuresOf([row("graph", "t")], { t: { at: [7, 2], item: [2, -5], load: [1, 2] } })
  expect(numbers?.kind === "graph" && numbers.nodes.map((n) => n.facts[0])).toEqual([
    ["endpoint", 3],
    ["node", 2],
    ["node", 7],
  ])
})
