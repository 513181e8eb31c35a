// How runs end, in all engines: a standstill is a deadlock and nothing better, what only waits is none, and numbers
// past saturation hold.
import { describe, expect, test } from "vitest"
import { plainMeasure, plainStream } from "../src/compile/plain-run.ts"
import type { RunResult, RunSpec } from "../src/model/experiment.ts"
import { prepare, simulate } from "../src/run/simulate.ts"
import { ringTable } from "./support/ring.ts"

const petersen = "0 1\n1 2\n2 3\n3 4\n4 0\n5 7\n7 9\n9 6\n6 8\n8 5\n0 5\n1 6\n2 7\n3 8\n4 9\n"
const files: Record<string, string> = { "ring.table": ringTable(6), "petersen.edges": petersen }

type Wish = {
  readonly network: Pick<RunSpec["network"], "topology" | "routing" | "switch"> & Partial<RunSpec["network"]>
  readonly engine?: string
  readonly traffic: Parameters<typeof plainStream>[0]
  readonly measure?: Parameters<typeof plainMeasure>[0]
  readonly probes?: RunSpec["probes"]
  readonly seed?: number
}

const automatic = {
  warmup: "auto",
  window: "auto",
  limit: "200kcycles",
  precision: 0.02,
  saturation: "early",
  drain: "measured",
} as const

function run(w: Wish): Promise<RunResult> {
  const got = prepare(
    {
      network: { endpoint: { name: "simple" }, links: {}, cycle: "1ns", flit: "8B", ...w.network },
      engine: w.engine === "packet" ? { name: "packet", sync: "sequential" } : { name: "flit" },
      traffic: [plainStream(w.traffic)],
      measure: plainMeasure({ ...automatic, ...w.measure }),
      probes: w.probes ?? [],
      seed: w.seed ?? 1,
    },
    { read: (path) => files[path] ?? "" },
  )
  if ("bad" in got) throw new Error(got.bad.map((c) => `${c.path}: ${c.says}. ${c.fix}`).join("\n"))
  return simulate(got.ok)
}

/** A ring of six, one way round, without a dateline: any load that fills it stops it for good. */
const ring = { topology: { name: "torus", sides: [6] }, routing: { name: "any.table", file: "ring.table" } } as const
const flits = (n: number) => ({ name: "fixed", size: `${n}flits` })
const iq = { name: "input-queued", vcs: 1, buffer: "4flits" }
const tiled = { name: "tiled", rows: 1, columns: 3, vcs: 2, buffer: "64flits" }
const chunk = { name: "chunk", vcs: 1, chunk: "64B", buffer: "256B" }

describe("a ring without a dateline, automatic measurement", () => {
  for (const seed of [1, 2])
    test(`input-queued: deadlock with its six packets, never saturated (seed ${seed})`, async () => {
      const { why, explains, values } = await run({
        network: { ...ring, switch: iq },
        traffic: { load: 0.9, packet: flits(4) },
        seed,
      })
      expect([why, values["saturated"]]).toEqual(["deadlock", 0])
      expect(explains).toContain("6 packets wait for one another in a cycle")
    })
  test("tiled: deadlock with its six packets", async () => {
    const { why, explains } = await run({
      network: { ...ring, switch: tiled },
      traffic: { load: 0.9, packet: flits(24) },
    })
    expect(why).toBe("deadlock")
    expect(explains).toContain("6 packets wait for one another in a cycle")
    expect(
      explains.match(
        /packet \d of 6 from endpoint \d to endpoint \d holds .* VC 0 and waits for .* VC 0, held by packet \d/g,
      ),
    ).toHaveLength(6)
  })
  test("chunk: deadlock with its six chunks", async () => {
    const network = { ...ring, switch: chunk, endpoint: { name: "rails" } }
    const { why, explains } = await run({ network, engine: "packet", traffic: { load: 0.9, packet: flits(8) } })
    expect(why).toBe("deadlock")
    expect(explains).toContain("6 packets wait for one another in a cycle")
  })
})

/** Two rings, joined by links that this traffic does not use: one is sent round without a dateline, of the other only
 *  neighbours talk. */
