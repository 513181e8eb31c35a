import { describe, expect, test } from "vitest"
import { chiSquare, limit } from "../../test/support/chi-square.ts"
import { site } from "../../test/support/site.ts"
import { Draws } from "../core/rng.ts"
import { arrivals } from "../library.ts"
import type { Arrivals } from "../model/traffic.ts"

function plugin(name: string) {
  const found = arrivals.find((p) => p.name === name)
  if (found === undefined) throw new Error(`no arrivals ${name}`)
  return found
}

function complaints(name: string, rate: number, raw: Record<string, unknown>): string[] {
  const got = plugin(name).params.parse(raw, "")
  const bad = "bad" in got ? got.bad : (plugin(name).check?.(got.ok, site(2, { rate })) ?? [])
  return bad.map((c) => `${c.path}: ${c.says}. ${c.fix}`)
}

function make(name: string, rate: number, raw: Record<string, unknown> = {}): Arrivals {
  expect(complaints(name, rate, raw)).toEqual([])
  const got = plugin(name).params.parse(raw, "")
  if ("bad" in got) throw new Error("parsed above")
  return plugin(name).make(got.ok, site(2, { rate }))
}

/** creation times of one source up to `until`, whole cycles in order */
function times(process: Arrivals, until: number, from = 0): number[] {
  const rng = new Draws(9).at(from, 0)
  const state = new Int32Array(1)
  const all: number[] = []
  for (let t = process.first(from, rng); t < until; t = process.next(from, t, rng, state, 0)) {
    if (!Number.isInteger(t) || t < (all.at(-1) ?? 0)) throw new Error(`arrival at ${t} after ${all.at(-1)}`)
    all.push(t)
  }
  return all
}

/** mean rate over many sources, each for `until` cycles */
function rateOf(process: Arrivals, until: number, sources: number): number {
  let n = 0
  for (let s = 0; s < sources; s++) n += times(process, until, s).length
  return n / (until * sources)
}

describe("bernoulli", () => {
  test.each([0.02, 0.3, 0.9])("P(gap = k) = p (1 - p)^(k - 1) at p = %f", (p) => {
    const all = times(make("bernoulli", p), 60000 / p)
    const bins = Math.ceil(6 / p)
    const gaps = new Int32Array(bins + 1) // the last bin holds all longer gaps
    for (let i = 1; i < all.length; i++) gaps[Math.min(bins, all[i] - all[i - 1] - 1)]++
    const n = all.length - 1
    const expected = Array.from({ length: bins + 1 }, (_, k) => n * (k === bins ? (1 - p) ** k : p * (1 - p) ** k))
    expect(chiSquare(gaps, expected)).toBeLessThan(limit(bins))
  })

  test("the first arrival is in cycle 0 with probability p", () => {
    let zero = 0
    for (let s = 0; s < 10000; s++) if (make20.first(s, new Draws(4).at(s, 0)) === 0) zero++
    expect(Math.abs(zero - 2000)).toBeLessThan(4 * 40) // sd = sqrt(10000 * 0.2 * 0.8) = 40
  })
  const make20 = make("bernoulli", 0.2)

  test("rate 1 is every cycle, rate 0 is never", () => {
    expect(times(make("bernoulli", 1), 5)).toEqual([0, 1, 2, 3, 4])
    expect(times(make("bernoulli", 0), 1e12)).toEqual([])
  })
})

// sd of the count over T cycles: sqrt(T p (1 - p)) for a coin, sqrt(T p) for Poisson, that times sqrt(n) for bursts of
// n
test.each([
  ["bernoulli", 0.01, {}, 1],
  ["bernoulli", 0.7, {}, 1],
  ["poisson", 0.01, {}, 1],
  ["poisson", 1.7, {}, 1],
  ["burst", 0.02, { count: 4 }, 2],
  ["burst", 1.5, { count: 9 }, 3],
])("%s at %f offers what it should, within 4 standard errors", (name, rate, raw, spread) => {
  const cycles = 200000
  expect(Math.abs(rateOf(make(name, rate, raw), cycles / 20, 20) - rate)).toBeLessThan(
    (4 * spread * Math.sqrt(rate)) / Math.sqrt(cycles),
  )
})

test("poisson: counts in windows of 10 cycles at rate 0.4 are Poisson(4)", () => {
  const windows = 20000
  const count = new Int32Array(windows)
  for (const t of times(make("poisson", 0.4), windows * 10)) count[Math.floor(t / 10)]++
  const bins = new Int32Array(13)
  for (const c of count) bins[Math.min(12, c)]++
  const expected = [windows * Math.exp(-4)]
  for (let k = 1; k < 12; k++) expected.push((expected[k - 1] * 4) / k)
  expected.push(windows - expected.reduce((a, b) => a + b, 0))
  expect(chiSquare(bins, expected)).toBeLessThan(limit(12))
})

