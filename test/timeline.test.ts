// The time line of ranks: the probe `timeline`, the Chrome trace and the figure of the report. Its times are those of
// the tables of jobs, on every engine and with 1, 2 and 4 workers.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { check } from "../src/api.ts"
import { operationSpans } from "../src/draw/figure/jobs.ts"
import { drawSpans } from "../src/draw/figure/spans.ts"
import { defineExperiment } from "../src/index.ts"
import type { RunResult, Table } from "../src/model/experiment.ts"
import { traceEventsOf, writeChromeTrace } from "../src/results/chrome-trace.ts"
import type { RunRecord } from "../src/results/record.ts"
import { prepare, simulate } from "../src/run/simulate.ts"

type Tree = Record<string, unknown>

const folder = mkdtempSync(join(tmpdir(), "lacewing-timeline-"))
afterAll(() => rmSync(folder, { recursive: true }))

const packet: Tree = {
  network: {
    topology: { name: "dragonfly", p: 2, a: 4, h: 2 },
    routing: "dragonfly.minimal",
    switch: { name: "chunk", bandwidth: "12.5GiB/s", vcs: 2 },
    endpoint: "rails",
  },
  engine: "packet",
}
const clocked: Tree = {
  network: {
    topology: { name: "dragonfly", p: 2, a: 4, h: 2 },
    routing: "dragonfly.minimal",
    switch: { name: "input-queued", vcs: 3 },
  },
}
const ideal: Tree = {
  network: { topology: { name: "crossbar", n: 40 }, routing: "crossbar.direct", cycle: "1ns" },
  engine: { name: "ideal", L: "1us", g: "0ns", G: "1ps", o: "100ns" },
}
/** Blocking calls: computing, an exchange, an all-reduce; and a ring of sends and receives. */
const halo = [
  { name: "halo", workload: { name: "halo", grid: "2x2x2", turns: 2, compute: "3us", bytes: "2KiB" } },
  { name: "ring", workload: { name: "ring", ranks: 4 } },
]

async function recordOf(base: Tree, more: Tree = {}, engine: Tree = {}): Promise<RunRecord> {
  const got = await check(
    defineExperiment({
      lacewing: 1,
      jobs: halo,
      measure: { until: "jobs", limit: "10ms" },
      probes: ["timeline"],
      ...base,
      ...more,
    } as never),
  )
  if ("bad" in got) throw new Error(got.bad.map((b) => `${b.path}: ${b.says}`).join("\n"))
  const { spec, hash, point, seed } = got.ok.runs[0]
  const made = prepare(
    { ...spec, engine: { ...spec.engine, ...engine } },
    { read: (path) => readFileSync(path, "utf8") },
  )
  if ("bad" in made) throw new Error(made.bad.map((b) => `${b.path}: ${b.says}`).join("\n"))
  const result: RunResult = await simulate(made.ok, { threads: false })
  return { hash, spec, point, seed, result, provenance: { version: "", node: "", host: "", started: "", seconds: 0 } }
}

const numbers = (table: Table, column: string) => (table[column] ?? []).map(Number)
const rowsOf = (table: Table) => (table["job"] ?? []).map((_, i) => i)

/** [job rank] -> sum of the operations in a state. */
function sums(table: Table, state: string): Record<string, number> {
  const sum: Record<string, number> = {}
  for (const i of rowsOf(table)) {
    const key = `${table["job"]![i]} ${table["rank"]![i]}`
    const took = table["state"]![i] === state ? numbers(table, "until")[i] - numbers(table, "from")[i] : 0
    sum[key] = (sum[key] ?? 0) + took
  }
  return sum
}

