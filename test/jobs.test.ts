// Jobs of an experiment, from its file to its results: placement, start, background, MPI's keys, how a run ends, what
// is refused.
import { describe, expect, test } from "vitest"
import { check } from "../src/api.ts"
import { defineExperiment } from "../src/index.ts"
import type { RunResult, RunSpec } from "../src/model/experiment.ts"
import { prepare, simulate } from "../src/run/simulate.ts"

type Tree = Record<string, unknown>

const base: Tree = {
  lacewing: 1,
  network: {
    topology: { name: "dragonfly", p: 2, a: 4, h: 2 },
    routing: "dragonfly.minimal",
    switch: { name: "chunk", bandwidth: "12.5GiB/s", vcs: 2 },
    endpoint: "rails",
  },
  engine: "packet",
  jobs: [{ workload: { name: "ring", ranks: 8 } }],
  measure: { until: "jobs", limit: "200us" },
}

async function specOf(more: Tree): Promise<RunSpec> {
  const got = await check(defineExperiment({ ...base, ...more } as never))
  if ("bad" in got) throw new Error(got.bad.map((b) => `${b.path}: ${b.says} -> ${b.fix}`).join("\n"))
  return got.ok.runs[0]!.spec
}

async function result(more: Tree, engine: Tree = {}): Promise<RunResult> {
  const spec = await specOf(more)
  const ready = prepare({ ...spec, engine: { ...spec.engine, ...engine } }, { read: () => "" })
  if ("bad" in ready) throw new Error(ready.bad.map((b) => `${b.path}: ${b.says}`).join("\n"))
  return simulate(ready.ok, { threads: false })
}
async function refused(more: Tree): Promise<string[]> {
  const got = await check(defineExperiment({ ...base, ...more } as never))
  return "bad" in got ? got.bad.map((b) => `${b.path}: ${b.says}`) : []
}

describe("a run with jobs", () => {
  test("ends when they have: values, tables, fingerprint", async () => {
    const r = await result({})
    expect([r.why, r.values["jobs.ended"]]).toEqual(["drained", 1])
    expect(r.explains).toMatch(/^all 8 ranks have ended/)
    // 3 laps of 8 messages
    expect(r.tables["jobs-sizes"]).toMatchObject({ bytes: [1024], messages: [24] })
    expect(r.tables["jobs"]).toMatchObject({ job: ["ring"], ranks: [8], ended: [8] })
    expect(r.tables["jobs-ranks"]!["end"]!.length).toBe(8)
    expect(r.values["jobs.time"]).toBe(Math.max(...(r.tables["jobs-ranks"]!["end"] as number[])))
  })
  test("one result with every synchronisation", async () => {
    const jobs = [
      { workload: { name: "halo", grid: "2x2x2", turns: 2, compute: "1us" }, place: "random" },
      { workload: { name: "collective", ranks: 9, bytes: "10KiB" }, start: "2us", place: "groups" },
    ]
    const traffic = { pattern: "uniform", load: 0.05, packet: "512flits" }
    const { values: _, ...first } = await result({ jobs, traffic })
    expect(first.why).toBe("drained")
    for (const engine of [
      { sync: "conservative", workers: 3 },
      { sync: "conservative", protocol: "null-messages", workers: 2 },
      { sync: "optimistic", workers: 4 },
    ]) {
      const { values: __, ...again } = await result({ jobs, traffic }, engine)
      expect(again).toEqual(first)
    }
  })
  test("a job that starts later ends so much later; background slows it down; computing counts apart", async () => {
    const time = async (more: Tree) => (await result(more)).values["jobs.time"]!
    const alone = await time({})
    expect(await time({ jobs: [{ workload: { name: "ring", ranks: 8 }, start: "5us" }] })).toBe(alone + 5000)
    expect(await time({ traffic: { pattern: "uniform", load: 0.7, packet: "512flits" } })).toBeGreaterThan(alone)
    const halo = { workload: { name: "halo", grid: "2x2x2", turns: 2, compute: "3us" } }
    const r = await result({ jobs: [halo] })
    expect(r.tables["jobs-ranks"]!["computing"]).toEqual(Array(8).fill(6000))
    expect((await result({ jobs: [{ ...halo, mpi: { compute: 0 } }] })).tables["jobs-ranks"]!["computing"]).toEqual(
      Array(8).fill(0),
    )
  })
  test("places: a ring of neighbours is fastest, a file says where, several ranks of one endpoint", async () => {
    const at = async (place: string, more: Tree = {}) =>
      (await result({ jobs: [{ workload: { name: "ring", ranks: 8 }, place, ...more }] })).values["jobs.time"]!
    const near = await at("contiguous")
    expect(await at("routers")).toBeGreaterThan(near)
    expect(await at("groups")).toBeGreaterThan(await at("routers"))
    expect(await at("random")).toBeGreaterThan(near)
    const spec = await specOf({})
    const listed = { ...spec, jobs: [{ ...spec.jobs![0]!, placement: "file" as const, file: "list.txt" }] }
    const said = async (text: string) => {
      const ready = prepare(listed, { read: () => text })
      if ("bad" in ready) return ready.bad.map((b) => `${b.path}: ${b.says}`).join("\n")
      return (await simulate(ready.ok)).values["jobs.time"]!
    }
    expect(await said("0 1 2 3\n4 5 6 7\n")).toBe(near)
    expect(await said("0 1 2 3\n4 5 6 72\n")).toBe('jobs.0.file: list.txt: "72" is not an endpoint from 0 to 71')
    expect(await said("0 1 2 3\n4 5 6")).toBe("jobs.0.workload: 8 ranks want 8 endpoints; of 72, 7 are free")
    expect(await at("contiguous", { each: 4 })).toBeLessThan(near)
  })
  test("a limit ends it, and says who has not ended", async () => {
    const r = await result({ measure: { until: "jobs", limit: "3us" } })
    expect(r.why).toBe("limit")
    expect(r.explains).toMatch(/of 8 ranks have ended; ring rank 0 waits in recv from rank 7, tag \d \(operation \d\)/)
    expect(r.values["jobs.ended"]).toBeLessThan(1)
  })
  test("collectives take the algorithm that is asked for", async () => {
    const messages = async (mpi: Tree) => {
      const { tables } = await result({ jobs: [{ workload: { name: "collective", ranks: 8, bytes: "8KiB" }, mpi }] })
      return (tables["jobs-sizes"]!["messages"] as number[]).reduce((a, b) => a + b, 0)
    }
    expect(await messages({ algorithms: { allreduce: "ring" } })).toBe(2 * 8 * 7)
    expect(await messages({})).toBe(2 * 8 * 3)
    expect(await messages({ collectives: "free" })).toBe(0)
  })
})

