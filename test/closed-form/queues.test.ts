// Queueing theory on the running network: one queue, Little's law, loads of channels.
import { describe, expect, it } from "vitest"
import type { Named } from "../../src/model/experiment.ts"
import { accepted, engineOf } from "../support/machine.ts"

/** Mean latency of packets of `flits` from endpoint 0 to 1 at `load`, over many independent pairs of a crossbar. */
function meanLatency(arrivals: Named, flits: number, load: number): number {
  const n = 32
  const pattern: Named = { name: "fixed", to: Array.from({ length: n }, (_, e) => e ^ 1) }
  const engine = engineOf({
    topology: { name: "crossbar", n },
    routing: { name: "crossbar.direct" },
    switch: { vcs: 4, buffer: "16flits" },
    traffic: [{ pattern, arrivals, flits, load }],
  })
  engine.advance(20_000)
  return engine.stat("latency") / engine.stat("measured")
}

describe("one queue with fixed service time: crossbar pairs are disjoint, so packets wait only at the source", () => {
  // alone: 3 + 4 + (8 - 1) = 14 cycles
  for (const load of [0.3, 0.5, 0.7]) {
    const geometric = ((load / 8) * 8 * 7) / (2 * (1 - load))
    it(`Bernoulli arrivals at ${load}: wait p n (n - 1) / 2 (1 - p n) = ${geometric.toFixed(2)}`, () => {
      const wait = meanLatency({ name: "bernoulli" }, 8, load) - 14
      expect(Math.abs(wait / geometric - 1)).toBeLessThan(0.05)
    })
    const markov = (load * 8) / (2 * (1 - load))
    it(`Poisson arrivals at ${load}: wait rho n / 2 (1 - rho) = ${markov.toFixed(2)} (M/D/1)`, () => {
      const wait = meanLatency({ name: "poisson" }, 8, load) - 14
      expect(Math.abs(wait / markov - 1)).toBeLessThan(0.05)
    })
  }
  it("Bernoulli arrivals of single flits never wait", () =>
    expect(meanLatency({ name: "bernoulli" }, 1, 0.9)).toBe(3 + 4))
})

describe("Little's law", () => {
  for (const [flits, load] of [
    [1, 0.3],
    [5, 0.3],
  ] as const)
    it(`mean number of packets in the mesh = rate x time in it, ${flits} flit(s) at ${load}`, () => {
      const engine = engineOf({ topology: { name: "mesh", k: 8, n: 2 }, traffic: [{ flits, load }] })
      engine.advance(1000)
      let sum = 0
      const cycles = 5000
      const before = engine.stat("delivered")
      for (let t = 0; t < cycles; t++) {
        engine.advance(1000 + t)
        sum += engine.inFlight()
      }
      const rate = (engine.stat("delivered") - before) / cycles
      // a packet counts as delivered when its tail is granted the way to its endpoint: crossbar 1 + link 1 + 1 before
      // it arrives
      const time = engine.stat("network") / engine.stat("measured") - 3
      expect(Math.abs(sum / cycles / (rate * time) - 1)).toBeLessThan(0.02)
    })
})

describe("loads of channels under uniform traffic", () => {
  /** Flits per cycle on each output `port` of the routers of row 0, for traffic `load`. */
  function loads(topology: Named, routing: Named, port: number, load: number): number[] {
    const k = 8
    const engine = engineOf({ topology, routing, traffic: [{ pattern: { name: "uniform", self: true }, load }] })
    engine.advance(12_000)
    const { graph, slot, LV } = engine.layout
    const flits = (r: number) => engine.columns.portFlits[slot[graph.firstChan[r] + port] >> LV] / 12_000
    // all rows are alike: their mean is steadier
    return Array.from(
      { length: k },
      (_, x) => Array.from({ length: k }, (_, y) => flits(x + k * y)).reduce((a, b) => a + b) / k,
    )
  }

  it(
    "mesh: the channel from column x on carries load (x + 1) (k - 1 - x) " +
      "/ k, most of it the middle one: load k / 4",
    () => {
      const got = loads({ name: "mesh", k: 8, n: 2 }, { name: "mesh.dimension-order" }, 0, 0.2)
      for (let x = 0; x < 7; x++) expect(Math.abs(got[x] / ((0.2 * (x + 1) * (7 - x)) / 8) - 1)).toBeLessThan(0.03)
      expect(Math.abs(got[3] / (0.2 * 2) - 1)).toBeLessThan(0.03)
    },
  )

  it("torus: every channel carries load k / 8", () => {
    const got = loads({ name: "torus", k: 8, n: 2 }, { name: "torus.dimension-order", tie: "coin" }, 0, 0.2)
    for (const x of got) expect(Math.abs(x / 0.2 - 1)).toBeLessThan(0.03)
  })

  it("mesh: no more than 4 / k can be accepted, and long before that nothing is lost", () => {
    for (const load of [0.3, 0.6, 1]) {
      const engine = engineOf({
        topology: { name: "mesh", k: 8, n: 2 },
        traffic: [{ pattern: { name: "uniform", self: true }, load }],
      })
      const got = accepted(engine, 1000, 4000)
      expect(got).toBeLessThan(4 / 8)
      if (load === 0.3) expect(Math.abs(got / load - 1)).toBeLessThan(0.01)
      // well buffered, it stays above half of the bound
      else expect(got).toBeGreaterThan(0.35)
    }
  })
})
