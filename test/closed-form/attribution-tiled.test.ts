// Where the time goes in networks of tiled switches: the parts add up to the mean latency, and each is what it must be
// where that can be said beforehand.
import { describe, expect, it } from "vitest"
import type { TransferEngine } from "../../src/engines/flit/transfers/engine.ts"
import type { RunResult, RunSpec } from "../../src/model/experiment.ts"
import { stream } from "../../src/reproduce/papers/stashing/network.ts"
import { prepareFlit, simulate } from "../../src/run/simulate.ts"
import { drain, engineOf, one, pair, small } from "../support/tiled.ts"

const ran = (spec: RunSpec, cycles: number, parts = 1): TransferEngine => {
  const engine = engineOf(spec, parts)
  engine.advance(cycles)
  return engine
}
const partsOf = (engine: TransferEngine): Record<string, number> => ({ ...engine.attribution() })
const flow = (from: readonly number[], to: number, load: number, flits = 24) =>
  stream("flow", load, {
    pattern: { name: "fixed", pairs: from.map((x) => [x, to]) },
    from,
    packet: { name: "fixed", size: `${flits}flits` },
    arrivals: { name: "periodic", phase: "none" },
  })

/** Parts times packets are whole cycles, none is negative, all together are the latency. */
function expectSum(engine: TransferEngine): void {
  const n = engine.stat("measured")
  expect(n).toBeGreaterThan(50)
  const cycles = Object.values(partsOf(engine)).map((x) => Math.round(x * n))
  expect(cycles.reduce((a, b) => a + b, 0)).toBe(engine.stat("latency"))
  for (const [part, mean] of Object.entries(partsOf(engine))) {
    expect(Math.abs(mean * n - Math.round(mean * n)), part).toBeLessThan(1e-6)
    expect(mean, part).toBeGreaterThanOrEqual(0)
  }
}

async function run(spec: RunSpec, cycles: number): Promise<RunResult> {
  const measure = {
    ...spec.measure,
    warmup: `${cycles / 4}cycles`,
    window: `${cycles}cycles`,
    limit: `${2 * cycles}cycles`,
  }
  const prepared = prepareFlit({ ...spec, measure }, { read: () => "" })
  if ("bad" in prepared) throw new Error(JSON.stringify(prepared.bad))
  return simulate(prepared.ok)
}

describe("packets that are alone only go their way: two switches, links of 5, L and 5 cycles", () => {
  for (const [latency, speed, [link, core], flits] of [
    [40, 1.3, [13, 10], 24],
    [40, 1.3, [13, 10], 1],
    [500, 1, [1, 1], 24],
    [7, 2, [2, 1], 10],
    [33, 1.25, [5, 4], 17],
  ] as const)
    it(`L = ${latency}, ${flits} flits, core ${speed}x`, () => {
      // a packet in each 997 cycles: every phase of the two clocks
      const engine = ran(pair(latency, { speed }, [flow([0], 4, flits / 997, flits)]), 30_000)
      const p = partsOf(engine)
      const n = engine.stat("measured")
      expect(n).toBeGreaterThan(25)
      expect(p).toMatchObject({
        source: 0,
        serialisation: flits - 1,
        propagation: 10 + latency,
        detour: 0,
        credits: 0,
        contention: 0,
      })
      // each switch holds a packet until its core can go on without a gap, then three core steps and the link's next
      // cycle; one cycle more for the last flit
      const hold = Math.ceil(flits * (1 - core / link)) + 1
      const steps = (2 * core) / link
      expect(p["pipelines"]).toBeGreaterThanOrEqual(1 + 2 * (hold + Math.floor(steps) + 1))
      expect(p["pipelines"]).toBeLessThanOrEqual(1 + 2 * (hold + Math.floor(steps + 1 - 1 / link) + 1))
      expectAlone(engine, p, latency, hold, [link, core], flits)
    })
})

