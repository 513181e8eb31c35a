// Ranks in the clocked engines: messages take the time of their way; one result for any partition, after a pause in the
// middle, and with the audit on; a run that hangs names its ranks.
import { describe, expect, it } from "vitest"
import { check } from "../../src/api.ts"
import { defineExperiment } from "../../src/index.ts"
import type { RunResult, RunSpec } from "../../src/model/experiment.ts"
import { stashingNetwork } from "../../src/reproduce/papers/stashing/network.ts"
import { open, prepare, simulate } from "../../src/run/simulate.ts"

type Tree = Record<string, unknown>

const links = { end: "5ns", link: "10ns" }
const combined: Tree = {
  topology: { name: "mesh", sides: "3x3", p: 2 },
  routing: "mesh.dimension-order",
  switch: { name: "combined", vcs: 2, buffer: "64flits", output: "16flits" },
  links,
  cycle: "1ns",
  flit: "16B",
}
/** Routers of flits: messages are cut into packets of eight, which a buffer holds. */
const inputQueued: Tree & { switch: Tree } = { ...combined, switch: { name: "input-queued", vcs: 2, buffer: "8flits" } }
/** The small network of the stashing paper: copies of all packets wait in its stash. */
const tiled: Tree = { ...stashingNetwork({ net: "small", stash: 0.25, switch: { reliability: true } }) }
const stencil = {
  workload: { name: "halo", grid: "2x2x2", bytes: "2000B", turns: 2, compute: "300ns" },
  mpi: { eager: "1KiB", sends: "left" },
}
const sum = { workload: { name: "collective", ranks: 3, bytes: "500B", turns: 2 }, start: "200ns", place: "random" }
const beside = { workload: { name: "background", ranks: 2, load: 0.3, period: "500ns" }, place: "random" }

async function specOf(network: Tree, jobs: readonly Tree[], more: Tree = {}): Promise<RunSpec> {
  const got = await check(
    defineExperiment({ lacewing: 1, network, jobs, measure: { until: "jobs", limit: "60us" }, ...more } as never),
  )
  if ("bad" in got) throw new Error(got.bad.map((b) => `${b.path}: ${b.says} -> ${b.fix}`).join("\n"))
  return got.ok.runs[0].spec
}
function ready(spec: RunSpec) {
  const made = prepare(spec, { read: () => "" })
  if ("bad" in made) throw new Error(made.bad.map((b) => `${b.path}: ${b.says}`).join("\n"))
  return made.ok
}
const plain = ({ values: { seconds: _, ...values }, ...rest }: RunResult) => ({ ...rest, values })
const run = async (spec: RunSpec, workers = 1) =>
  plain(await simulate(ready(spec), { threads: false, workers, audit: workers === 1 }))