describe("refused", () => {
  test("a wrong key of a job is one complaint: neither traffic nor jobs are missing", async () => {
    expect(await refused({ jobs: [{ workload: { name: "ring", ranks: 8 }, plase: "linear" }] })).toEqual([
      "jobs.0.plase: unknown key",
    ])
    expect(await refused({ jobs: [] })).toEqual(["traffic: is missing", "measure.until: there are no jobs"])
  })
  test.each<[string, Tree, RegExp]>([
    [
      "more ranks than endpoints",
      { jobs: [{ workload: { name: "ring", ranks: 73 } }] },
      /^jobs\.0\.workload: 73 ranks want 73 endpoints; of 72, 72 are free/,
    ],
    [
      "two jobs that do not fit together",
      { jobs: [{ workload: { name: "ring", ranks: 50 } }, { workload: { name: "ring", ranks: 50 } }] },
      /^jobs\.1\.workload: 50 ranks want 50 endpoints; of 72, 22 are free/,
    ],
    ["an unknown workload", { jobs: [{ workload: "rink" }] }, /^jobs\.0\.workload\.name: there is no workload "rink"/],
    [
      "an unknown algorithm",
      { jobs: [{ workload: "ring", mpi: { algorithms: { allreduce: "rink" } } }] },
      /"rink" is not known/,
    ],
    [
      "an unknown key of MPI",
      { jobs: [{ workload: "ring", mpi: { eagre: "8KiB" } }] },
      /^jobs\.0\.mpi\.eagre: unknown key/,
    ],
    [
      "a grid that is none",
      { jobs: [{ workload: { name: "halo", grid: "3x3" } }] },
      /^jobs\.0\.workload\.grid: "3x3" is no grid/,
    ],
    ["a place that is none", { jobs: [{ workload: "ring", place: "nowhere" }] }, /^jobs\.0\.place: /],
    [
      "the flit engine with a switch of the packet engine",
      { engine: "flit" },
      /^network\.switch\.name: "chunk" is a switch of the packet engine only/,
    ],
    ["until jobs without any", { jobs: [], traffic: { load: 0.1 } }, /^measure\.until: there are no jobs/],
  ])("%s", async (_, more, says) => {
    const bad = await refused(more)
    expect(bad.length).toBeGreaterThan(0)
    expect(bad[0]).toMatch(says)
  })
})
