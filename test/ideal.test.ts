// Jobs on the ideal network, from the file of an experiment to its results: times by hand, what is refused, a pause in
// the middle, timeline and critical path.
import { describe, expect, test } from "vitest"
import { check } from "../src/api.ts"
import { figuresOf } from "../src/draw/figure/choose.ts"
import { reportHtml } from "../src/draw/report/report.ts"
import { defineExperiment } from "../src/index.ts"
import type { RunResult, RunSpec } from "../src/model/experiment.ts"
import { open, prepare, simulate } from "../src/run/simulate.ts"
import { made } from "./fixtures/records.ts"

type Tree = Record<string, unknown>

const base: Tree = {
  lacewing: 1,
  network: {
    topology: { name: "crossbar", n: 16 },
    routing: "any.shortest",
    switch: { name: "chunk", vcs: 2 },
    endpoint: "rails",
  },
  engine: { name: "ideal", L: "1000ns", o: "100ns", g: "10ns", G: "1ns", O: "0ns", S: "1MiB" },
  measure: { until: "jobs", limit: "10ms" },
}
const ring = (ranks: number, bytes: number) => [
  { workload: { name: "ring", ranks, bytes: `${bytes}B`, laps: 1 }, mpi: { header: "1B" } },
]

async function checked(more: Tree) {
  return check(defineExperiment({ ...base, ...more } as never))
}
async function specOf(more: Tree): Promise<RunSpec> {
  const got = await checked(more)
  if ("bad" in got) throw new Error(got.bad.map((b) => `${b.path}: ${b.says} -> ${b.fix}`).join("\n"))
  return got.ok.runs[0]!.spec
}
function ready(spec: RunSpec) {
  const made = prepare(spec, { read: () => "" })
  if ("bad" in made) throw new Error(made.bad.map((b) => `${b.path}: ${b.says}`).join("\n"))
  return made.ok
}
const result = async (more: Tree): Promise<RunResult> => simulate(ready(await specOf(more)), { threads: false })

describe("times", () => {
  test("a token goes round: for each of its messages o + L + (s - 1) G + o", async () => {
    const r = await result({ jobs: ring(4, 101) })
    expect([r.why, r.values["jobs.time"], r.values["jobs.ended"]]).toEqual(["drained", 4 * (100 + 1000 + 100 + 100), 1])
  })
  test("costs of the jobs themselves where the engine gives none; each job its own", async () => {
    const engine = { name: "ideal", L: "1000ns", g: "0ns", G: "0ns" }
    const job = (name: string, overhead: string) => ({ ...ring(2, 8)[0]!, name, mpi: { overhead } })
    const r = await result({ engine, jobs: [job("a", "10ns"), job("b", "300ns")] })
    expect(r.tables["jobs"]).toMatchObject({ job: ["a", "b"], end: [2 * 1020, 2 * 1600] })
  })
  test("ranks of one endpoint share its interface", async () => {
    const engine = { name: "ideal", L: "1000ns", g: "500ns", G: "0ns" }
    // two pairs that send at once: apart, or the second g later
    const jobs = (each: number) => [
      {
        workload: { name: "collective", call: "alltoall", ranks: 4, bytes: "8B" },
        each,
        mpi: { algorithms: { alltoall: "direct" } },
      },
    ]
    const [apart, together] = [await result({ engine, jobs: jobs(1) }), await result({ engine, jobs: jobs(4) })]
    // three messages leave and come in g apart; all twelve of one interface
    expect(apart.values["jobs.time"]).toBe(1000 + 2 * 500)
    expect(together.values["jobs.time"]).toBe(1000 + 11 * 500)
  })
})

