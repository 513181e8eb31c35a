// Optimistic runs keep records of what may be undone. A lack of records must stop optimism, not the run: any number of
// workers runs what one can.
import { describe, expect, it } from "vitest"
import { compilePacket } from "../../src/compile/packet/compile.ts"
import { plainMeasure, plainStream } from "../../src/compile/plain-run.ts"
import type { RunSpec, TrafficSpec } from "../../src/model/experiment.ts"
import { type Mode, PacketWorkers } from "../../src/run/packet/run.ts"
import { prepare, simulate } from "../../src/run/simulate.ts"

type Network = RunSpec["network"]

function specOf(
  network: Pick<Network, "topology" | "routing" | "switch">,
  traffic: Partial<TrafficSpec>,
  sync: string,
): RunSpec {
  return {
    network: {
      endpoint: { name: "rails" },
      links: { end: "2cycles", link: "3cycles" },
      cycle: "1ns",
      flit: "64B",
      ...network,
    },
    engine: { name: "packet", sync, optimism: "300ns", interval: 4096 },
    traffic: [plainStream({ packet: { name: "fixed", size: "64B" }, load: 0.1, ...traffic })],
    measure: plainMeasure({ warmup: "548cycles", window: "477cycles", limit: "1025cycles" }),
    probes: [],
    seed: 127927131,
  }
}

async function fingerprint(spec: RunSpec, workers: number): Promise<string> {
  const prepared = prepare(spec, { read: () => "" })
  if ("bad" in prepared) throw new Error(prepared.bad[0].says)
  return (await simulate(prepared.ok, { workers, threads: false })).fingerprint
}

const cube = (n: number) => ({ topology: { name: "hypercube", n, p: 1 }, routing: { name: "any.up-down" } })
const tiny = { name: "chunk", vcs: 5, chunk: "64B", buffer: "64B", credit: "5cycles" }
const usual = { name: "chunk", vcs: 5, credit: "5cycles" }

describe("any number of optimistic workers gives the fingerprint of the sequential run", () => {
  it.each([
    // tornado on radix 2 sends everything to its own sender: one event delivers all messages of a long time
    [
      "tornado on a hypercube of 16 endpoints",
      { ...cube(4), switch: usual },
      { pattern: { name: "tornado", self: true }, load: 0.02 },
    ],
    [
      "tornado on a hypercube of 4 endpoints",
      { ...cube(2), switch: usual },
      { pattern: { name: "tornado", self: true }, load: 0.05 },
    ],
    [
      "uniform traffic that includes the sender",
      { ...cube(3), switch: usual },
      { pattern: { name: "uniform", self: true }, load: 0.5 },
    ],
    ["buffers of one chunk", { ...cube(3), switch: tiny }, { load: 0.9 }],
    [
      "messages of many chunks to oneself",
      { ...cube(2), switch: tiny },
      { pattern: { name: "tornado", self: true }, message: { name: "fixed", size: "40packets" }, load: 0.02 },
    ],
  ] as const)("%s", async (_, network, traffic) => {
    const spec = (sync: string) => specOf(network, traffic, sync)
    const sequential = await fingerprint(spec("sequential"), 1)
    for (const workers of [1, 2, 3, 4])
      expect([workers, await fingerprint(spec("optimistic"), workers)]).toEqual([workers, sequential])
  })
})

describe("a pool that is just large enough for the sequential run", () => {
  const network: Pick<Network, "topology" | "routing" | "switch"> = {
    topology: { name: "torus", sides: "4x4" },
    routing: { name: "torus.dimension-order" },
    switch: { name: "chunk", vcs: 2, chunk: "1KiB", buffer: "4KiB", bandwidth: "10GB/s", credit: "5ns" },
  }
  const traffic = { arrivals: { name: "poisson" }, packet: { name: "fixed", size: "1KiB" }, load: 0.5 }
  const compiled = compilePacket({ ...specOf(network, traffic, "optimistic"), seed: 1 }, { read: () => "" })
  if ("bad" in compiled) throw new Error(compiled.bad[0].says)
  const { network: made } = compiled.ok

  /** Chunks delivered and flits sent in 20 us, with a pool of so many records. */
  function run(records: number, mode: Mode): [number, number] {
    let delivered = 0
    const count = () => (_rows: Int32Array, n: number) => {
      delivered += n
    }
    const crew = new PacketWorkers({ ...made, records }, mode, count)
    crew.advance(20_000_000)
    return [delivered, crew.sent().reduce((a, b) => a + b, 0)]
  }

  it("serves workers that may run far ahead", () => {
    const ample = run(10_000, { sync: "sequential" })
    let records = 8
    for (; ; records++)
      try {
        run(records, { sync: "sequential" })
        break
      } catch (e) {
        if (!(e instanceof RangeError)) throw e
      }
    expect(ample[0]).toBeGreaterThan(1000)
    for (const workers of [2, 3, 4])
      expect([
        workers,
        run(records, { sync: "optimistic", workers, optimism: { window: 5_000_000, interval: 1_000_000 } }),
      ]).toEqual([workers, ample])
  })
})
