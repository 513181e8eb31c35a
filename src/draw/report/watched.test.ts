// What probes wrote down beside the counters, in the report: a map of how full routers were, and the list of events,
// closed at first.
import { expect, test } from "vitest"
import { made, sweep } from "../../../test/fixtures/records.ts"
import { sheetsOf } from "../../results/columns.ts"
import { csvOf } from "../../results/export.ts"
import type { RunRecord } from "../../results/record.ts"
import { figuresOf } from "../figure/choose.ts"
import { reportHtml } from "./report.ts"

const events = { cycle: [3, 41], event: ["injected", "delivered"], a: [0, 0], b: [7, 7], c: [-12345, -12345] }
const occupancy = { time: [100, 200], router: [2, 5], flits: [4, 9] }
const watched = (r: RunRecord): RunRecord => ({
  ...r,
  result: { ...r.result, tables: { ...r.result.tables, events, occupancy } },
})

test("of the point that tells most about its line, with its exact values", () => {
  const records = sweep({ names: ["dragonfly.minimal"], loads: [0.1, 0.5, 0.8], seeds: 1 })
  // 0.8 is saturated: 0.5 is shown
  const html = reportHtml({
    records: records.map((r) => (r.point["traffic.0.load"] === 0.5 ? watched(r) : r)),
    about: {},
  })
  expect(html).toContain("<summary>Events over time</summary>")
  const list = html.slice(html.indexOf('id="events"')).split("</table>")[0]
  expect([...list.matchAll(/data-value="(-?\d+)"/g)].map((m) => Number(m[1]))).toEqual([
    3, 0, 7, -12345, 41, 0, 7, -12345,
  ])
  expect(html).toContain("Buffer occupancy of routers: ")
  expect(reportHtml({ records, about: {} })).not.toContain("Events over time")
})

test("a figure for each line, and CSV like any other table", () => {
  const records = [watched(made())]
  expect(figuresOf(records).filter((f) => f.id.startsWith("occupancy-")).length).toBe(1)
  const csv = csvOf(sheetsOf(records).find((s) => s.name === "events")!).split("\r\n")
  expect(csv.slice(0, 3).map((line) => line.split(",").slice(1).join(","))).toEqual([
    "cycle,event,a,b,c",
    "3,injected,0,7,-12345",
    "41,delivered,0,7,-12345",
  ])
})
