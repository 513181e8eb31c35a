import { beforeAll, describe, expect, test } from "vitest"
import { built, fakeSimulator } from "../../test/support/build.ts"
import { small } from "../../test/support/catalog.ts"
import { hostAt } from "../experiment/disk/host.ts"
import { type Plan, plan } from "../experiment/plan.ts"
import { plainSource } from "../experiment/source.ts"
import { saturationRows } from "../results/findings/saturation.ts"
import { MemoryResults } from "../results/results.ts"
import { judge, summarise } from "../results/summary.ts"
import { plainPaint } from "../terminal/paint.ts"
import { resultChart, resultTable } from "../terminal/show.ts"
import { type ExecuteOptions, execute } from "./execute.ts"

beforeAll(() => void built())

function planned(more: Record<string, unknown>, traffic: Record<string, unknown> = {}): Plan {
  const value = {
    lacewing: 1,
    network: { topology: { name: "dragonfly", p: 2, a: 4, h: 2 }, routing: "dragonfly.minimal" },
    traffic: { load: 0.1, ...traffic },
    ...more,
  }
  const got = plan({ source: plainSource("t", value), host: hostAt("."), name: "t" }, { catalog: small })
  if ("bad" in got) throw new Error(got.bad.map((c) => `${c.path} ${c.says}`).join("\n"))
  return got.ok
}
const options: ExecuteOptions = { workers: 2, simulator: fakeSimulator }

describe("executing a plan", () => {
  test("2 loads x 3 seeds: six records in the order of the plan; run again, all are known", async () => {
    const p = planned({ seeds: 3, sweep: { "traffic.load": [0.2, 0.8] } })
    const results = new MemoryResults()
    const first = await execute(p, results, options)
    expect(first.records.map((r) => r.hash)).toEqual(p.runs.map((r) => r.hash))
    expect([first.known, first.failures.length, first.interrupted]).toEqual([0, 0, false])
    const second = await execute(p, results, options)
    expect(second.known).toBe(6)
    expect(second.records.map((r) => r.result)).toEqual(first.records.map((r) => r.result))
    const forced = await execute(p, results, { ...options, force: true })
    expect([forced.known, forced.records.length]).toEqual([0, 6])
  })
  test("the start time of a run is that of its execution, although all runs are queued at once", async () => {
    const p = planned({ sweep: { "traffic.load": [0.1, 0.2, 0.3] } })
    const begun = new Map<string, string>()
    const { records } = await execute(p, new MemoryResults(), {
      ...options,
      workers: 1,
      onStart: (run) => void begun.set(run.hash, new Date().toISOString()),
    })
    // with one worker, the second run starts after the first
    expect(records.map((r) => r.provenance.started >= begun.get(r.hash)!)).toEqual([true, true, true])
  })
  test("shards together hold every run once", async () => {
    const p = planned({ sweep: { "traffic.load": [0.1, 0.2, 0.3, 0.4, 0.5] } })
    const parts = await Promise.all(
      [1, 2, 3].map((index) => execute(p, new MemoryResults(), { ...options, shard: { index, of: 3 } })),
    )
    expect(parts.map((part) => part.records.length)).toEqual([2, 2, 1])
    expect(new Set(parts.flatMap((part) => part.records.map((r) => r.hash)))).toEqual(
      new Set(p.runs.map((r) => r.hash)),
    )
  })
  test("a run that crashes is reported and not kept; the rest is", async () => {
    const p = planned({ variants: { good: {}, bad: { "traffic.name": "crash" } } })
    const results = new MemoryResults()
    const done = await execute(p, results, options)
    expect(done.records.length).toBe(1)
    expect(done.failures.map((f) => [f.run.point, f.result.why])).toEqual([[{ variant: "bad" }, "crashed"]])
    expect(p.runs.map((r) => results.has(r.hash))).toEqual([true, false])
  })
  test("an interrupt keeps finished runs, and the same plan continues from there", async () => {
    const p = planned({ sweep: { "traffic.load": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6] } })
    const results = new MemoryResults()
    const stop = new AbortController()
    let seen = 0
    const first = await execute(p, results, {
      ...options,
      workers: 1,
      signal: stop.signal,
      onRecord: () => ++seen === 2 && stop.abort(),
    })
    expect(first.interrupted).toBe(true)
    expect(first.records.length).toBeLessThan(6)
    const second = await execute(p, results, options)
    expect([second.known, second.records.length, second.interrupted]).toEqual([first.records.length, 6, false])
  })
  test("an error of the results folder stops the sweep and is reported", async () => {
    class Full extends MemoryResults {
      override async add() {
        return [{ path: "results", says: "the disk is full", fix: "free some space" }]
      }
    }
    const done = await execute(planned({ seeds: 4 }), new Full(), { ...options, workers: 1 })
    expect(done.trouble[0].says).toBe("the disk is full")
    expect(done.records.length).toBe(0)
  })
})

test("the search finds the saturation load 0.7001 within 1 %, with far fewer runs than a 1 % grid", async () => {
  const p = planned({ search: "saturation" }, { load: undefined })
  const done = await execute(p, new MemoryResults(), options)
  const [row] = saturationRows(done.knees)
  // latency 10 + x / (2 (1 - x / 0.7001)) passes three times its first value 10.04 only at 0.688: the saturation
  // load comes first
  const beyond = (x: number) => 10.01 + x / (2 * (1 - x / 0.7001)) > 3 * (10.01 + 0.05 / (2 * (1 - 0.05 / 0.7001)))
  let grid = 0.05
  while (!beyond(grid)) grid += 0.0001
  expect(Math.abs(row!.value.mean - grid) / grid).toBeLessThan(0.01)
  expect(row!.runs).toBeLessThanOrEqual(12)
})

test("mean and interval over seeds, expectations, table and chart", async () => {
  const p = planned({
    seeds: 3,
    sweep: { "traffic.load": [0.2, 0.4, 0.8] },
    expect: ["latency.mean at load=0.2 < 11cycles", "latency.mean < 11cycles", "accepted at load=80% > 69%"],
  })
  const rows = summarise((await execute(p, new MemoryResults(), options)).records)
  // the formula adds 0.01 a seed: 10.15, 10.16, 10.17 give 10.16 ± 4.303 * 0.01 / sqrt(3) = 0.0248 (the
  // saturation load moves in the fifth digit)
  expect(rows[0].values["latency.mean"].mean).toBeCloseTo(10.16, 2)
  expect(rows[0].values["latency.mean"].half).toBeCloseTo(0.0248, 3)
  expect(judge(p.expect, rows).map((v) => v.holds)).toEqual([true, false, true])
  expect(judge(p.expect, rows)[1].failures).toEqual(["latency.mean is missing (saturated) at load=0.8 (saturated)"])
  const lines = resultTable(rows, plainPaint).split("\n")
  expect(lines[0]).toBe("load  accepted (fraction)  latency (cycles)  p99 (cycles)  hops  ended")
  // heads, a rule, three rows, and why the third has dashes
  expect(lines.length).toBe(6)
  expect(lines[5]).toMatch(/^– {2}saturated: The network is saturated/)
  const drawn = resultChart(rows, plainPaint, 80)
  expect(drawn.replace(/\s+/g, " ")).toContain(
    "mean latency (cycles); points on the top edge are saturated or off the scale",
  )
  expect(drawn.split("●").length - 1).toBe(4)
})