describe.each([
  ["packet", packet],
  ["clocked", clocked],
  ["ideal", ideal],
] as const)("the probe timeline with the engine %s", (_, base) => {
  test("the time of a rank is computing and blocked calls, as the tables of jobs say", async () => {
    const { tables, values } = (await recordOf(base)).result
    const operations = tables["jobs-operations"]!
    const ranks = tables["jobs-ranks"]!
    expect(values["timeline.lost"]).toBe(0)
    const [computing, blocked] = [sums(operations, "computing"), sums(operations, "blocked")]
    for (const i of rowsOf(ranks)) {
      const key = `${ranks["job"]![i]} ${ranks["rank"]![i]}`
      expect(computing[key]).toBeCloseTo(numbers(ranks, "computing")[i], 6)
      // These programs only block, so communication time is the time of the blocked calls.
      expect(blocked[key]).toBeCloseTo(numbers(ranks, "communication")[i], 6)
    }
    const calls = tables["jobs-calls"]!
    for (const i of rowsOf(calls)) {
      const [job, call] = [calls["job"]![i], calls["call"]![i]]
      const of = rowsOf(operations).filter(
        (o) =>
          operations["job"]![o] === job && operations["call"]![o] === call && operations["state"]![o] !== "progress",
      )
      const spent = of.reduce((sum, o) => sum + numbers(operations, "until")[o] - numbers(operations, "from")[o], 0)
      const all = numbers(tables["jobs"]!, "ranks")[([...tables["jobs"]!["job"]!] as unknown[]).indexOf(job)]!
      expect(spent).toBeCloseTo(numbers(calls, "mean")[i] * all, 5)
    }
    const last = Math.max(...numbers(operations, "until"))
    expect(last).toBeCloseTo(Math.max(...numbers(ranks, "end")), 6)
  })
  test("the probe changes no other result", async () => {
    const { result } = await recordOf(base)
    const without = (await recordOf(base, { probes: [] })).result
    expect(result.fingerprint).toBe(without.fingerprint)
    const { "jobs-operations": stored, ...others } = result.tables
    expect(others).toEqual(without.tables)
    expect(rowsOf(stored!).length).toBeGreaterThan(50)
  })
})

test("one time line with 1, 2 and 4 workers, in every synchronisation of the packet engine", async () => {
  const { "jobs-operations": first } = (await recordOf(packet)).result.tables
  for (const engine of [
    { sync: "conservative", workers: 2 },
    { sync: "conservative", workers: 4 },
    { sync: "optimistic", workers: 2 },
    { sync: "optimistic", workers: 4 },
  ])
    expect((await recordOf(packet, {}, engine)).result.tables["jobs-operations"]).toEqual(first)
})

test("a dependency graph: operations in progress start when their needs are met", async () => {
  const file = join(folder, "graph.goal")
  // Rank 0 computes 5 us, then sends. L = 1 us, o = 100 ns at both ends, and the header has 16 bytes, so 15 x G = 15 ps:
  // rank 1 has the message at 5,000 + 100 + 1,000 + 0.015 + 100 ns.
  writeFileSync(
    file,
    "num_ranks 2\nrank 0 {\nc: calc 5000\ns: send 1b to 1 tag 0\ns requires c\n}\n" +
      "rank 1 {\nr: recv 1b from 0 tag 0\n}\n",
  )
  const { tables } = (await recordOf(ideal, { jobs: [{ name: "app", workload: { name: "trace", file } }] })).result
  const operations = tables["jobs-operations"]!
  const row = (call: string) => {
    const i = ([...operations["call"]!] as unknown[]).indexOf(call)
    return ["rank", "from", "until", "peer"].map((c) => numbers(operations, c)[i])
  }
  expect(row("compute")).toEqual([0, 0, 5000, Number.NaN])
  expect(row("send")).toEqual([0, 5000, 5100, 1])
  expect(row("recv")).toEqual([1, 0, 6200.015, 0])
})

test("a rank keeps its last rows, and the value says how many are lost", async () => {
  const all = (await recordOf(ideal)).result.tables["jobs-operations"]!
  const { tables, values } = (await recordOf(ideal, { probes: [{ name: "timeline", rows: 5 }] })).result
  const some = tables["jobs-operations"]!
  const of = (table: Table) =>
    rowsOf(table).flatMap((i) => (table["job"]![i] === "halo" && table["rank"]![i] === 3 ? [table["until"]![i]] : []))
  expect(of(some)).toEqual(of(all).slice(-5))
  expect(values["timeline.lost"]).toBe(rowsOf(all).length - rowsOf(some).length)
})