describe("a part that stands still beside one that moves", () => {
  const N = 6
  const routers = Array.from({ length: 2 * N }, (_, r) => r)
  const next = (r: number) => (r % N === N - 1 ? r - N + 1 : r + 1)
  files["two.edges"] = [
    ...routers.map((r) => `${r} ${next(r)}`),
    ...routers.slice(0, N).map((r) => `${r} ${r + N}`),
  ].join("\n")
  files["two.table"] = routers
    .flatMap((at) => routers.filter((to) => to !== at).map((to) => ({ at, to })))
    // round its own ring; to the other one from its first router
    .map(({ at, to }) => `${at} ${to} ${at < N !== to < N && at % N === 0 ? (at + N) % (2 * N) : next(at)}`)
    .join("\n")
  const two = { topology: { name: "graph", file: "two.edges" }, routing: { name: "any.table", file: "two.table" } }
  // the first ring sends four hops on, and fills; the second to the next only, and flows
  const pattern = { name: "fixed", to: routers.map((r) => (r < N ? (r + 4) % N : next(r))) }
  for (const [name, network, packet] of [
    ["input-queued", { ...two, switch: { ...iq, buffer: "2flits" } }, 8],
    ["tiled", { ...two, switch: { ...tiled, columns: 4 } }, 24],
  ] as const)
    for (const saturation of ["early", "never"] as const)
      test(`${name}, saturation: ${saturation}`, async () => {
        const traffic = { load: 0.9, packet: flits(packet), pattern }
        const { why, explains, values } = await run({ network, traffic, measure: { saturation, limit: "30kcycles" } })
        expect(why).toBe("deadlock")
        // long packets hold two channels each, so fewer than six may close the circle; the others of the ring wait
        // behind them
        expect(explains).toMatch(/[3-6] packets wait for one another in a cycle/)
        if (name === "input-queued")
          expect(explains).toMatch(/6 packets (can never move again|wait for one another in a cycle)/)
        // and those inside the switches
        else expect(Number(explains.match(/(\d+) packets can never move again/)?.[1])).toBeGreaterThanOrEqual(6)
        // the other ring went on
        expect(values["flit-hops"]).toBeGreaterThan(2000)
      })
})

describe("what only waits is no deadlock", () => {
  const pair = { topology: { name: "mesh", sides: [2], p: 1 }, routing: { name: "mesh.dimension-order" } }
  const both = { pattern: { name: "fixed", to: [1, 0] }, packet: flits(24) }
  const window = { warmup: "0us", window: "100us", limit: "200us", saturation: "never" } as const
  for (const [name, sw, endpoint] of [
    ["tiled", { name: "tiled", rows: 1, columns: 1 }, "queue-pairs"],
    ["input-queued", { name: "input-queued", vcs: 2, buffer: "64flits" }, "simple"],
  ] as const)
    test(`packets on a link of 20 us, ${name}`, async () => {
      const network = {
        ...pair,
        switch: sw,
        endpoint: { name: endpoint },
        links: { end: "5ns", link: "20us" },
        flit: "10B",
      }
      const { why, values } = await run({
        network,
        traffic: { ...both, load: 0.0005, arrivals: { name: "periodic" } },
        measure: window,
      })
      expect(why).toBe("drained")
      // created each 24 / 0.0005 = 48,000 cycles: 2 or 3 of each endpoint in 100 us
      expect(values["packets"]).toBeGreaterThan(3)
      expect(values["latency.min"]).toBeGreaterThan(20_000)
    })
  test("chunks on a link of 20 us", async () => {
    const network = {
      ...pair,
      switch: { ...chunk, vcs: 2 },
      endpoint: { name: "rails" },
      links: { end: "5ns", link: "20us" },
    }
    const traffic = { ...both, packet: flits(8), load: 0.0005 }
    const { why } = await run({ network, engine: "packet", traffic, measure: { ...window, drain: "measured" } })
    expect(why).toBe("drained")
  })
  test("a lost packet that waits for its timer", async () => {
    const sw = {
      name: "tiled",
      rows: 1,
      columns: 1,
      stash: { end: 0.875 },
      reliability: true,
      errors: { link: 0.1 },
      lost: 1,
      timeout: "20us",
    }
    const network = {
      ...pair,
      switch: sw,
      endpoint: { name: "queue-pairs" },
      links: { end: "5ns", link: "40ns" },
      flit: "10B",
    }
    const measure = { warmup: "0us", window: "20us", limit: "1ms", drain: "all", saturation: "never" } as const
    const { why, values } = await run({ network, traffic: { ...both, load: 0.1, stop: "20us" }, measure })
    expect(why).toBe("drained")
    // a tenth is lost, and comes after its 20 us
    expect(values["latency.max"]).toBeGreaterThan(20_000)
  })
})

describe("what lacks room behind a VC that it has waits for those who stand there, not for itself", () => {
  const cmesh = { topology: { name: "cmesh", k: 3, express: false }, routing: { name: "cmesh.dimension-order" } }
  const slimfly = { topology: { name: "slimfly", q: 3, p: 2 }, routing: { name: "slimfly.minimal" } }
  const weighted = { name: "weighted", sizes: ["1flits", "3flits", "6flits"], weights: [1, 2, 3] }
  for (const [name, network, packet] of [
    ["shared buffers", { ...cmesh, switch: { name: "input-queued", sharing: "damq" } }, flits(6)],
    ["whole packets", { ...slimfly, switch: { name: "input-queued", flow: "cut-through" } }, weighted],
  ] as const)
    for (const load of [0.2, 0.9])
      test(`${name}, ${load}: no deadlock in a run of fixed length`, async () => {
        const measure = { warmup: "109cycles", window: "254cycles", limit: "363cycles", drain: "none" } as const
        const { why } = await run({
          network,
          traffic: { load, packet, arrivals: { name: "burst", count: 4 } },
          measure,
          seed: 252709,
        })
        expect(why).toBe("limit")
      })
})