describe("periodic", () => {
  test("rate 0.23 flits, 32 flits: departures at ceil(i * 139.13) = 0, 140, 279, 418, 557", () => {
    expect(times(make("periodic", 0.23 / 32, { phase: "none" }), 600)).toEqual([0, 140, 279, 418, 557])
  })

  test("the fraction is not lost: 10^5 packets at ceil(i * period) exactly", () => {
    const all = times(make("periodic", 0.7, { phase: "none" }), 142857)
    expect(all).toHaveLength(100000)
    for (let i = 997; i < all.length; i += 997) expect(all[i]).toBe(Math.ceil(i / 0.7 - 1e-4))
  })

  test("above one per cycle: 5 in 2 cycles", () => {
    expect(times(make("periodic", 2.5, { phase: "none" }), 5)).toEqual([0, 1, 1, 2, 2, 2, 3, 3, 4, 4, 4])
  })

  test("random phases cover the first period", () => {
    const process = make("periodic", 0.01)
    const bins = new Int32Array(10)
    for (let s = 0; s < 5000; s++) bins[Math.floor(times(process, 100, s)[0] / 10)]++
    expect(chiSquare(bins, new Array<number>(10).fill(500))).toBeLessThan(limit(9))
  })
})

describe("on-off", () => {
  test("mean rate; bursts and pauses of the stated length", () => {
    // rate = share: a packet in every cycle that is on, so runs of consecutive cycles are the bursts
    const all = times(make("on-off", 0.25, { on: "20cycles", share: 0.25 }), 2_000_000)
    expect(Math.abs(all.length / 2e6 - 0.25)).toBeLessThan(0.01)
    let bursts = 1
    for (let i = 1; i < all.length; i++) if (all[i] > all[i - 1] + 1) bursts++
    expect(all.length / bursts).toBeCloseTo(20, 0) // about 25,000 bursts: standard error 0.12
    expect((all.at(-1)! - all.length) / bursts).toBeCloseTo(60, -1) // pauses: 20 * 0.75 / 0.25
  })

  test("peak below 1: mean rate, and variance of counts above a coin's", () => {
    const windows = 5000
    const count = new Float64Array(windows)
    for (const t of times(make("on-off", 0.1, { on: "200cycles", share: 0.2 }), windows * 100))
      count[Math.floor(t / 100)]++
    const mean = count.reduce((a, b) => a + b, 0) / windows
    const variance = count.reduce((a, b) => a + (b - mean) ** 2, 0) / (windows - 1)
    expect(mean).toBeGreaterThan(9)
    expect(mean).toBeLessThan(11)
    expect(variance).toBeGreaterThan(10 * 9) // a coin: 100 * 0.1 * 0.9 = 9
  })

  test("share 1 is a plain coin", () => {
    expect(times(make("on-off", 1, { share: 1 }), 4)).toEqual([0, 1, 2, 3])
  })

  test("starts in its steady state: the rate of the first cycles is the rate", () => {
    expect(Math.abs(rateOf(make("on-off", 0.1, { on: "50cycles", share: 0.2 }), 10, 40000) - 0.1)).toBeLessThan(0.005)
  })
})

test("burst: 4 share one cycle", () => {
  const all = times(make("burst", 0.01), 1_000_000)
  for (let i = 0; i + 3 < all.length; i += 4) expect(all[i]).toBe(all[i + 3])
  for (let i = 4; i < all.length; i += 4) expect(all[i]).toBeGreaterThan(all[i - 1])
})

test("backlogged: one in every cycle, whatever the load", () => {
  expect(times(make("backlogged", 0.001), 4)).toEqual([0, 1, 2, 3])
})

test.each([
  [
    "bernoulli",
    1.2,
    {},
    "name: the load needs 1.2 packets per cycle, but a Bernoulli process creates at most 1. lower " +
      "the load, send larger packets, or choose poisson",
  ],
  ["burst", 5, { count: 4 }, "count: bursts of 4 cannot give 5 packets per cycle. choose at least 5"],
  [
    "on-off",
    0.5,
    { share: 0.2 },
    "share: 0.2 of the time is too little for 0.5 packets per cycle. choose a share of at least 0.5",
  ],
  [
    "on-off",
    0.5,
    { on: "2cycles", share: 0.8 },
    "share: pauses would be shorter than a cycle. choose a share of at most 0.6666666666666666, or longer bursts",
  ],
  ["on-off", 0.1, { share: 0 }, "share: 0 is too small. choose a value above 0, at most 1"],
  [
    "periodic",
    0.1,
    { phase: "randon" },
    'phase: expected one of random, none, found the text "randon". did you mean "random"?',
  ],
])("complaint of %s at %f %o", (name, rate, raw, expected) => {
  expect(complaints(name, rate, raw)).toEqual([expected])
})
