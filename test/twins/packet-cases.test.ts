// Small networks on which the packet engine once answered otherwise in another mode or with other workers: one result,
// whoever runs it.
import { describe, expect, it } from "vitest"
import { plainMeasure, plainStream } from "../../src/compile/plain-run.ts"
import type { Named, NetworkSpec, RunResult, RunSpec, TrafficSpec } from "../../src/model/experiment.ts"
import { prepare, simulate } from "../../src/run/simulate.ts"

const chunk = {
  name: "chunk",
  vcs: 8,
  chunk: "2KiB",
  buffer: "8KiB",
  bandwidth: "25GiB/s",
  delay: "90ns",
  credit: "5ns",
}

interface Wish {
  readonly network: Partial<NetworkSpec> & Pick<NetworkSpec, "topology" | "routing">
  readonly traffic?: Partial<TrafficSpec>
  readonly window?: string
}

function specOf(w: Wish): RunSpec {
  return {
    network: { switch: chunk, endpoint: { name: "rails" }, links: {}, cycle: "1ns", flit: "64B", ...w.network },
    engine: { name: "packet" },
    traffic: [
      plainStream({ arrivals: { name: "poisson" }, packet: { name: "fixed", size: "2KiB" }, load: 0.5, ...w.traffic }),
    ],
    measure: plainMeasure({ warmup: "1us", window: w.window ?? "5us", limit: "100us" }),
    probes: [],
    seed: 1,
  }
}

const modes: readonly Readonly<Record<string, unknown>>[] = [
  { sync: "conservative", protocol: "windows" },
  { sync: "conservative", protocol: "null-messages" },
  { sync: "optimistic", optimism: "1500ns", interval: 200 },
]

async function simulated(
  spec: RunSpec,
  engine: Readonly<Record<string, unknown>>,
  workers: number,
): Promise<RunResult> {
  const prepared = prepare({ ...spec, engine: { ...spec.engine, ...engine } }, { read: () => "" })
  if ("bad" in prepared) throw new Error(prepared.bad[0].says)
  return simulate(prepared.ok, { workers })
}

/** All that must not depend on how it was run. */
function outcome({ values, ...rest }: RunResult): object {
  return {
    ...rest,
    values: Object.fromEntries(
      Object.entries(values).filter(([key]) => !key.startsWith("engine.") && key !== "seconds"),
    ),
  }
}

async function alike(w: Wish, teams: readonly number[] = [1, 2, 3, 4]): Promise<RunResult> {
  const truth = await simulated(specOf(w), { sync: "sequential" }, 1)
  expect(truth.values["packets"]).toBeGreaterThan(100)
  for (const engine of modes)
    for (const workers of teams)
      expect({ ...engine, workers, ...outcome(await simulated(specOf(w), engine, workers)) }).toEqual({
        ...engine,
        workers,
        ...outcome(truth),
      })
  return truth
}

const torus: Wish["network"] = { topology: { name: "torus", sides: "4x4" }, routing: { name: "torus.dimension-order" } }

describe("one result in every mode", () => {
  const sizes: readonly Named[] = [
    { name: "bimodal", short: "64B", long: "4KiB" },
    { name: "range", min: "64B", max: "3KiB" },
    { name: "weighted", sizes: ["64B", "1KiB", "4KiB"], weights: [1, 2, 1] },
  ]
  for (const packet of sizes) {
    it(`drawn packets (${packet.name})`, async () => {
      await alike({ network: torus, traffic: { packet } })
    })
    it(`drawn packets (${packet.name}) in drawn messages`, async () => {
      await alike({ network: torus, traffic: { packet, message: { name: "range", min: "1packets", max: "4packets" } } })
    })
  }

  it("links of 1 ns within a worker and of 300 ns between workers", async () => {
    await alike({
      network: {
        topology: { name: "megafly", groups: 4, leaves: 4, spines: 4, p: 3, h: 4 },
        routing: { name: "megafly.par" },
        switch: { ...chunk, buffer: "4KiB", delay: "5ns", credit: "2ns" },
        links: { end: "0ns", local: "1ns", global: "300ns" },
      },
      traffic: { load: 0.7 },
    })
  })

  for (const order of ["fifo", "round-robin"])
    it(`endpoints that wait for credits behind long links (${order})`, async () => {
      await alike({
        network: {
          topology: { name: "jellyfish", routers: 16, r: 4, p: 2 },
          routing: { name: "any.up-down" },
          switch: { ...chunk, vcs: 16, order },
          endpoint: { name: "rails", nic: "100ns", packet: "8KiB", queue: "16KiB", since: "handed" },
          links: { end: "40ns" },
        },
        traffic: { pattern: { name: "random-permutation" }, load: 1, packet: { name: "fixed", size: "4KiB" } },
      })
    })

  it("waits that end, are undone and end otherwise", async () => {
    await alike({
      network: {
        topology: { name: "butterfly", k: 3, n: 3 },
        routing: { name: "butterfly.destination-tag" },
        switch: { name: "chunk", chunk: "1KiB", buffer: "2KiB", credit: "700ps" },
      },
      traffic: { arrivals: { name: "bernoulli" }, packet: { name: "range", min: "64B", max: "1KiB" }, load: 1 },
      window: "3us",
    })
  })

  const fitfly = (rails: number): Wish["network"] => ({
    topology: { name: "fitfly", q: 3, p: 2, rails },
    routing: { name: "slimfly.minimal" },
  })
  it("whole chunks that are quicker than parts of one on the links of endpoints", async () => {
    await alike({
      network: {
        ...fitfly(4),
        switch: { ...chunk, endRate: "times-rails" },
        endpoint: { name: "rails", packet: "3KiB" },
      },
      traffic: { packet: { name: "fixed", size: "4KiB" }, load: 0.6 },
    })
  })
  it("one chunk of room behind each link, and whole packets cut at once: records for all of them", async () => {
    const w: Wish = {
      network: { ...fitfly(2), switch: { name: "chunk", chunk: "1KiB", buffer: "1KiB" }, cycle: "0.5ns" },
      traffic: { arrivals: { name: "bernoulli" }, packet: { name: "range", min: "1KiB", max: "4KiB" }, load: 1 },
      window: "40us",
    }
    await alike(w, [1, 4])
  })

  it("one way only: no detour", async () => {
    const { values } = await alike({
      network: { topology: { name: "butterfly", k: 4, n: 2 }, routing: { name: "butterfly.destination-tag" } },
      traffic: { load: 0.3 },
    })
    expect(values["time.detour"]).toBe(0)
  })
})
