// Traces as workloads of jobs: what they hold is played; what `trace check` complains about is refused before anything
// runs; a folder counts by its content.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { afterAll, describe, expect, it } from "vitest"
import { check } from "../../src/api.ts"
import { hostAt } from "../../src/experiment/disk/host.ts"
import { defineExperiment } from "../../src/index.ts"
import { prepare, simulate } from "../../src/run/simulate.ts"

const folder = mkdtempSync(join(tmpdir(), "lacewing-traces-"))
afterAll(() => rmSync(folder, { recursive: true }))
const write = (name: string, content: string | Uint8Array) => writeFileSync(join(folder, name), content)

/** Rank 0 computes 100 ns, sends to rank 1, which answers. */
const goal = `num_ranks 2
rank 0 {
a: calc 100
b: send 64b to 1 tag 1
c: recv 64b from 1 tag 2
b requires a
c requires b
}
rank 1 {
a: recv 64b from 0 tag 1
b: send 64b to 0 tag 2
b requires a
}
`

function experiment(file: string, more: Record<string, unknown> = {}) {
  return defineExperiment({
    lacewing: 1,
    network: {
      topology: { name: "mesh", sides: "2x2" },
      routing: "mesh.dimension-order",
      switch: { name: "chunk", bandwidth: "12.5GiB/s" },
      endpoint: "rails",
    },
    engine: "packet",
    jobs: [{ workload: { name: "trace", file, ...more } }],
    measure: { until: "jobs", limit: "20us" },
  } as never)
}
const refused = async (file: string, more?: Record<string, unknown>) => {
  const got = await check(experiment(file, more), { folder })
  return "bad" in got ? got.bad.map((b) => `${b.path}: ${b.says}`) : []
}
const plannedOf = async (file: string) => {
  const got = await check(experiment(file), { folder })
  if ("bad" in got) throw new Error(got.bad.map((b) => `${b.path}: ${b.says}`).join("\n"))
  return got.ok.runs[0]
}
const hashOf = async (file: string) => (await plannedOf(file)).hash
const specOf = async (file: string) => (await plannedOf(file)).spec

describe("a trace as a job", () => {
  it("is played, packed or not", async () => {
    write("two.goal", goal)
    write("two.goal.gz", gzipSync(goal))
    const times = []
    for (const file of ["two.goal", "two.goal.gz"]) {
      const ready = prepare(await specOf(file), hostAt(folder))
      if ("bad" in ready) throw new Error(ready.bad.map((b) => `${b.path}: ${b.says}`).join("\n"))
      const result = await simulate(ready.ok, { threads: false })
      expect([result.why, result.values["jobs.ended"]]).toEqual(["drained", 1])
      expect(result.tables["jobs-ranks"]["computing"]).toEqual([100, 0])
      times.push(result.values["jobs.time"])
    }
    expect(times[0]).toBe(times[1])
  })
  it("a folder counts by names and content", async () => {
    for (const name of ["a", "b", "c"]) mkdirSync(join(folder, name))
    write("a/two.goal", goal)
    write("b/two.goal", goal)
    write("c/two.goal", goal.replace("calc 100", "calc 101"))
    const [a, c] = [await hashOf("a"), await hashOf("c")]
    expect(a).not.toBe(c)
    write("c/two.goal", goal)
    // the path is part of the specification, so the same folder again
    write("a/two.goal", goal.replace("calc 100", "calc 99"))
    expect(await hashOf("a")).not.toBe(a)
    write("a/two.goal", goal)
    expect(await hashOf("a")).toBe(a)
  })
})

describe("refused before anything runs", () => {
  it("damaged, unmatched, too large, no trace", async () => {
    write("cut.goal", goal.slice(0, 60))
    expect((await refused("cut.goal"))[0]).toMatch(/^jobs\.0\.workload\.file: cut\.goal/)
    // the mistake itself, not that its rank is missing
    write("wrong.goal", goal.replace("to 0 tag 2", "to 7 tag 2"))
    expect((await refused("wrong.goal"))[0]).toMatch(
      /^jobs\.0\.workload\.file: wrong\.goal, line \d+, rank 1: expected a rank below 2, found "7"/,
    )
    write("hang.goal", goal.replace("b: send 64b to 0 tag 2", "b: calc 5"))
    expect((await refused("hang.goal"))[0]).toMatch(
      /rank 0, operation 2 .*a receive from rank 1, tag 2: no rank sends a matching message/,
    )
    write(
      "many.goal",
      goal.replace("num_ranks 2", "num_ranks 5") + [2, 3, 4].map((r) => `rank ${r} {\na: calc 1\n}\n`).join(""),
    )
    expect((await refused("many.goal"))[0]).toBe("jobs.0.workload: 5 ranks want 5 endpoints; of 4, 4 are free")
    write("no.txt", "hello")
    expect((await refused("no.txt"))[0]).toMatch(/none of its files is one that is known \(no\.txt\)/)
    write("bad.gz", gzipSync(goal).subarray(0, 40))
    expect((await refused("bad.gz"))[0]).toMatch(/the gzip data are damaged or cut off/)
    expect((await refused("nowhere"))[0]).toMatch(/^jobs\.0\.workload\.file: nowhere /)
    expect((await refused("two.goal", { format: "gaol" }))[0]).toMatch(/^jobs\.0\.workload\.format: expected one of/)
  })
})