/** The sum over all packets, cycle by cycle: sent in cycles 0, 997, 1994, … */
function expectAlone(
  engine: TransferEngine,
  p: Record<string, number>,
  latency: number,
  hold: number,
  [link, core]: readonly [number, number],
  flits: number,
): void {
  const n = engine.stat("measured")
  let sum = 0
  for (let i = 0; i < n; i++) {
    let t = 997 * i + 5 + hold
    for (const out of [latency, 5]) {
      const start = Math.floor(((Math.ceil((t * link) / core) + 2) * core) / link) + 1
      sum += start - t
      t = start + out + (out === 5 ? flits : hold)
    }
  }
  expect(p["pipelines"] * n).toBeCloseTo(sum + n * (1 + 2 * hold), 6)
}

describe("waiting", () => {
  /** F / a - F: a packet of F flits starts every F / a cycles where a flits pass in each cycle, and its link is busy
   *  for F of them. */
  const forCredits = (flits: number, accepted: number) => flits / accepted - flits

  it("waits for credits where the far buffer is half a round trip, not where it is a whole one", async () => {
    const wish = { retention: false, carries: { link: [0] }, packet: "24flits" }
    const of = (buffer: string) => run(pair(500, { ...wish, buffer }, [flow([0], 4, 0.6)]), 20_000)
    const [half, whole] = [await of("500flits"), await of("1100flits")]
    // 500 flits hold 20 whole packets of 24 flits: 480 flits pass in each round trip of two links of 500 cycles and
    // some cycles in the switch, so a packet waits for about 24 / (480 / 1010) - 24 = 26.5 cycles
    const passed = 8 * half.values["accepted"]
    expect(passed).toBeGreaterThan(480 / 1030)
    expect(passed).toBeLessThan(480 / 1000)
    expect(Math.abs(half.values["time.credits"] - forCredits(24, passed))).toBeLessThan(2)
    expect(whole.values["time.credits"]).toBe(0)
    expectSum(ran(pair(500, { ...wish, buffer: "500flits" }, [flow([0], 4, 0.6)]), 20_000))
  })

  it("waits as for credits where the output buffer is full of packets that the link has not acknowledged", async () => {
    // 480 flits stay in the output buffer for a round trip of 2 x 500 cycles, so that at most 480 pass in it; the far
    // buffer is as large
    const wish = { carries: { link: [0] }, packet: "24flits", buffer: "500flits" }
    const r = await run(pair(500, wish, [flow([0], 4, 0.6)]), 20_000)
    const passed = 8 * r.values["accepted"]
    expect(Math.abs(r.values["time.credits"] - forCredits(24, passed))).toBeLessThan(2)
    expectSum(ran(pair(500, wish, [flow([0], 4, 0.6)]), 20_000))
  })

  it("for the only link between two switches: four endpoints offer 1.2 flits per cycle", async () => {
    const traffic = [0, 1, 2, 3].map((e) => ({ ...flow([e], 4 + e, 0.3), name: `from-${e}` }))
    const r = await run(pair(40, {}, traffic), 8000)
    expect(r.values["time.contention"]).toBeGreaterThan(3 * (r.values["time.credits"] + r.values["time.detour"]))
    const worst = r.tables["channels-worst"]
    expect([worst["from"][0], worst["to"][0]].join(" ")).toMatch(/^router 0 port \d+ router 1$/)
    expect(worst["utilisation"][0]).toBeGreaterThan(0.97)
    expect(worst["flows"][0]).toMatch(/^0 to 4|^1 to 5|^2 to 6|^3 to 7/)
  })

  it("for the endpoint that seven others send to: its channel is to blame, and the flows are theirs", async () => {
    const r = await run(one(8, { rows: 2, columns: 2 }, [flow([1, 2, 3, 4, 5, 6, 7], 0, 0.13)]), 8000)
    const worst = r.tables["channels-worst"]
    expect(worst["to"][0]).toBe("endpoint 0")
    expect(worst["flows"][0]).toMatch(/^\d to 0 /)
    expect(r.values["time.detour"]).toBe(0)
    expect(r.values["time.credits"]).toBe(0)
    expect(r.values["time.contention"]).toBeGreaterThan(r.values["latency.mean"] / 4)
  })
})

