import { expect, test } from "vitest"
import type { Complaint } from "../../core/complaint.ts"
import { saturationHtml } from "../../draw/report/saturation.ts"
import { plan } from "../../experiment/plan.ts"
import { Bisection, type SaturationSearch, searchOf } from "../../experiment/search.ts"
import { readText } from "../../experiment/text.ts"
import type { RunResult } from "../../model/experiment.ts"
import { plainPaint } from "../../terminal/paint.ts"
import { failureLine } from "../../terminal/show.ts"
import type { RunRecord } from "../record.ts"
import { summarise } from "../summary.ts"
import { saturationRows, saturationsOf, saturationText } from "./saturation.ts"

const search: SaturationSearch = { from: 0.05, to: 1, precision: 0.01, latency: 3 }

/** Carries up to `knee`, and ends as `why` above it. */
function at(load: number, knee: number, why: RunResult["why"]): RunResult {
  const over = load > knee
  const values = {
    offered: load,
    accepted: why === "deadlock" && over ? 0 : Math.min(load, knee),
    packets: 1e6,
    "accepted.ci": 1e-4,
    "latency.mean": 20,
  }
  return { why: over ? why : "steady", explains: "", fingerprint: "", values, tables: {} }
}

function searched(knee: number, why: RunResult["why"], s = search, seed = 1): RunRecord[] {
  const bisection = new Bisection(s)
  const records: RunRecord[] = []
  for (let load = bisection.next(); load !== undefined; load = bisection.next()) {
    const result = at(load, knee, why)
    const spec = {} as RunRecord["spec"]
    records.push({
      hash: `${seed}-${load}`,
      spec,
      point: { load },
      seed,
      result,
      provenance: {} as RunRecord["provenance"],
    })
    bisection.tell(load, result)
  }
  return records
}

test(
  "a load at which the network deadlocks is beyond the knee, as a saturated " +
    "one is; a run that drained all the same, too",
  () => {
    for (const why of ["saturated", "deadlock", "starved", "drained"] as const) {
      const [row] = saturationRows(saturationsOf(searched(0.31, why), search))
      expect(row!.low).toBeLessThanOrEqual(0.31 * 1.005)
      expect(row!.high).toBeGreaterThan(0.31)
      expect(row!.high / row!.low).toBeLessThan(1.011)
      expect(row!.why).toBe(why === "drained" ? "saturated" : why)
    }
  },
)

test("packets that were given up are a failure, too", () => {
  const bisection = new Bisection(search)
  bisection.tell(0.05, at(0.05, 1, "steady"))
  const given = at(1, 1, "steady")
  bisection.tell(1, { ...given, values: { ...given.values, abandoned: 7 } })
  expect(bisection.interval).toEqual({ low: 0.05, high: 1, why: "abandoned" })
})

test("a first load without packets is no yardstick for latency: the next load is carried", () => {
  const bisection = new Bisection(search)
  const told = (load: number, latency: number | undefined) => {
    const { values, ...rest } = at(load, 1, "steady")
    const { "latency.mean": _, ...none } = values
    bisection.tell(load, {
      ...rest,
      values: latency === undefined ? { ...none, packets: 0 } : { ...values, "latency.mean": latency },
    })
  }
  told(0.05, undefined)
  expect(bisection.next()).toBe(1)
  told(1, 70)
  expect(bisection.interval).toEqual({ low: 1, high: 1 })
})

test("where even the first load fails nothing is carried: between 0 and it, not `not reached`", () => {
  const [row] = saturationRows(saturationsOf(searched(0.01, "deadlock"), search))
  expect([row!.low, row!.high, row!.runs]).toEqual([0, 0.05, 1])
  expect(saturationText(row!, String)).toBe("0 and 0.05, deadlock beyond it")
})

test("tiny loads are bisected, too, and a search without end ends when no load lies between", () => {
  const tiny = { ...search, from: 1e-7, to: 1e-6 }
  const [row] = saturationRows(saturationsOf(searched(4e-7, "saturated", tiny), tiny))
  expect(row!.low).toBeGreaterThan(3.9e-7)
  expect(row!.high).toBeLessThan(4.1e-7)
  expect(searched(0.31, "saturated", { ...search, precision: 1e-12 }).length).toBeLessThan(30)
})

