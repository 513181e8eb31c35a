// What a measurement says of networks that create little, in bursts, or too much: created load, saturation, the limit,
// and networks that may deadlock.
import { describe, expect, test } from "vitest"
import { plainMeasure, plainStream } from "../src/compile/plain-run.ts"
import type { RunResult, RunSpec } from "../src/model/experiment.ts"
import { prepare, simulate } from "../src/run/simulate.ts"

type Network = Partial<RunSpec["network"]>
type Measure = Parameters<typeof plainMeasure>[0]

const mesh = { topology: { name: "mesh", sides: [3, 3] }, routing: { name: "mesh.dimension-order" } }
const crossbar = { topology: { name: "crossbar", n: 9 }, routing: { name: "crossbar.direct" } }
const iq = { switch: { name: "input-queued", vcs: 2 } }
const combined = { switch: { name: "combined", vcs: 2 } }
const chunk = { switch: { name: "chunk", vcs: 2, chunk: "64B", buffer: "1024B" }, endpoint: { name: "rails" } }
const flits = (n: number) => ({ name: "fixed", size: `${n}flits` })
const automatic = {
  warmup: "auto",
  window: "auto",
  limit: "20kcycles",
  precision: 0.02,
  saturation: "early",
  drain: "measured",
} as const

function run(
  network: Network,
  traffic: Parameters<typeof plainStream>[0],
  measure: Measure,
  seed = 1,
): Promise<RunResult> {
  const packet = network.switch?.name === "chunk"
  const got = prepare(
    {
      network: { ...mesh, ...iq, endpoint: { name: "simple" }, links: {}, cycle: "1ns", flit: "8B", ...network },
      engine: packet ? { name: "packet", sync: "sequential" } : { name: "flit" },
      traffic: [plainStream(traffic)],
      measure: plainMeasure(measure),
      probes: [],
      seed,
    },
    { read: () => "" },
  )
  if ("bad" in got) throw new Error(got.bad.map((c) => `${c.path}: ${c.says}. ${c.fix}`).join("\n"))
  return simulate(got.ok, { workers: 1, threads: false })
}

describe.each([
  ["input-queued", iq],
  ["chunk", chunk],
])("%s", (_, machine) => {
  // 64-flit packets at 0.001: 9 / 64,000 packets a cycle, one in 7,000 cycles; today's 12 batches have 3,072
  test("an idle network is not called saturated, whatever its seed", async () => {
    for (const load of [1e-7, 1e-3])
      for (let seed = 1; seed <= 6; seed++) {
        const { why, values } = await run(machine, { load, packet: flits(64) }, automatic, seed)
        expect([why, values["saturated"]]).toEqual(["limit", 0])
      }
  })

  test("long messages at a low load do not pile up without end", async () => {
    const message = { name: "fixed", size: "1000packets" }
    const { explains, values } = await run(
      machine,
      { load: 0.05, packet: flits(1), message },
      { ...automatic, limit: "60kcycles" },
    )
    expect(explains).not.toContain("grows steadily")
    expect(values["saturated"]).toBe(0)
  })

  test("limit ends a run whose window is not drained, and it is saturated if that is why", async () => {
    const measure = { warmup: "1kcycles", window: "3kcycles", limit: "6kcycles", drain: "measured" } as const
    // eight of nine send to one endpoint: it takes 1 of 8
    const over = await run(machine, { load: 1, packet: flits(8), pattern: { name: "to-set", set: [0] } }, measure)
    expect([over.why, over.values["cycles"], over.values["saturated"]]).toEqual(["saturated", 6000, 1])
    // a window that ends with the limit: the packets on their way are no sign of saturation
    const short = await run(machine, { load: 0.2, packet: flits(8) }, { ...measure, limit: "4kcycles" })
    expect([short.why, short.values["cycles"], short.values["saturated"]]).toEqual(["limit", 4000, 0])
    expect(short.explains).toContain("at measure.limit; raise it, or set measure.drain: none")
  })
})

// What open sources create does not depend on the network: the crossbar carries it, a mesh with little room does not.
describe.each([
  ["input-queued", { switch: { name: "input-queued", vcs: 1, buffer: "1flits" } }],
  ["combined", combined],
  ["chunk", chunk],
])("%s: the created load is that of any other network with the same sources", (_, machine) => {
  const measure = { warmup: "0cycles", window: "2kcycles", limit: "4kcycles", drain: "none" } as const
  test.each([
    ["bernoulli", 0.9],
    ["poisson", 0.9],
    ["periodic", 0.9],
    ["on-off", 0.45],
    ["burst", 0.9],
  ])("%s", async (name, load) => {
    const message = { name: "range", min: "1packets", max: "5packets" }
    const traffic = { load, packet: flits(1), message, arrivals: { name } }
    const [a, b] = [
      await run({ ...machine, ...mesh }, traffic, measure),
      await run({ ...machine, ...crossbar }, traffic, measure),
    ]
    expect(a.values["created"]).toBeCloseTo(b.values["created"]!, 12)
    expect(a.values["created"]! / load).toBeGreaterThan(0.8)
    expect(a.values["accepted"]!).toBeLessThan(b.values["accepted"]!)
  })
})

// experiments/deadlock, measured automatically: seed 4 locks up at cycle 36,864, and seems saturated long before
test("a network that is watched for a deadlock is not called saturated before one had time to form", async () => {
  const network = {
    topology: { name: "dragonfly", p: 2, a: 4, h: 2, arrangement: "absolute" },
    routing: { name: "dragonfly.booksim-ugal", bias: "0flits" },
    switch: { name: "input-queued", vcs: 3, buffer: "4flits" },
    endpoint: { name: "simple", vc: "random" },
    links: { local: "1cycle", global: "1cycle" },
  }
  const traffic = { load: 1, packet: flits(16), pattern: { name: "group-adversarial" } }
  const measure = { ...automatic, limit: "200kcycles" }
  const plain = await run(network, traffic, measure, 4)
  expect([plain.why, plain.values["cycles"]]).toEqual(["saturated", 8704])
  const watched = await run(network, traffic, { ...measure, deadlock: "watch" }, 4)
  expect([watched.why, watched.values["cycles"]]).toEqual(["deadlock", 36864])
})
