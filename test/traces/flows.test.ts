// The table `jobs-flows`: start and finish of each flow of a list of flows, with every engine.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { check } from "../../src/api.ts"
import { hostAt } from "../../src/experiment/disk/host.ts"
import { defineExperiment } from "../../src/index.ts"
import type { RunResult } from "../../src/model/experiment.ts"
import { prepare, simulate } from "../../src/run/simulate.ts"

const folder = mkdtempSync(join(tmpdir(), "lacewing-flows-"))
afterAll(() => rmSync(folder, { recursive: true }))
// The last line starts first, and node 3 both sends and receives.
writeFileSync(
  join(folder, "four.cm"),
  `Nodes 4
Connections 4
0->3 start 2 size 1024
1->3 start 0 size 2048
3->0 start 4 size 64
0->2 start 1 size 512
`,
)

type Tree = Record<string, unknown>
const clocked = {
  topology: { name: "mesh", sides: "2x2" },
  routing: "mesh.dimension-order",
  switch: { name: "combined", vcs: 2, buffer: "64flits" },
  endpoint: { name: "queue-pairs", ack: "0flits", active: 64 },
  links: { link: "10ns", end: "10ns" },
  cycle: "1ns",
  flit: "16B",
}
const packet = {
  topology: { name: "mesh", sides: "2x2" },
  routing: "mesh.dimension-order",
  switch: { name: "chunk", bandwidth: "16GB/s" },
  endpoint: "rails",
}

async function result(network: Tree, engine: Tree, more: Tree = {}, job: Tree = {}, workers = 1): Promise<RunResult> {
  const jobs = [{ workload: { name: "trace", file: "four.cm" }, mpi: { eager: "1MiB", header: "16B" }, ...job }]
  const tree = { lacewing: 1, network, engine, jobs, measure: { until: "jobs", limit: "20us" }, ...more }
  const got = await check(defineExperiment(tree as never), { folder })
  if ("bad" in got) throw new Error(got.bad.map((b) => `${b.path}: ${b.says}`).join("\n"))
  const ready = prepare(got.ok.runs[0].spec, hostAt(folder))
  if ("bad" in ready) throw new Error(ready.bad.map((b) => `${b.path}: ${b.says}`).join("\n"))
  return simulate(ready.ok, { threads: false, workers })
}

describe("flow times", () => {
  it("list each flow in the order of the file", async () => {
    const r = await result(clocked, { name: "flit" })
    const table = r.tables["jobs-flows"]
    expect(table).toMatchObject({
      job: ["four.cm", "four.cm", "four.cm", "four.cm"].map(() => table["job"][0]),
      flow: [0, 1, 2, 3],
      src: [0, 1, 3, 0],
      dst: [3, 3, 0, 2],
      bytes: [1024, 2048, 64, 512],
      start: [2000, 0, 4000, 1000],
    })
    // node 3 to 0: two links between three routers, 4 flits
    const alone = 10 + 3 + 2 * 10 + 10 + 4
    expect(table["finish"][2]).toBe(4000 + alone)
    expect(Math.max(...(table["finish"] as number[]))).toBe(r.values["jobs.time"])
  })
  it("are equal for 1, 2 and 3 workers, and with the packet engine", async () => {
    const first = (await result(clocked, { name: "flit" })).tables["jobs-flows"]
    for (const workers of [2, 3])
      expect((await result(clocked, { name: "flit" }, {}, {}, workers)).tables["jobs-flows"]).toEqual(first)
    const own = (await result(packet, { name: "packet" })).tables["jobs-flows"]
    expect(own["start"]).toEqual(first["start"])
    for (const engine of [
      { name: "packet", sync: "conservative", workers: 2 },
      { name: "packet", sync: "optimistic", workers: 2 },
    ])
      expect((await result(packet, engine)).tables["jobs-flows"]).toEqual(own)
  })
  it("count from the start of the job, and miss the finish of a flow that is not over", async () => {
    const late = (await result(clocked, { name: "flit" }, {}, { start: "1us" })).tables["jobs-flows"]
    expect(late["start"]).toEqual([3000, 1000, 5000, 2000])
    const cut = await result(clocked, { name: "flit" }, { measure: { until: "jobs", limit: "3us" } })
    expect(cut.tables["jobs-flows"]["start"]).toEqual([2000, 0, Number.NaN, 1000])
    expect(cut.tables["jobs-flows"]["finish"][2]).toBeNaN()
  })
  it("are absent for other workloads", async () => {
    const r = await result(clocked, { name: "flit" }, { jobs: [{ workload: { name: "ring", ranks: 4 } }] })
    expect(r.tables["jobs-flows"]).toBeUndefined()
  })
})