describe("times", () => {
  it("one packet: an endpoint's link, a switch, an endpoint's link; a longer message is so many packets", async () => {
    const time = async (bytes: number) => {
      const spec = await specOf(combined, [{ workload: { name: "ring", ranks: 2, bytes: `${bytes}B`, laps: 1 } }])
      return (await run(spec)).tables["jobs-ranks"]["end"] as number[]
    }
    const [one, two] = [await time(16), await time(256)]
    // there and back: rank 0 hears last; both ways are alike
    expect(one[0]).toBe(2 * one[1])
    // fifteen flits more on the first link, the switch passes them on as they come
    expect(two[1] - one[1]).toBe(15)
    const long = await time(16 * 16 * 4)
    expect(long[1] - two[1]).toBe(3 * 16)
  })
  it("routers of flits: a flit more is a cycle more, in packets of the buffer", async () => {
    const time = async (flits: number) => {
      const spec = await specOf(inputQueued, [
        { workload: { name: "ring", ranks: 2, bytes: `${16 * flits}B`, laps: 1 } },
      ])
      const r = await run(spec)
      return { end: (r.tables["jobs-ranks"]["end"] as number[])[1], packets: r.values["packets"] }
    }
    const [one, eight, long] = [await time(1), await time(8), await time(33)]
    expect(eight.end - one.end).toBe(7)
    // there and back: one packet, one, five; a new packet takes the next VC without a pause
    expect([one.packets, eight.packets, long.packets]).toEqual([2, 2, 10])
    expect(long.end - eight.end).toBe(25)
    const short = await specOf(inputQueued, [
      { workload: { name: "ring", ranks: 2, bytes: "528B", laps: 1 }, packet: "3flits" },
    ])
    expect((await run(short)).values["packets"]).toBe(2 * 11)
    const long9 = await check(
      defineExperiment({ lacewing: 1, network: inputQueued, jobs: [{ ...sum, packet: "9flits" }] } as never),
    )
    expect("bad" in long9 && long9.bad[0].says).toBe("is 9 flits, but the switch accepts packets of at most 8")
  })
  it.each([
    ["combined", combined],
    ["input-queued", inputQueued],
  ])("messages count as what they are: %s", async (_, network) => {
    const r = await run(await specOf(network, [stencil]))
    expect([r.why, r.values["jobs.ended"]]).toEqual(["drained", 1])
    // 8 ranks, 6 neighbours, two turns; an all-reduce of 8 in three rounds
    expect(r.tables["jobs-sizes"]).toMatchObject({ bytes: [4, 2048], messages: [24, 96] })
    expect(r.tables["jobs-ranks"]["computing"]).toEqual(Array(8).fill(600))
  })
})

describe.each([
  ["input-queued", inputQueued],
  ["cut-through", { ...inputQueued, switch: { ...inputQueued.switch, flow: "cut-through" } }],
  ["combined", combined],
  ["tiled", tiled],
])("%s", (_, network) => {
  const traffic = { pattern: "uniform", load: 0.05, packet: "8flits" }
  it("one result for any partition, and left in the middle", async () => {
    const spec = await specOf(network, [stencil, sum, beside], { traffic })
    const first = await run(spec)
    expect([first.why, first.values["jobs.ended"]]).toEqual(["drained", 1])
    expect(await run(spec, 3)).toEqual(first)
    const before = await open(ready(spec), { threads: false, workers: 2 })
    expect(before.step(700)).toBe(false)
    const after = await open(ready(spec), { threads: false, workers: 2 }, before.save())
    while (!after.step(333));
    expect(plain(await after.result())).toEqual(first)
  })
})

describe("how runs end", () => {
  it("a limit, with who has not ended; jobs that only share the network's time", async () => {
    const r = await run(await specOf(combined, [stencil], { measure: { until: "jobs", limit: "500ns" } }))
    expect(r.why).toBe("limit")
    expect(r.explains).toMatch(/of 8 ranks have ended; halo rank 0 waits in wait/)
    const window = await run(
      await specOf(combined, [sum], {
        traffic: { load: 0.1, packet: "4flits" },
        measure: { warmup: "0ns", window: "3us", limit: "9us" },
      }),
    )
    expect([window.why, window.values["jobs.ended"]]).toEqual(["drained", 1])
  })
})

it("packets that are damaged and sent again bring their part of the message", async () => {
  const errors: Tree = {
    ...stashingNetwork({
      net: "small",
      stash: 0.25,
      switch: { reliability: true, errors: { local: 0.02, global: 0.02 }, timeout: "2us" },
    }),
  }
  const spec = await specOf(errors, [stencil, sum])
  const first = await run(spec)
  expect([first.why, first.values["jobs.ended"]]).toEqual(["drained", 1])
  expect(first.values["stash.repeated"]).toBeGreaterThan(3)
  // an all-reduce of 8 in three rounds, a stencil of 8 ranks, and twice three ranks: one sends to its neighbour, two
  // exchange, one gets the sum back
  expect((first.tables["jobs-sizes"]["messages"] as number[]).reduce((a, b) => a + b, 0)).toBe(24 + 96 + 2 * 4)
  expect(await run(spec, 3)).toEqual(first)
})