describe("the stash", () => {
  it("is a part only where switches have one", () => {
    expect(Object.keys(partsOf(ran(small({ load: 0.3 }), 3000)))).not.toContain("stash")
    expect(partsOf(ran(small({ load: 0.3, stash: 0.5, switch: { reliability: true } }), 3000))["stash"]).toBe(0)
  })

  it("has what absorbed packets wait for: the endpoint that three others send 1.5 flits per cycle to", () => {
    const hot = flow([1, 2, 3], 0, 0.5)
    const wish = { rows: 2, columns: 2, stash: { end: 0.5 }, buffer: "400flits", rowBuffer: "48flits" }
    const window = { name: "ecn-window", window: "2000flits", base: "port" }
    const [with_, without] = [true, false].map((absorb) => ran(one(8, { ...wish, absorb }, [hot], window), 10_000))
    expect(with_!.extraValues()["stash.absorbed"]).toBeGreaterThan(20)
    // a packet that is put aside stays there for at least as long as it takes to get in and out again: three steps and
    // its own length in flits
    const stay = with_!.stat("stash") / with_!.extraValues()["stash.absorbed"]
    expect(stay).toBeGreaterThan(24 / 1.3)
    expect(partsOf(without!)).not.toHaveProperty("stash")
    expectSum(with_!)
  })

  it("has what a lost packet waits for: its timeout, once for each time that it is sent again", () => {
    const timeout = 3000
    const spec = pair(
      40,
      {
        stash: { end: 0.5 },
        reliability: true,
        errors: { link: 0.03 },
        lost: 1,
        timeout: `${timeout}cycles`,
        buffer: "1000flits",
      },
      [flow([0], 4, 0.3)],
    )
    const engine = engineOf(
      { ...spec, network: { ...spec.network, endpoint: { name: "queue-pairs", ack: "1flit" } } },
      1,
    )
    drain(engine, 20_000, 80_000)
    const v = engine.extraValues()
    // a packet whose answer was lost comes a second time: that is no wait of its own
    const needed = v["stash.repeated"] - v["flows.duplicates"]
    expect(needed).toBeGreaterThan(5)
    const mean = engine.stat("stash") / needed
    expect(mean).toBeGreaterThan(0.85 * timeout)
    expect(mean).toBeLessThan(1.15 * timeout)
    expectSum(engine)
  })
})

describe("the parts add up, and none is negative", () => {
  const window = { name: "ecn-window", window: "200flits", base: "vc" }
  const hot = stream("hot", 0.4, { pattern: { name: "hotspot", targets: [0, 7], share: 0.6 } })
  for (const [name, spec] of Object.entries<(seed: number) => RunSpec>({
    baseline: (seed) => small({ load: 0.9, seed }),
    copies: (seed) => small({ load: 0.7, seed, stash: 0.25, switch: { reliability: true } }),
    "absorbing, uniform": (seed) =>
      small({ load: 0.9, seed, stash: 0.1, switch: { absorb: true }, congestion: window }),
    "absorbing, hot spots": (seed) => ({
      ...small({ load: 0, seed, stash: 1, switch: { absorb: true }, congestion: window }),
      traffic: [hot],
    }),
    "hot spots without": (seed) => ({ ...small({ load: 0, seed }), traffic: [hot] }),
    "copies and absorbing": (seed) =>
      small({ load: 0.8, seed, stash: 0.5, switch: { absorb: true, reliability: true }, congestion: window }),
    "errors of all kinds": (seed) =>
      small({
        load: 0.6,
        seed,
        stash: 1,
        switch: {
          reliability: true,
          errors: { local: 0.01, global: 0.01 },
          lost: 0.5,
          timeout: "3us",
          linkErrors: { local: 0.01 },
          sidebandSpread: 400,
        },
      }),
    "space returns with the tail": (seed) =>
      small({ load: 0.7, seed, switch: { release: "tail", speed: 1.5, fair: true } }),
  }))
    it(name, () => {
      for (const [seed, parts] of [
        [1, 1],
        [2, 0],
      ] as const)
        expectSum(ran(spec(seed), 5000, parts))
    })

  it("and any partition says the same", () => {
    const spec = small({ load: 0.9, stash: 0.1, switch: { absorb: true }, congestion: window })
    const [all, two] = [1, 2].map((parts) => partsOf(ran(spec, 3000, parts)))
    expect(two).toEqual(all)
  })
})