describe("how runs end", () => {
  test("a limit names who has not ended; a pause in the middle changes nothing", async () => {
    const r = await result({ jobs: ring(4, 101), measure: { until: "jobs", limit: "2us" } })
    expect([r.why, r.explains]).toEqual([
      "limit",
      expect.stringMatching(/^reached the limit of 2000 cycles; 1 of 4 ranks have ended; ring rank 0 waits/),
    ])
    const spec = await specOf({ jobs: [{ workload: { name: "halo", grid: "2x2x2", turns: 3, compute: "3us" } }] })
    const whole = await simulate(ready(spec), { threads: false })
    const before = await open(ready(spec))
    expect(before.step(4000)).toBe(false)
    const after = await open(ready(spec), {}, before.save())
    while (!after.step(700));
    const plain = ({ values: { seconds: _, ...values }, ...rest }: RunResult) => ({ ...rest, values })
    expect(plain(await after.result())).toEqual(plain(whole))
  })
  test.each<[string, Tree, string]>([
    ["traffic", { traffic: { load: 0.1 } }, "traffic: engine: ideal has no network for other traffic"],
    ["probes", { probes: ["channels"] }, "probes: engine: ideal has no network, so only the probe timeline works"],
    ["a window", { measure: { limit: "1ms" } }, "measure.until: engine: ideal lasts until jobs have ended"],
    [
      "a cost twice",
      { jobs: [{ ...ring(2, 8)[0], mpi: { eager: "2KiB" } }] },
      "jobs.0.mpi.eager: engine.S is given as well",
    ],
    [
      "a background",
      { jobs: [...ring(2, 8), { workload: { name: "background", ranks: 2, load: 0.1 } }] },
      "jobs.1.workload: engine: ideal has nothing that a background could fill",
    ],
  ])("refused: %s", async (_, more, says) => {
    const got = await checked({ jobs: ring(2, 8), ...more })
    expect("bad" in got && got.bad.map((b) => `${b.path}: ${b.says}`)).toContain(says)
  })
})

describe("what led to the end, and when ranks waited", () => {
  test("a token: the path is every message, and the ranks' own time is between them", async () => {
    const { tables, values } = await result({ jobs: ring(3, 1) })
    const path = tables["jobs-path"]!
    // rank 0 begins, sends to 1, it to 2, and that to 0, who ends last: o on a rank, L between, o and o
    expect(path["rank"]).toEqual([0, 1, 2, 0])
    expect(path["from"]).toEqual([Number.NaN, 0, 1, 2])
    expect(path["sent"]).toEqual([Number.NaN, 100, 1300, 2500])
    expect(path["came"]).toEqual([0, 1100, 2300, 3500])
    expect(path["until"]).toEqual([100, 1300, 2500, 3600])
    expect(values["jobs.time"]).toBe(3600)
  })
  test("pieces of a microsecond: rank 1 is held back until the token has come, and computes nothing", async () => {
    const { tables } = await result({ jobs: ring(3, 1) })
    const t = tables["jobs-timeline"]! as { rank: number[]; time: number[]; held: number[] }
    const of = (rank: number) => t.held.filter((_, i) => t.rank[i] === rank)
    expect(t.time.slice(0, 4)).toEqual([0, 1000, 2000, 3000])
    // rank 2 waits for its receive until 2400, from then on it sends until 2500
    expect(of(2).map((v) => Math.round(v * 1000))).toEqual([1000, 1000, 500, 0])
    expect(of(0).map((v) => Math.round(v * 1000))).toEqual([1000, 1000, 1000, 600])
  })
  test("a figure and tables of the report", async () => {
    const spec = await specOf({
      jobs: [{ workload: { name: "halo", grid: "2x2x2", turns: 3, compute: "3us" } }, ...ring(3, 1)],
    })
    const records = [{ ...made(), spec, point: {}, result: await simulate(ready(spec), { threads: false }) }]
    const ids = figuresOf(records).map((f) => f.id.replace(/-all runs$/, ""))
    expect(ids).toEqual(["jobs", "timeline", "calls", "sizes"])
    const timeline = figuresOf(records).find((f) => f.kind === "cells")
    expect(timeline?.kind === "cells" && timeline.bands?.map((b) => [b.row, b.name])).toEqual([
      [0, "halo"],
      [8, "ring"],
    ])
    const page = reportHtml({ records, about: {} })
    for (const said of [
      "Critical path",
      "When ranks were blocked",
      "Latency by message size",
      "Where the time of ranks goes",
    ])
      expect(page).toContain(said)
  })
})
