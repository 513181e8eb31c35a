// Rules of CODES as one key, copies of a workload, and bandwidths by link class: what a run of them holds, and times
// by hand.
import { describe, expect, test } from "vitest"
import { check, defineExperiment, run } from "../src/api.ts"
import { BLOCKS, Kind, PARTIAL } from "../src/workloads/program.ts"
import { written } from "../src/workloads/writer.ts"
import { play } from "./support/ideal.ts"

type Tree = Record<string, unknown>

/** Two endpoints on each of three routers in a row; a token goes round three ranks, one on each router. */
const base: Tree = {
  lacewing: 1,
  title: "A ring",
  network: {
    topology: { name: "mesh", sides: "3", p: 2 },
    routing: "mesh.dimension-order",
    switch: { name: "chunk", bandwidth: "10GB/s", delay: "0ns" },
    endpoint: "rails",
    flit: "64B",
  },
  engine: "packet",
  jobs: [{ name: "app", workload: { name: "ring", ranks: 3, bytes: "4096B", iterations: 5 }, placement: "routers" }],
  measure: { until: "jobs", limit: "1ms" },
}
const ring = (base["jobs"] as Tree[])[0]
const network = base["network"] as Tree
const of = (more: Tree) => defineExperiment({ ...base, ...more } as never)

async function specOf(more: Tree) {
  const got = await check(of(more))
  if ("bad" in got) throw new Error(got.bad.map((b) => `${b.path}: ${b.says}`).join("\n"))
  return got.ok.runs[0].spec
}
async function refused(more: Tree) {
  const got = await run(of(more))
  return "bad" in got ? got.bad.map((b) => `${b.path}: ${b.says}`) : []
}
async function ran(more: Tree) {
  const got = await run(of(more))
  if ("bad" in got) throw new Error(got.bad.map((b) => `${b.path}: ${b.says}`).join("\n"))
  return got.ok.records[0].result
}

describe("rules: codes-2019", () => {
  const engine = { name: "packet", rules: "codes-2019" }
  const slimfly = { ...network, topology: { name: "slimfly", q: 3, p: 2 }, routing: "slimfly.ugal-l" }
  const jobs = [ring, { name: "noise", workload: { name: "background", ranks: 3, load: 0.1 } }]

  test("sets the keys of switch, endpoint, background and MPI that the experiment does not set", async () => {
    const spec = await specOf({ engine, network: slimfly, jobs })
    expect(spec.network.switch).toMatchObject({
      endRate: "times-rails",
      creditWire: "none",
      jitter: "codes",
      order: "strict-high",
      commit: "early",
      delay: "0ns",
    })
    expect(spec.network.endpoint).toMatchObject({ since: "handed" })
    expect(spec.jobs![1].workload).toMatchObject({ phase: "together" })
    expect(spec.jobs![0].mpi).toMatchObject({ collectives: "free", partialWaits: "free", software: "2500ns" })
  })
  test("differ by topology, and give way to what is written", async () => {
    const megafly = { name: "megafly", groups: 3, leaves: 2, spines: 2, p: 1 }
    const spec = await specOf({
      engine,
      network: {
        ...network,
        topology: megafly,
        routing: "megafly.minimal",
        switch: { name: "chunk", jitter: "none" },
      },
      jobs: [{ ...ring, mpi: { collectives: "mpich" } }],
    })
    expect(spec.network.switch).toMatchObject({ order: "strict-low", jitter: "none" })
    expect(spec.jobs![0].mpi).toMatchObject({ collectives: "mpich", eager: "8192B" })
  })
  test("are rules of the packet engine", async () => {
    expect(await refused({ engine: { name: "flit", rules: "codes-2019" } })).toEqual([
      expect.stringMatching(/^engine\.rules: The flit engine does not have this key/),
    ])
  })
})

test("a wait for some requests takes no time where these are free", () => {
  // Rank 1 sends after 1 us. The wait of rank 0 lets it end at 1 us + 1 ns, the latency, or at once: then the open
  // receive is the last to finish. A computation of 2 us after the wait is over at 3,001 ns, or at 2,000 ns.
  const program = written(2, (r, w) => {
    if (r === 1) {
      w.compute(1_000_000)
      w.send(0, 8, 0)
      return
    }
    w.irecv(1, 8, 0, 0)
    w.op(Kind.WAIT, { flags: BLOCKS | PARTIAL, needs: [0] })
    w.compute(2_000_000)
  })
  const end = (partialWaits: string) => play(program, undefined, { partialWaits }).ended
  expect([end("wait"), end("free")]).toEqual([3_001_000, 2_000_000])
})

describe("copies", () => {
  test("are jobs with their own endpoints and the same times", async () => {
    const { values, tables } = await ran({ jobs: [{ ...ring, copies: 2, placement: "contiguous" }] })
    const alone = await ran({ jobs: [{ ...ring, placement: "contiguous" }] })
    expect(tables["jobs"]["job"]).toEqual(["app-1", "app-2"])
    expect(values["jobs.ended"]).toBe(1)
    // ranks 0 and 1 of a job share a router in the first copy, 1 and 2 in the second
    expect([...(tables["jobs"]["end"] as Iterable<number>)]).toEqual([
      alone.tables["jobs"]["end"][0],
      alone.tables["jobs"]["end"][0],
    ])
  })
  test("need as many endpoints, distinct names, and no background", async () => {
    expect(await refused({ jobs: [{ ...ring, copies: 3 }] })).toEqual([expect.stringMatching(/9 ranks want 9/)])
    expect(
      await refused({
        jobs: [
          { ...ring, copies: 2 },
          { ...ring, name: "app-1" },
        ],
      }),
    ).toEqual(['jobs: "app-1" is a job and a copy of another one'])
    const noise = { name: "noise", workload: { name: "background", ranks: 2 }, copies: 2 }
    expect(await refused({ jobs: [ring, noise] })).toEqual([expect.stringMatching(/jobs\.1\.copies/)])
  })
})

describe("rates", () => {
  const at = (rates: Tree) => ({ network: { ...network, switch: { ...(network["switch"] as Tree), rates } } })
  const end = async (rates: Tree) => Number((await ran(at(rates))).tables["jobs"]["end"][0])

  test("of links of endpoints and between routers, each for itself", async () => {
    const usual = await end({})
    // 15 messages of one chunk of 4,096 bytes over two links of endpoints: 409.6 ns at 10 GB/s, 819.2 ns at 5 GB/s
    expect((await end({ end: "5GB/s" })) - usual).toBeCloseTo(15 * 2 * 409.6, 6)
    // 0 -> 1 -> 2 -> 0 crosses 1 + 1 + 2 links between routers in each of 5 rounds
    expect((await end({ link: "5GB/s" })) - usual).toBeCloseTo(5 * 4 * 409.6, 6)
  })
  test("of a class that the network does not have, or with cut-through, are refused", async () => {
    expect(await refused(at({ globe: "5GB/s" }))).toEqual([
      expect.stringMatching(/^network\.switch\.rates\.globe: mesh has no links of this class/),
    ])
    const cut = { ...network, switch: { name: "chunk", switching: "cut-through", rates: { end: "5GB/s" } } }
    expect(await refused({ network: cut })).toEqual([
      expect.stringMatching(/^network\.switch\.rates: a chunk that cuts/),
    ])
  })
})
