// Where the time goes in the packet engine: the parts add up to the mean latency, and each is what the closed form
// says.
import { describe, expect, it } from "vitest"
import { plainMeasure, plainStream } from "../../src/compile/plain-run.ts"
import type { Named, RunResult, RunSpec } from "../../src/model/experiment.ts"
import { prepare, simulate } from "../../src/run/simulate.ts"

interface Wish {
  readonly topology: Named
  readonly routing: Named
  readonly pattern: Named
  readonly load: number
  readonly switch?: Readonly<Record<string, unknown>>
  readonly engine?: Readonly<Record<string, unknown>>
}

/** Chunks of 4,096 B take 512 cycles, routers 90, endpoints' links 5, others 20; credits 30 and 1 for their 8 bytes. */
async function run(w: Wish): Promise<RunResult> {
  const spec: RunSpec = {
    network: {
      topology: w.topology,
      routing: w.routing,
      switch: {
        name: "chunk",
        vcs: 4,
        bandwidth: "64Gbps",
        delay: "90ns",
        credit: "30ns",
        creditWire: "none",
        ...w.switch,
      },
      endpoint: { name: "rails", nic: "10ns" },
      links: { end: "5ns", ...(w.topology.name === "mesh" ? { link: "20ns" } : { local: "20ns", global: "20ns" }) },
      cycle: "1ns",
      flit: "64B",
    },
    engine: { name: "packet", ...w.engine },
    traffic: [
      plainStream({
        pattern: w.pattern,
        arrivals: { name: "periodic", phase: "none" },
        packet: { name: "fixed", size: "4KiB" },
        load: w.load,
      }),
    ],
    measure: plainMeasure({ window: "100us", limit: "200us", drain: "measured" }),
    probes: [],
    seed: 1,
  }
  const prepared = prepare(spec, { read: () => "" })
  if ("bad" in prepared) throw new Error(JSON.stringify(prepared.bad))
  return simulate(prepared.ok)
}

const names = ["source", "serialisation", "propagation", "pipelines", "detour", "credits", "contention"]
const partsOf = (r: RunResult) => names.map((n) => r.values[`time.${n}`])

function expectWhole(r: RunResult): void {
  expect(r.values["packets"]).toBeGreaterThan(50)
  expect(Math.abs(partsOf(r).reduce((a, b) => a + b) - r.values["latency.mean"])).toBeLessThan(
    1e-9 * r.values["latency.mean"],
  )
  expect(r.tables["attribution"]).toEqual({ part: names, cycles: partsOf(r) })
}

const line = { name: "mesh", k: 4, n: 1, p: 3 }
const dimension: Named = { name: "mesh.dor" }

describe("the parts of a chunk's mean latency", () => {
  it("one sender over four routers: interface, five links of 512, wires, four pipelines, nothing else", async () => {
    const r = await run({ topology: line, routing: dimension, pattern: { name: "fixed", pairs: [[0, 11]] }, load: 0.4 })
    expectWhole(r)
    expect(partsOf(r)).toEqual([10, 5 * 512, 5 + 3 * 20 + 5, 4 * 90, 0, 0, 0])
  })

  it("the same, cut-through: the chunk's flits once, the first on each link", async () => {
    const r = await run({
      topology: line,
      routing: dimension,
      pattern: { name: "fixed", pairs: [[0, 11]] },
      load: 0.4,
      switch: { switching: "cut-through" },
    })
    expectWhole(r)
    expect(partsOf(r)).toEqual([10, 512 - 8, 70, 4 * 90 + 5 * 8, 0, 0, 0])
  })

  it("two senders at once to one endpoint: every second chunk waits 512 for the channel", async () => {
    const r = await run({
      topology: line,
      routing: dimension,
      pattern: {
        name: "fixed",
        pairs: [
          [0, 2],
          [1, 2],
        ],
      },
      load: 0.4,
    })
    expectWhole(r)
    expect(partsOf(r)).toEqual([10, 2 * 512, 10, 90, 0, 0, 512 / 2])
  })

  it("waits for a credit 512 + 90 + 5 + 31 later where the endpoint takes one chunk at a time", async () => {
    const r = await run({
      topology: line,
      routing: dimension,
      pattern: {
        name: "fixed",
        pairs: [
          [0, 2],
          [1, 2],
        ],
      },
      load: 0.4,
      switch: { vcs: 1, buffer: "4KiB" },
    })
    expectWhole(r)
    expect(partsOf(r)).toEqual([10, 2 * 512, 10, 90, 0, (512 + 90 + 5 + 31) / 2, 0])
  })

  it("a hot spot that many send to: nearly all of the time is lost before its channel, in every synchronisation alike", async () => {
    const hot = (engine: Readonly<Record<string, unknown>>) =>
      run({
        topology: line,
        routing: dimension,
        pattern: { name: "hotspot", targets: [5], share: 1 },
        load: 0.09,
        engine,
      })
    const r = await hot({})
    expectWhole(r)
    // ten of eleven chunks that start together stand in line for one channel: the mean of 0 … 10 times 512, less what
    // their ways spread them
    expect(r.values["time.contention"] + r.values["time.credits"]).toBeGreaterThan(0.5 * 5 * 512)
    for (const sync of ["conservative", "optimistic"])
      expect(partsOf(await hot({ sync, workers: 3 }))).toEqual(partsOf(r))
  })

  it("Valiant's way is a detour, the minimal one is not", async () => {
    const topology = { name: "slimfly", q: 5, p: 4 }
    const of = (name: string) => run({ topology, routing: { name }, pattern: { name: "uniform" }, load: 0.02 })
    const [minimal, valiant] = [await of("slimfly.minimal"), await of("slimfly.valiant")]
    expectWhole(minimal)
    expectWhole(valiant)
    expect(minimal.values["time.detour"]).toBe(0)
    // the ways of both are the same at their shortest; what lies beyond is a link and a router for each more
    const more = valiant.values["hops.mean"] - minimal.values["hops.mean"]
    expect(valiant.values["time.detour"] / (more * (512 + 20 + 90))).toBeCloseTo(1, 1)
  })
})
