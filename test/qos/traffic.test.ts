// Traffic of the seven service levels: constant bit rate with fractional periods over fixed connections, and bursts of
// four packets to one destination.
import { describe, expect, test } from "vitest"
import { Draws } from "../../src/core/rng.ts"
import { arrivals, patterns } from "../../src/library.ts"
import type { Arrivals, TrafficPattern } from "../../src/model/traffic.ts"
import { stream } from "../../src/reproduce/papers/stashing/network.ts"
import { site } from "../support/site.ts"
import { engineOf, one } from "../support/tiled.ts"

function process(name: string, rate: number, raw: Record<string, unknown> = {}): Arrivals {
  const plugin = arrivals.find((a) => a.name === name)!
  const got = plugin.params.parse(raw, "")
  if ("bad" in got) throw new Error(JSON.stringify(got.bad))
  return plugin.make(got.ok, site(2, { rate }))
}

function arrivalTimes(of: Arrivals, from: number, until: number): number[] {
  const rng = new Draws(5).at(from, 0)
  const state = new Int32Array(1)
  const all: number[] = []
  for (let t = of.first(from, rng); t < until; t = of.next(from, t, rng, state, 0)) all.push(t)
  return all
}

describe("constant bit rate", () => {
  test("0.23 of a link in packets of 32 flits: ceil(i * 139.13) = 0, 140, 279, 418, 557", () => {
    expect(arrivalTimes(process("periodic", 0.23 / 32, { phase: "none" }), 0, 600)).toEqual([0, 140, 279, 418, 557])
  })
  test("with a phase: phase + ceil(i * period), and the period stays fractional for ever", () => {
    for (const from of [0, 1, 2]) {
      const all = arrivalTimes(process("periodic", 0.23 / 32), from, 1_000_000)
      for (const i of [1, 2, 3, 1000, 7000]) expect(all[i] - all[0]).toBe(Math.ceil((i * 32) / 0.23))
    }
  })
})

describe("connections", () => {
  const ends = 64
  const made = (count: number, seed = 1): TrafficPattern => {
    const plugin = patterns.find((p) => p.name === "connections")!
    const got = plugin.params.parse({ count }, "")
    if ("bad" in got) throw new Error(JSON.stringify(got.bad))
    return plugin.make(got.ok, site(ends, { seed }))
  }
  test("one: nobody is his own partner, and everybody is somebody's, for the whole run", () => {
    const pattern = made(1)
    const to = (salt: number) => Array.from({ length: ends }, (_, e) => pattern.dest(e, new Draws(3).at(e, salt)))
    expect(to(0).some((d, e) => d === e)).toBe(false)
    expect(new Set(to(0)).size).toBe(ends)
    expect(to(1)).toEqual(to(0))
    expect(Array.from({ length: ends }, (_, e) => made(1, 2).dest(e, new Draws(3).at(e, 0)))).not.toEqual(to(0))
  })
  test("three: at most three partners, equally often, and nobody is the end of more than three", () => {
    const pattern = made(3)
    const received = new Int32Array(ends)
    for (let e = 0; e < ends; e++) {
      const rng = new Draws(4).at(e, 0)
      const counts = new Map<number, number>()
      for (let i = 0; i < 3000; i++) {
        const d = pattern.dest(e, rng)
        counts.set(d, (counts.get(d) ?? 0) + 1)
      }
      expect(counts.has(e)).toBe(false)
      // 3000 / 3, sd 26; two connections to one partner count together
      for (const [d, n] of counts) {
        const times = Math.round(n / 1000)
        expect(Math.abs(n - 1000 * times)).toBeLessThan(150)
        received[d] += times
      }
    }
    expect([...received]).toEqual(new Array(ends).fill(3))
  })
})

describe("bursts of four: messages of four packets, exponential gaps", () => {
  const packets = (load: number, cycles: number): number[] => {
    const burst = stream("burst", load, {
      pattern: { name: "uniform" },
      arrivals: { name: "poisson" },
      message: { name: "fixed", size: "4packets" },
      from: [0],
    })
    const spec = one(4, { rows: 2, columns: 2 }, [burst], { name: "none" })
    const engine = engineOf(
      { ...spec, network: { ...spec.network, endpoint: { ...spec.network.endpoint, active: 1 } } },
      1,
    )
    engine.advance(cycles)
    return [1, 2, 3].map((end) => engine.columns.endOut[end] / 24)
  }
  test("all four go to one destination: whoever is not in the middle of a burst has a multiple of four", () => {
    for (const cycles of [20_000, 30_000, 40_007]) {
      const got = packets(0.3, cycles)
      expect(Math.min(...got)).toBeGreaterThan(8)
      expect(got.filter((n) => n % 4 !== 0).length).toBeLessThanOrEqual(1)
    }
  })
  test("a quarter as many bursts as packets: the load is kept", () => {
    // 400,000 cycles at 0.3 are 1,250 bursts, sd 2.8 %
    const all = packets(0.3, 400_000).reduce((a, b) => a + b, 0)
    expect(Math.abs((all * 24) / 400_000 / 0.3 - 1)).toBeLessThan(0.1)
  })
})