test("a load where the knee is expected: the same knee in fewer runs, and in any case the knee", () => {
  const runs = (knee: number, near?: number) => {
    const s = { ...search, precision: 0.05, ...(near === undefined ? {} : { near }) }
    const [row] = saturationRows(saturationsOf(searched(knee, "saturated", s), s))
    expect([row!.low <= knee, row!.high > knee, (row!.high - row!.low) / row!.low <= 0.05]).toEqual([true, true, true])
    return row!.runs
  }
  // the lowest load, 0.4 and 0.44, and the middle of the two
  expect([runs(0.41, 0.4), runs(0.41)]).toEqual([4, 8])
  // 0.4, 0.36 and 0.3, then two halves of what lies between them
  expect(runs(0.35, 0.4)).toBe(6)
  for (const near of [0.051, 0.1, 0.3, 0.9, 1]) for (const knee of [0.06, 0.31, 0.97]) runs(knee, near)
  // never reached, and not carried at all
  const never = { ...search, near: 0.4 }
  expect(saturationsOf(searched(2, "saturated", never), never)[0]).toMatchObject({ low: 1, high: 1 })
  expect(saturationsOf(searched(0.01, "saturated", never), never)[0]).toMatchObject({ low: 0, high: 0.05, runs: 1 })
})

test("several rails carry more than 1", () => {
  const rails = { ...search, to: 2, near: 1.2, precision: 0.05 }
  const [row] = saturationRows(saturationsOf(searched(1.5, "saturated", rails), rails))
  expect([row!.low <= 1.5, row!.high > 1.5]).toEqual([true, true])
  const bad: Complaint[] = []
  expect(searchOf({ name: "saturation", to: 2, near: 2.5 }, bad)).toBeUndefined()
  expect(bad.map((c) => `${c.path}: ${c.says}`)).toEqual([
    "search.near: 2.5 is not between 0.05 and 2, the range of the search",
  ])
  expect(searchOf({ name: "saturation", to: 65 }, [])).toBeUndefined()
  const text =
    "lacewing: 1\nnetwork: { topology: { name: torus, sides: 4x4 }, routing: torus.dimension-order }\n" +
    "traffic: { pattern: uniform }\n" +
    "search: { name: saturation, to: 2 }\n"
  const file = readText(text)
  const planned = "bad" in file ? file : plan(file.ok)
  expect("bad" in planned && planned.bad.map((c) => `${c.path}: ${c.says}`)).toEqual([
    "search.to: 2 is too large: endpoints of the flit engine have one channel",
  ])
})

test("a search that is not complete has no knee; seeds are joined", () => {
  expect(saturationsOf(searched(0.31, "saturated").slice(0, 5), search)).toEqual([])
  const both = [...searched(0.31, "saturated"), ...searched(0.33, "deadlock", search, 2)]
  const rows = saturationRows(saturationsOf(both, search))
  expect(rows.length).toBe(1)
  expect(rows[0].value.mean).toBeCloseTo(0.32, 2)
  expect([Number.isFinite(rows[0].value.half), rows[0].why]).toEqual([true, "deadlock"])
})

test("the first line says where the network fails", () => {
  const rows = summarise(searched(0.31, "deadlock"))
  expect(failureLine(rows, plainPaint)).toMatch(/^The network fails at \d+ of \d+ points: deadlock$/)
  expect(failureLine(summarise(searched(0.31, "saturated")), plainPaint)).toBe("")
})

test("the report's first line: the knee with its interval; nothing for a search that makes no sense", () => {
  const text = (seeds: readonly number[], of: unknown = search) =>
    saturationHtml(
      seeds.flatMap((seed) => searched(0.3 + seed / 100, "saturated", search, seed)),
      of,
    ).text
  expect(text([1, 2, 3])).toMatch(
    /^<p class="saturation">Saturation load: <b>0\.3\d+ ± 0\.0\d+<\/b>, between 0\.3\d* and 0\.3\d*; \d+ runs<\/p>/,
  )
  expect(text([1])).toMatch(/^<p class="saturation">Saturation load: <b>0\.3\d+<\/b>, between/)
  for (const junk of [null, 7, { from: "a" }, { from: 1, to: 0.5 }]) expect(text([1], junk)).toBe("")
})
