// Exposed communication, stragglers and tail by hand, and of jobs on the ideal network with closed forms.
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { check } from "../src/api.ts"
import { defineExperiment } from "../src/index.ts"
import type { RunResult } from "../src/model/experiment.ts"
import { jobSentences } from "../src/results/findings/stragglers.ts"
import { prepare, simulate } from "../src/run/simulate.ts"
import { stragglersOf } from "../src/workloads/mpi/stragglers.ts"

describe("by hand", () => {
  test("four ranks, one of them computes twice as long, and all end together", () => {
    // Times 20 each. Communication 10 + 10 + 10 + 0 of 80. Mean computing time 50 / 4.
    const got = stragglersOf(Float64Array.of(10, 10, 10, 0), Float64Array.of(10, 10, 10, 20))
    expect(got).toEqual({ exposed: 30 / 80, rank: 3, excess: 20 / 12.5, p50: 20, p99: 20, tail: 1 })
  })
  test("percentiles are times of ranks: 1 to 200 has the median 100 and the 99th percentile 198", () => {
    const { p50, p99, tail, rank, excess } = stragglersOf(
      Float64Array.from({ length: 200 }, (_, r) => 200 - r),
      new Float64Array(200),
    )
    expect([p50, p99, tail]).toEqual([100, 198, 200 / 100])
    expect([rank, excess]).toEqual([Number.NaN, Number.NaN])
  })
  test("no value if a rank has not ended", () => {
    const got = stragglersOf(Float64Array.of(1, -1), Float64Array.of(1, 1))
    expect(Object.values(got)).toEqual(Array.from({ length: 6 }, () => Number.NaN))
  })
})

const folder = mkdtempSync(join(tmpdir(), "lacewing-stragglers-"))
let files = 0
/** Runs a schedule with L = 1 us and no other cost; one cycle is 1 ns. */
async function result(goal: string, limit = "10ms"): Promise<RunResult> {
  const file = join(folder, `${++files}.goal`)
  writeFileSync(file, goal)
  const got = await check(
    defineExperiment({
      lacewing: 1,
      network: { topology: { name: "crossbar", n: 8 }, routing: "crossbar.direct", cycle: "1ns" },
      engine: { name: "ideal", L: "1us", g: "0ns", G: "0ns", o: "0ns" },
      jobs: [{ name: "app", workload: { name: "trace", file } }],
      measure: { until: "jobs", limit },
    }),
  )
  if ("bad" in got) throw new Error(got.bad.map((b) => `${b.path}: ${b.says}`).join("\n"))
  const made = prepare(got.ok.runs[0]!.spec, { read: (path) => readFileSync(path, "utf8") })
  if ("bad" in made) throw new Error(made.bad.map((b) => `${b.path}: ${b.says}`).join("\n"))
  return simulate(made.ok, { threads: false })
}
/** Ranks 0 to n - 2 compute for `usual` ns, the last one for `slow`; then it sends a byte to each of them. */
function waiting(n: number, usual: number, slow: number): string {
  const others = Array.from({ length: n - 1 }, (_, r) => r)
  const body = others.map((r) => `rank ${r} {\na: calc ${usual}\nb: recv 1b from ${n - 1} tag 0\nb requires a\n}`)
  const sends = others.map((r) => `s${r}: send 1b to ${r} tag 0\ns${r} requires c`)
  return `num_ranks ${n}\n${body.join("\n")}\nrank ${n - 1} {\nc: calc ${slow}\n${sends.join("\n")}\n}\n`
}

describe("jobs on the ideal network", () => {
  test("ranks wait for a straggler: each of them for its excess and for L", async () => {
    const { values, tables } = await result(waiting(4, 10_000, 20_000))
    // Ranks 0 to 2: 10 us of computing, 20 + 1 us in all. Rank 3: 20 us, all computing.
    expect(values["jobs.time"]).toBe(21_000)
    expect(values["jobs.exposed"]).toBeCloseTo((3 * 11) / (3 * 21 + 20), 12)
    expect(values["jobs.straggler"]).toBeCloseTo(20 / 12.5, 12)
    expect(values["jobs.tail"]).toBe(1)
    expect(tables["jobs"]).toMatchObject({ straggler: [3], "time.p50": [21_000], "time.p99": [21_000] })
    expect(jobSentences({ result: { why: "drained", explains: "", values, tables, fingerprint: "" } })).toEqual([
      "app: 39.8 % of the time of ranks is exposed communication; rank 3 computes 1.60 × the mean",
    ])
  })
  test("ranks that exchange nothing: no exposed communication, and a tail", async () => {
    const { values } = await result("num_ranks 3\nrank 0 {\ncalc 10\n}\nrank 1 {\ncalc 10\n}\nrank 2 {\ncalc 25\n}\n")
    expect(values).toMatchObject({ "jobs.exposed": 0, "jobs.straggler": 25 / 15, "jobs.tail": 2.5 })
  })
  test("a job without computing has no straggler, and a job that did not end has no value", async () => {
    const { values } = await result("num_ranks 2\nrank 0 {\nsend 1b to 1 tag 0\n}\nrank 1 {\nrecv 1b from 0 tag 0\n}\n")
    expect(values["jobs.exposed"]).toBe(1)
    expect(values).not.toHaveProperty("jobs.straggler")
    const { missing } = await result(waiting(4, 10_000, 20_000), "15us")
    expect(missing).toEqual(expect.arrayContaining(["jobs.exposed", "jobs.straggler", "jobs.tail"]))
  })
})
