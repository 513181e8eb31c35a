// What is wrong is said before anything is handed over, or by the first task, and nothing stays in the queue; and many
// tiny points cost little.
import { existsSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { tasksOf } from "../../src/cluster/job.ts"
import { fakeSimulator } from "../support/build.ts"
import { found, missing, Site } from "./support.ts"

const sweep = (points: number) => `lacewing: 1
title: Tiny points
network: { topology: { name: mesh, sides: 2x2 }, routing: mesh.dimension-order }
traffic: { pattern: uniform, load: 0.1 }
measure: { warmup: 100cycles, window: 200cycles, limit: 1kcycles }
sweep: { traffic.load: { from: 0.0001, to: ${points / 1e4}, step: 0.0001 } }
`

describe.skipIf(missing !== "")("on a real cluster", () => {
  let site: Site
  beforeAll(async () => {
    site = await Site.start({ partition: "MaxTime=60" })
    writeFileSync(join(site.dir, "few.yaml"), sweep(12))
    writeFileSync(join(site.dir, "many.yaml"), sweep(2000))
  })
  afterAll(() => site?.stop())
  const on = ["--on", "slurm", "--quiet", "--no-report", "--poll", "200ms,1s"]

  test.each<[string, string[], RegExp, boolean]>([
    ["an unknown partition", ["--partition", "mian"], /cluster\.partition: There is no partition "mian"/, false],
    ["more memory than a node has", ["--mem", "3GiB"], /cluster\.mem: .*\n {2}fix: write at most 2000M/, false],
    [
      "more time than the partition allows",
      ["--time", "2h"],
      /cluster\.time: .*\n {2}fix: write at most 1 h 0 min/,
      false,
    ],
    ["more cores than a node has", ["--cpus", "2"], /cluster\.cpus: .*\n {2}fix: write at most 1/, false],
    ["nodes that cannot write the folder", ["--setup", "ulimit -f 0"], /ended before the start/, true],
    ["nodes without Node", ["--node", "/no/such/node"], /ended before the start[\s\S]*not found/, true],
  ])("%s: said, and nothing stays in the queue", async (name, more, says, later) => {
    const out = name.replaceAll(" ", "-")
    const got = await site.run("run", "few.yaml", "--out", out, ...on, "--per-task", "1s", ...more)
    expect(got.err).toMatch(says)
    expect([got.code, got.out, site.queued()]).toEqual([2, "", 0])
    expect(existsSync(join(site.dir, out))).toBe(later)
  })

  test("2,000 tiny points: as many tasks as there is work for, and what each costs beside its run", async () => {
    const local = await site.run("run", "many.yaml", "--out", "here", "--quiet", "--no-report", "--workers", "1")
    const begun = Date.now()
    const far = await site.run("run", "many.yaml", "--out", "far", ...on)
    const seconds = (Date.now() - begun) / 1000
    expect([far.err, far.code]).toEqual(["", 0])
    expect(far.out).toBe(local.out)
    const records = await site.records("far")
    expect(found(records)).toEqual(found(await site.records("here")))
    const job = site.jobs("far")[0]
    const tasks = tasksOf(job.rounds())
    // predicted at no more than a second each: 2,000 s of work in tasks of 20 minutes
    expect(tasks.length).toBeLessThanOrEqual(2)
    const runs = records.reduce((sum, r) => sum + r.provenance.seconds, 0)
    console.log(
      JSON.stringify({
        points: 2000,
        tasks: tasks.length,
        seconds,
        inRuns: runs,
        overheadPerPoint: (seconds - runs / tasks.length) / 2000,
      }),
    )
    expect(readdirSync(join(job.dir, "tasks"))).toHaveLength(tasks.length)
  })

  test("points that fail alone are reported, and the others are there", async () => {
    writeFileSync(
      join(site.dir, "fails.yaml"),
      `${sweep(3)
        .replace("pattern: uniform", "name: fine, pattern: uniform")
        .replace(/sweep:.*/, "")}variants: { fine: {}, crashes: { traffic.name: crash } }\n`,
    )
    const got = await site.run("run", "fails.yaml", "--out", "fails", ...on, "--simulator", fakeSimulator)
    expect([got.code, got.err]).toEqual([
      1,
      expect.stringMatching(
        /^crashed variant=crashes seed=1: This is a bug in lacewing, .*: TypeError: something is undefined/,
      ),
    ])
    expect(site.jobs("fails")[0].rounds()).toHaveLength(1)
  })
})
