// What jobs do to each other: alone, in pairs, together, on the endpoints that they have together; channels that
// several use.
import { describe, expect, it } from "vitest"
import { check } from "../src/api.ts"
import { defineExperiment } from "../src/index.ts"
import { prepare, simulate } from "../src/run/simulate.ts"
import { interferenceOf } from "../src/sweep/interference.ts"

const host = { read: (path: string): string => `no file ${path}` }
const machine = { prepare, simulate: (p: Parameters<typeof simulate>[0]) => simulate(p, { threads: false }) }

/** A row of three routers with two endpoints each: what goes from one end to the other shares the links in the middle.
 *  */
async function report(jobs: readonly object[], measure: object = { until: "jobs", limit: "400us" }) {
  const got = await check(
    defineExperiment({
      lacewing: 1,
      network: {
        topology: { name: "mesh", sides: "3", p: 2 },
        routing: "mesh.dimension-order",
        switch: { name: "chunk", bandwidth: "10GB/s" },
        endpoint: "rails",
        flit: "64B",
      },
      engine: "packet",
      jobs,
      measure,
    } as never),
  )
  if ("bad" in got) throw new Error(got.bad.map((b) => `${b.path}: ${b.says}`).join("\n"))
  return interferenceOf(got.ok.runs[0]!.spec, host, machine, () => {})
}
const across = (name: string) => ({
  name,
  workload: { name: "collective", call: "alltoall", ranks: 2, bytes: "64KiB", turns: 4 },
  place: "routers",
})

describe("interference", () => {
  it("two jobs on the same links slow each other down, and the links are named", async () => {
    // in turn over routers: one job on the first endpoints of routers 0 and 1, the other on those of 2 and of 0
    const got = await report([across("a"), across("b")])
    if ("bad" in got) throw new Error(got.bad[0]!.says)
    const { jobs, matrix, shared, why } = got.ok
    expect(why).toBe("drained")
    expect(jobs.map((j) => [j.name, j.ranks])).toEqual([
      ["a", 2],
      ["b", 2],
    ])
    expect(matrix[0]![0]).toBe(1)
    for (const [i, j] of [
      [0, 1],
      [1, 0],
    ] as const)
      expect(matrix[i]![j]).toBeGreaterThan(1.05)
    // of two there is one pair: all together is the same
    expect(jobs.map((j) => j.slowdown)).toEqual([matrix[0]![1], matrix[1]![0]])
    // 4 turns of 64 KiB each way: 4096 flits and the requests to send and clear to send
    expect(shared.map((s) => [s.at, s.to])).toEqual(
      [
        ["0", "1"],
        ["1", "0"],
      ].map(([x, y]) => [`(${x})`, `(${y})`]),
    )
    for (const s of shared) for (const f of s.flits) expect(f).toBeGreaterThanOrEqual(4096)
  })
  it("jobs apart do not meet; a background has no time of its own", async () => {
    const near = (name: string) => ({ name, workload: { name: "ring", ranks: 2, bytes: "2KiB" } })
    const got = await report([
      near("a"),
      near("b"),
      { workload: { name: "background", ranks: 2, load: 0.1, period: "5us" } },
    ])
    if ("bad" in got) throw new Error(got.bad[0]!.says)
    expect(got.ok.shared).toEqual([])
    expect(got.ok.jobs.map((j) => j.slowdown)).toEqual([1, 1, Number.NaN])
    expect(got.ok.matrix[0]).toEqual([1, 1, 1])
  })
  it("a background that shares channels with a job is named with its flits", async () => {
    const got = await report([
      across("a"),
      { name: "noise", workload: { name: "background", ranks: 4, load: 0.3, period: "2us" }, place: "routers" },
    ])
    if ("bad" in got) throw new Error(got.bad[0]!.says)
    const { jobs, matrix, shared } = got.ok
    expect(matrix[0]![1]).toBeGreaterThan(1)
    expect(jobs[1]!.slowdown).toBeNaN()
    // job a uses the links between routers 0 and 1; the background's four ranks are on routers 0 to 2
    expect(shared.map((s) => [s.at, s.to])).toEqual(
      expect.arrayContaining([
        ["(0)", "(1)"],
        ["(1)", "(0)"],
      ]),
    )
    // 10 GB/s are one flit of 64 B in 6.4 cycles of 1 ns: ranks offer 0.3 of that while job a runs alone. A link
    // carries at most what all four ranks offer.
    const offered = (4 * 0.3 * jobs[0]!.alone) / 6.4
    for (const s of shared) {
      expect(s.flits[0]!).toBeGreaterThanOrEqual(4096)
      expect(s.flits[1]!).toBeGreaterThan(0)
      expect(s.flits[1]!).toBeLessThan(1.5 * offered)
    }
  })
  it("one job, or a run that does not wait for them, is refused", async () => {
    const one = await report([across("a")])
    expect("bad" in one && one.bad[0]!.says).toBe("This command needs at least two jobs.")
    const window = await report([across("a"), across("b")], { warmup: "0us", window: "5us", limit: "5us" })
    expect("bad" in window && window.bad[0]!.path).toBe("measure.until")
  })
})