describe("past saturation", () => {
  for (const [vcs, load, size] of [
    [1, 0.7, 4],
    [2, 0.95, 1],
  ] as const)
    test(
      `Petersen graph, ${load} in packets of ${size}: what an early stop ` +
        "measures holds against a run ten times as long",
      async () => {
        const wish = (measure: Wish["measure"], seed: number): Wish => ({
          network: {
            topology: { name: "graph", file: "petersen.edges" },
            routing: { name: "any.up-down" },
            switch: { name: "input-queued", vcs, buffer: "8flits" },
          },
          traffic: { load, packet: flits(size) },
          measure: measure ?? {},
          seed,
        })
        const early = await run(wish({}, 1))
        const { accepted, cycles, "accepted.ci": half } = early.values
        expect(early.why).toBe("saturated")
        expect(half! / accepted!).toBeLessThanOrEqual(0.02)
        const long = await run(
          wish(
            {
              warmup: `${cycles}cycles`,
              window: `${10 * cycles!}cycles`,
              limit: "2Mcycles",
              saturation: "never",
              drain: "none",
            },
            2,
          ),
        )
        // twice the interval: one in 20,000, so that the seed may be any
        expect(Math.abs(long.values["accepted"]! - accepted!)).toBeLessThan(2 * half!)
      },
    )

  test("a limit too short for an interval: saturated, and no number", async () => {
    const network = { ...ring, routing: { name: "torus.dimension-order" }, switch: { ...iq, vcs: 2 } }
    const { why, values } = await run({
      network,
      traffic: { load: 0.99, packet: flits(4) },
      measure: { limit: "1kcycles" },
    })
    expect([why, values["accepted"], values["saturated"]]).toEqual(["saturated", undefined, 1])
  })

  test("a fixed window that drains: ended by what it was, and saturated", async () => {
    const network = {
      topology: { name: "torus", sides: [6] },
      routing: { name: "torus.dimension-order" },
      switch: { ...iq, vcs: 2 },
    }
    const pattern = { name: "tornado" }
    const measure = { warmup: "500cycles", window: "2kcycles", limit: "20kcycles", saturation: "never" } as const
    const { why, values } = await run({
      network,
      traffic: { load: 0.6, packet: flits(4), pattern, stop: "2500cycles" },
      measure,
    })
    // tornado on a ring of 6 goes 2 hops one way: at most 1/2 of what a channel carries
    expect(values["accepted"]).toBeLessThan(0.55)
    expect([why, values["saturated"]]).toEqual(["drained", 1])
  })
})

describe("time series", () => {
  const mesh = { topology: { name: "mesh", sides: [4], p: 1 }, routing: { name: "mesh.dimension-order" } }
  const traffic = { load: 0.1, pattern: { name: "fixed", to: [1, 0, 3, 2] }, arrivals: { name: "periodic" } }
  const measure = (series: string) =>
    ({ warmup: "0cycles", window: "2kcycles", limit: "3kcycles", saturation: "never", series }) as const
  for (const [name, sw, endpoint] of [
    ["input-queued", { name: "input-queued", vcs: 1, buffer: "8flits" }, "simple"],
    ["tiled", { name: "tiled", rows: 1, columns: 3, vcs: 2, buffer: "64flits" }, "queue-pairs"],
  ] as const)
    test(`an interval of 100 ns has 100 cycles: 10 flits from each endpoint (${name})`, async () => {
      const network = { ...mesh, switch: sw, endpoint: { name: endpoint } }
      const { tables } = await run({
        network,
        traffic,
        measure: { ...measure("100ns"), drain: "none" },
        probes: [{ name: "series" }],
      })
      const { time, accepted } = tables["series"]!
      expect(time!.slice(0, 4)).toEqual([100, 200, 300, 400])
      expect(accepted!.slice(1, 19)).toEqual(new Array(18).fill(0.1))
    })
  test("one that has no whole number of cycles is refused, with its neighbours", async () => {
    const network = { ...mesh, switch: { name: "input-queued", vcs: 1, buffer: "8flits" }, cycle: "3ns" }
    await expect((async () => run({ network, traffic, measure: measure("1us") }))()).rejects.toThrow(
      "measure.series: 1us is 333.333333 cycles, but an interval needs a whole number. write 333cycles or 334cycles",
    )
  })
})
