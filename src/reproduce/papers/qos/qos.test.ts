// Papers qos/: the table is the paper's to the last credit, and the forms of the panels are sound.
import { expect, test } from "vitest"
import { packaged } from "../data/packaged.ts"
import { readerOf, wordOf } from "../paper.ts"
import { bestEffort } from "./network.ts"
import { fullTotals } from "./panels.ts"

const table4 = packaged("qos/table4")

test("Table 4: k, w, all weights, 7 totals and 11 kinds of entries are exact", () => {
  const rows = table4.rows({}, "full", readerOf(table4.inspect?.() ?? {}))
  expect(rows.length).toBe(3 + 7 + 11)
  expect(new Set(rows.map(wordOf))).toEqual(new Set(["agrees"]))
})
test("best effort has a third of what the total leaves: 0.0125 at the first load, 0.1525 at the last", () => {
  expect([fullTotals[0], fullTotals.at(-1)!].map(bestEffort)).toEqual([0.0125, 0.1525])
})
