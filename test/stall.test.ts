// The stall detector of test/run.mjs: it must notice processes that wait for ever, and nothing else.
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { root } from "./support/build.ts"
// @ts-expect-error: plain JavaScript, because test/run.mjs runs before anything is compiled
import { msOf, Stall, treeOf } from "./support/stall.mjs"

const cpu = (...used: number[]) => new Map(used.map((ms, pid) => [pid, ms]))

describe("Stall", () => {
  it("reports the quiet time once the processes used no more than 0.5 % of the limit as CPU time", () => {
    const stall = new Stall(100_000)
    expect(stall.sample(cpu(5000, 7000), 0)).toBe(0)
    // 250 + 250 ms are 0.5 % of 100 s
    expect(stall.sample(cpu(5250, 7250), 99_999)).toBe(0)
    expect(stall.sample(cpu(5250, 7250), 100_000)).toBe(100_000)
    expect(stall.sample(cpu(5250, 7250), 130_000)).toBe(130_000)
  })

  it("begins again whenever they used more, also by a process that is new", () => {
    const stall = new Stall(100_000)
    stall.sample(cpu(5000), 0)
    expect(stall.sample(cpu(5510), 99_000)).toBe(0)
    expect(stall.sample(cpu(5510), 198_000)).toBe(0)
    expect(stall.sample(cpu(5510, 510), 198_500)).toBe(0)
    // one that has ended takes nothing back
    expect(stall.sample(cpu(5510), 298_000)).toBe(0)
    expect(stall.sample(cpu(5510), 298_500)).toBe(100_000)
  })
})

describe("msOf", () => {
  it("reads the times of ps", () => {
    expect(["0:01.50", "01:02:03", "2-00:00:01"].map(msOf)).toEqual([1500, 3_723_000, 172_801_000])
  })
})

describe("treeOf", () => {
  it("finds the children of children, in any order of the table, and not their neighbours", () => {
    const table = [
      [30, 20],
      [20, 10],
      [10, 1],
      [40, 1],
    ].map(([pid, parent]) => ({ pid, parent, cpu: 0 }))
    expect(treeOf(10, table).map((p: { pid: number }) => p.pid)).toEqual([20, 30])
  })
})

describe("a command that sleeps for ever", () => {
  it("ends with failure, the name of what runs and the state of its processes", () => {
    const sleeps = `
      require("node:fs").writeFileSync(process.env.LACEWING_RUNNING, "test/sleeps-for-ever.test.ts")
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)`
    const watched = join(root, "test/support/watched.mjs")
    const { status, stderr } = spawnSync(process.execPath, [watched, "--limit", "2", process.execPath, "-e", sleeps], {
      encoding: "utf8",
    })
    expect(status).toBe(1)
    expect(stderr).toMatch(/STALLED: no process of the tests used the CPU for \d+ s/)
    expect(stderr).toContain("Running: test/sleeps-for-ever.test.ts")
    expect(stderr).toMatch(
      process.platform === "linux"
        ? /process \d+: .*node.*\n {2}thread \d+ .*: state S, waits in /
        : /is not available/,
    )
  })

  it("is left alone when it ends by itself", () => {
    const watched = join(root, "test/support/watched.mjs")
    const { status } = spawnSync(process.execPath, [watched, process.execPath, "-e", "process.exit(7)"])
    expect(status).toBe(7)
  })
})
