// Papers qos/: the table is the paper's to the last credit, and the forms of the panels are sound.
import { expect, test } from "vitest"
import { readerOf, wordOf } from "../paper.ts"
import { bestEffort, type experimentOf, levels } from "./network.ts"
import { fullTotals, panels } from "./panels.ts"
import table4 from "./table4.ts"

test("Table 4: k, w, all weights, 7 totals and 11 kinds of entries are exact", () => {
  const rows = table4.rows({}, "full", readerOf(table4.inspect()))
  expect(rows.length).toBe(3 + 7 + 11)
  expect(new Set(rows.map(wordOf))).toEqual(new Set(["agrees"]))
})
test("best effort has a third of what the total leaves: 0.0125 at the first load, 0.1525 at the last", () => {
  expect([fullTotals[0]!, fullTotals.at(-1)!].map(bestEffort)).toEqual([0.0125, 0.1525])
})
test("all 16 panels, in both forms, have one number of connections and one latency of links: 4 and one cycle", () => {
  const all = panels.flatMap((p) => [p.quick, p.full]).flatMap((plan) => Object.values(plan!.experiments)) as ReturnType<
    typeof experimentOf
  >[]
  expect(panels.length).toBe(16)
  // three panels of four have one switch, the other both: 5 experiments for a network, in two forms
  expect(all.length).toBe(4 * 5 * 2)
  for (const { network, traffic } of all) {
    expect(network).toMatchObject({ links: { end: "1cycle", link: "1cycle" } })
    const patterns = (traffic as { pattern?: unknown }[]).map((s) => s.pattern)
    expect(patterns).toEqual(levels.map(([name]) => (["VO", "VI", "CL"].includes(name) ? { name: "connections", count: 4 } : undefined)))
  }
})