test("rules: loggopsim refuse the probe, and engine: ideal the others", async () => {
  const bad = async (base: Tree, probes: readonly string[]) =>
    recordOf(base, { probes }).then(
      () => "accepted",
      (e: Error) => e.message,
    )
  const engine = { name: "ideal", rules: "loggopsim", L: "1us", g: "0ns", G: "1ps" }
  expect(await bad({ ...ideal, engine }, ["timeline"])).toMatch(/loggopsim/)
  expect(await bad(ideal, ["channels"])).toMatch(/only the probe timeline works/)
})

describe("the Chrome trace", () => {
  test("is JSON of the Trace Event Format with the times of the table in microseconds", async () => {
    const record = await recordOf(packet)
    const file = join(folder, "trace.json")
    const slices = writeChromeTrace(file, [record])
    const trace = JSON.parse(readFileSync(file, "utf8"))
    expect(Object.keys(trace)).toEqual(["displayTimeUnit", "traceEvents"])
    const events = trace.traceEvents as ReturnType<typeof traceEventsOf>
    expect(events).toEqual(traceEventsOf([record]))
    for (const e of events) {
      expect(Number.isInteger(e.pid)).toBe(true)
      if (e.ph === "M") expect(typeof Object.values(e.args)[0]).toMatch(/string|number/)
      else {
        expect(e.ph).toBe("X")
        expect([typeof e.name, typeof e.cat, Number.isInteger(e.tid)]).toEqual(["string", "string", true])
        expect(Number.isFinite(e.ts) && e.ts >= 0 && e.dur > 0).toBe(true)
      }
    }
    // One process for each job, and a name for each thread.
    const named = (name: string) => events.filter((e) => e.ph === "M" && e.name === name)
    expect(named("process_name").map((e) => Object.values(e.args)[0])).toEqual(["halo (seed=1)", "ring (seed=1)"])
    const threads = new Set(events.flatMap((e) => (e.ph === "X" ? [`${e.pid} ${e.tid}`] : [])))
    expect(named("thread_name").length).toBe(threads.size)
    // Every stored operation is a slice; a cycle is 1 ns.
    const table = record.result.tables["jobs-operations"]!
    const own = events.flatMap((e) => (e.ph === "X" && e.cat !== "critical path" ? [e] : []))
    const path = events.filter((e) => e.ph === "X" && e.cat === "critical path")
    expect(own.length).toBe(rowsOf(table).length)
    expect(own.length + path.length).toBe(slices)
    const starts = numbers(table, "from").map((t) => Math.round(t * 1000) / 1e6)
    expect(own.map((e) => e.ts).sort((a, b) => a - b)).toEqual(starts.sort((a, b) => a - b))
    // Slices of a thread do not overlap.
    const byThread = new Map<string, { ts: number; dur: number }[]>()
    for (const e of [...own, ...path])
      if (e.ph === "X") byThread.set(`${e.pid} ${e.tid}`, [...(byThread.get(`${e.pid} ${e.tid}`) ?? []), e])
    for (const list of byThread.values()) {
      list.sort((a, b) => a.ts - b.ts)
      for (const [i, e] of list.entries())
        if (i > 0) expect(e.ts).toBeGreaterThanOrEqual(list[i - 1].ts + list[i - 1].dur - 1e-6)
    }
  })
  test("a run without the probe has no events", async () => {
    expect(traceEventsOf([await recordOf(ideal, { probes: [] })])).toEqual([])
  })
})

test("the figure has a row for each rank, and a box for each operation that occupies one", async () => {
  const table = (await recordOf(packet)).result.tables["jobs-operations"]!
  const figure = operationSpans(table, "operations", "Time line of ranks")!
  expect(figure.rows.map((r) => r.name)).toEqual([
    ...Array.from({ length: 8 }, (_, r) => `halo ${r}`),
    ...Array.from({ length: 4 }, (_, r) => `ring ${r}`),
  ])
  const busy = rowsOf(table).filter((i) => table["state"]![i] !== "progress")
  expect(figure.rows.reduce((n, r) => n + r.spans.length, 0)).toBe(busy.length)
  expect(figure.parts).toContain("computing")
  const { svg, hits, width } = drawSpans(figure, 640)
  expect(hits.length).toBe(busy.length)
  for (const { x, w } of hits) expect(x >= 0 && x + (w ?? 0) <= width).toBe(true)
  expect(svg.match(/<rect /g)!.length).toBeGreaterThanOrEqual(busy.length)
})
