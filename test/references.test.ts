// `references` of an experiment: the runs that it adds, slowdowns against the idle and the ideal network, and where
// they appear.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { check, run } from "../src/api.ts"
import { main } from "../src/cli/program.ts"
import { figuresOf } from "../src/draw/figure/choose.ts"
import { defineExperiment } from "../src/index.ts"
import { withSlowdowns } from "../src/results/references.ts"
import { plainPaint } from "../src/terminal/paint.ts"

type Tree = Record<string, unknown>
const folder = mkdtempSync(join(tmpdir(), "lacewing-references-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Two endpoints on each of three routers in a row. The ring and the background share the links in the middle. */
const base: Tree = {
  lacewing: 1,
  title: "A ring next to a background",
  network: {
    topology: { name: "mesh", sides: "3", p: 2 },
    routing: "mesh.dimension-order",
    switch: { name: "chunk", bandwidth: "10GB/s", delay: "0ns" },
    endpoint: "rails",
    flit: "64B",
  },
  engine: "packet",
  jobs: [
    { name: "noise", workload: { name: "background", ranks: 3, load: 0.4, period: "5us" }, placement: "routers" },
    { name: "app", workload: { name: "ring", ranks: 3, bytes: "4KiB", iterations: 5 }, placement: "routers" },
  ],
  measure: { until: "jobs", limit: "1ms" },
}
const sweep = { "jobs.0.workload.load": [0, 0.3, 0.6] }
const experiment = (more: Tree = {}) => defineExperiment({ ...base, references: ["idle", "ideal"], ...more } as never)

async function planned(more: Tree) {
  const got = await check(experiment(more))
  if ("bad" in got) throw new Error(got.bad.map((b) => `${b.path}: ${b.says}`).join("\n"))
  return got.ok.runs
}
const refusal = async (more: Tree) => {
  const got = await check(experiment(more))
  return "bad" in got ? got.bad.map((b) => `${b.path}: ${b.says}`) : []
}

describe("the plan", () => {
  test("one idle and one ideal run for each seed, whatever the load; load 0 is the idle run", async () => {
    const runs = await planned({ sweep, seeds: 2 })
    // 3 loads and 2 seeds; the idle run of a seed is its run at load 0
    expect(runs.length).toBe(3 * 2 + 2)
    expect(runs.filter((r) => r.point["reference"] !== undefined).map((r) => [r.point["reference"], r.seed])).toEqual([
      ["ideal", 1],
      ["ideal", 2],
    ])
    const without = await planned({ sweep: { "jobs.0.workload.load": [0.3, 0.6] } })
    expect(without.map((r) => r.point["reference"])).toEqual([undefined, "idle", "ideal", undefined])
  })
  test("the ideal network has the bandwidth of the endpoints, no latency, and the endpoints of the jobs", async () => {
    const [, , ideal] = await planned({})
    // 10 GB/s are 100 ps for each byte
    expect(ideal!.spec.engine).toEqual({ name: "ideal", L: "0ns", g: "0ns", G: "100ps" })
    expect(ideal!.spec.jobs!.map((j) => [j.name, j.placement])).toEqual([
      ["noise", "routers"],
      ["app", "routers"],
    ])
  })
  test.each<[string, Tree, string]>([
    ["a word that is none", { references: ["empty"] }, 'references: "empty" is not a reference'],
    [
      "an experiment without jobs",
      { jobs: undefined, traffic: { load: 0.1 }, measure: {} },
      "references: A slowdown compares the communication times of jobs, and this run does not last until its jobs end.",
    ],
  ])("refused: %s", async (_, more, says) => {
    expect(await refusal(more)).toContain(says)
  })
})

describe("slowdowns", () => {
  test("are 1 at load 0, grow with the load, and larger against the ideal network", async () => {
    const got = await run(experiment({ sweep, seeds: 2 }), { workers: 1 })
    if ("bad" in got) throw new Error(got.bad[0]!.says)
    const { rows, records } = got.ok
    expect(rows.map((r) => r.point)).toEqual([{ load: 0 }, { load: 0.3 }, { load: 0.6 }])
    const of = (name: string) => rows.map((r) => r.values[name]?.mean ?? Number.NaN)
    const [zero, some, more] = of("slowdown.idle")
    expect(zero).toBe(1)
    expect(some).toBeGreaterThan(1)
    expect(more).toBeGreaterThan(some!)
    // 15 messages of 4 KiB, one after the other, at 100 ps for each byte after the first
    const ideal = 15 * 4095 * 0.1
    expect(of("slowdown.ideal")[0]! * ideal).toBeCloseTo(of("jobs.communication.max")[0]!, 6)
    // two seeds give an interval, and a program without computing only communicates
    expect(rows[1]!.values["slowdown.idle"]!.half).toBeGreaterThan(0)
    expect(of("jobs.communication.share")[0]).toBeGreaterThan(0.6)
    const ids = figuresOf(withSlowdowns(records)).map((f) => f.id)
    expect(ids.slice(0, 3)).toEqual(["slowdown-idle", "slowdown-ideal", "jobs"])
  })
  test("a run whose jobs do not end has no slowdown, with the reason", async () => {
    const got = await run(experiment({ measure: { until: "jobs", limit: "2us" } }), { workers: 1 })
    if ("bad" in got) throw new Error(got.bad[0]!.says)
    expect(got.ok.rows[0]!.missing["slowdown.idle"]).toBe("did not end")
  })
})

async function lacewing(...args: string[]): Promise<{ code: number; out: string }> {
  let out = ""
  const io = {
    out: (text: string) => void (out += `${text}\n`),
    err: () => {},
    raw: () => {},
    paint: plainPaint,
    live: false,
    width: 100,
  }
  return { code: await main(args, io), out }
}

test("table, chart, report and compare show time and slowdown", async () => {
  const file = join(folder, "app.yaml")
  writeFileSync(file, JSON.stringify({ ...base, references: ["idle", "ideal"], sweep, seeds: 2 }))
  const out = join(folder, "results")
  const { code, out: said } = await lacewing("run", file, "--out", out, "--workers", "1")
  expect(code).toBe(0)
  for (const head of ["communication (cycles)", "× idle network", "× ideal network", "slowdown against the idle"])
    expect(said).toContain(head)
  expect(said).not.toContain("mean latency (cycles)")
  const page = readFileSync(join(out, "report.html"), "utf8")
  for (const text of ["Slowdown against the idle network, by load", "slowdown.ideal"]) expect(page).toContain(text)
  expect(existsSync(join(out, "report.html"))).toBe(true)
  const compared = await lacewing("compare", out, out, "--all")
  expect(compared.out).toContain("slowdown.ideal")
  const apart = await lacewing("interference", file)
  expect(apart.out).toContain("alone (ms)")
  expect(apart.out).toContain("slowdown of the row's job next to the column's job")
})
