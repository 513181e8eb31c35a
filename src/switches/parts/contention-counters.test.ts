// Exact tests of the contention degree and of its metric over time.
import { describe, expect, test } from "vitest"
import { siteOf } from "../../../test/support/combined.ts"
import { makeContentionCounters, ONE } from "./contention-counters.ts"
import { portsOf } from "./ports.ts"
import { makeRuns } from "./runs.ts"

const usual = { samples: 100, interval: 10, threshold: 1 } as const

/** Returns the metric after 200 cycles in which the value is of(t). */
function metricOf(of: (t: number) => number): { metric: number; above: boolean } {
  const runs = makeRuns(2, usual, 1)
  for (let t = 0; t < 200; t++) runs.set(1, of(t), t)
  return { metric: runs.metric(1, 200), above: runs.above(1, 200) }
}

describe("metric", () => {
  test("constant 2: 2, marked", () => expect(metricOf(() => 2)).toEqual({ metric: 2, above: true }))
  test("0 and 4 in turn: 2 - (4 - 0) / 2 = 0", () =>
    expect(metricOf((t) => 4 * (t % 2))).toEqual({ metric: 0, above: false }))
  test("1 and 3 in turn: 2 - (3 - 1) / 2 = 1, which is not above 1", () =>
    expect(metricOf((t) => 1 + 2 * (t % 2))).toEqual({ metric: 1, above: false }))
  test(
    "nothing has been asked for: 0; after 2 for 100 cycles 50 cycles of " +
      "nothing: 1 - (2 - 2) / 2, in 5 of 10 intervals",
    () => {
      expect(metricOf(() => 0)).toEqual({ metric: 0, above: false })
      expect(metricOf((t) => (t < 150 ? 2 : 0)).metric).toBe(1)
    },
  )
  test("as plain arrays have it, for any series", () => {
    const next = (s: number) => (Math.imul(s, 1103515245) + 12345) >>> 0
    const runs = makeRuns(1, usual, 1)
    const series: number[] = []
    for (let t = 0, s = 7; t < 700; t++, s = next(s)) {
      // The series has long idle periods, then bursts.
      const value = (s >>> 12) % 3 === 0 || (t > 200 && t < 350) ? 0 : 1 + ((s >>> 20) % 3)
      if (t % 7 === 0) {
        const last = (n: number) => Array.from({ length: n }, (_, i) => series[t - 1 - i] ?? 0)
        const mean = last(100).reduce((a, b) => a + b, 0) / 100
        const whole = Array.from({ length: 10 }, (_, i) => Math.floor(t / 10) - 1 - i)
        const of = (k: number) => (k < 0 ? [0] : series.slice(10 * k, 10 * k + 10))
        const spread = whole.reduce((sum, k) => sum + Math.max(...of(k)) - Math.min(...of(k)), 0) / 10
        expect(runs.metric(0, t)).toBeCloseTo(mean - spread / 2, 9)
      }
      series.push(value)
      runs.set(0, value, t)
    }
  })
})

describe("degree", () => {
  /** Inputs 0, 1 and 2 of router 0 have requests: I0 for O0 and O1, I1 for O0, I2 two for O0 and one for O1. */
  function requested(more: object = {}) {
    const { site, use } = siteOf({
      topology: { name: "crossbar", n: 4 },
      routing: { name: "crossbar.direct" },
      switch: { vcs: 4 },
    })
    const s = { ...usual, estimator: "weighted", holders: false, ...more } as const
    const sensing = makeContentionCounters(site, use, portsOf(site.layout, false), true, s)
    for (const [q, o, v] of [
      [0, 0, 0],
      [0, 1, 1],
      [1, 0, 0],
      [2, 0, 0],
      [2, 0, 1],
      [2, 1, 2],
    ] as const)
      sensing.seen(q, o, v, 1, 0)
    sensing.settle()
    return { sensing, degree: sensing.degree }
  }
  test("weighted: O0 1/2 + 1 + 2/3 = 2.167, O1 1/2 + 1/3 = 0.833", () => {
    expect(requested().degree(0, 1) / ONE).toBeCloseTo(13 / 6, 4)
    expect(requested().degree(1, 1) / ONE).toBeCloseTo(5 / 6, 4)
  })
  test("randomized: whole numbers with the same means", () => {
    const { degree } = requested({ estimator: "random" })
    const series = Array.from({ length: 1000 }, (_, t) => [degree(0, t), degree(1, t)] as const)
    const mean = (o: 0 | 1) => series.reduce((sum, both) => sum + both[o], 0) / 1000
    expect(mean(0)).toBeCloseTo(13 / 6, 1)
    expect(mean(1)).toBeCloseTo(5 / 6, 1)
    expect(mean(0) + mean(1)).toBe(3)
  })
  test("a VC whose packet is crossing does not ask, with what waits behind it; as a holder it does", () => {
    const { sensing, degree } = requested()
    sensing.starts(1, 0, 0)
    sensing.seen(1, 0, 0, 1, 1)
    sensing.settle()
    expect(degree(0, 1) / ONE).toBeCloseTo(7 / 6, 4)
    sensing.ends(1)
    sensing.seen(1, 0, 0, 1, 2)
    sensing.settle()
    expect(degree(0, 2) / ONE).toBeCloseTo(13 / 6, 4)
    const holding = requested({ holders: true })
    holding.sensing.starts(1, 0, 0)
    holding.sensing.seen(1, 0, 0, 0, 1)
    holding.sensing.settle()
    expect(holding.degree(0, 1) / ONE).toBeCloseTo(13 / 6, 4)
    holding.sensing.ends(1)
    holding.sensing.seen(1, 0, 0, 0, 2)
    holding.sensing.settle()
    expect(holding.degree(0, 2) / ONE).toBeCloseTo(7 / 6, 4)
  })
  test("what comes and goes within a cycle leaves nothing behind", () => {
    const { sensing, degree } = requested()
    const before = sensing.columns["inputs"].slice()
    for (const waits of [0, 1, 0, 1]) sensing.seen(1, 0, 0, waits, 1)
    sensing.settle()
    expect(sensing.columns["inputs"]).toEqual(before)
    expect(degree(0, 1) / ONE).toBeCloseTo(13 / 6, 4)
  })
  test("lazy contention sampling equals per-cycle sampling for random requests", () => {
    const { site, use } = siteOf({
      topology: { name: "crossbar", n: 4 },
      routing: { name: "crossbar.direct" },
      switch: { vcs: 4 },
    })
    const sensing = makeContentionCounters(site, use, portsOf(site.layout, false), true, {
      ...usual,
      estimator: "random",
      holders: false,
    })
    const { runs, newest } = sensing.columns as { runs: Int32Array; newest: Int32Array }
    const K = runs.length / 2 / newest.length
    /** Returns the recorded value of output o in cycle t. */
    const valueAt = (o: number, t: number): number => {
      for (let n = newest[o] - 1; n >= Math.max(0, newest[o] - K); n--)
        if (runs[(o * K + (n % K)) << 1] <= t) return runs[((o * K + (n % K)) << 1) + 1]
      return 0
    }
    const drawn: number[][] = []
    let s = 5
    const next = (n: number): number => {
      s = (Math.imul(s, 1103515245) + 12345) >>> 0
      return (s >>> 8) % n
    }
    let compared = 0
    for (let t = 0; t < 3000; t++) {
      // The series has idle periods, and periods with more changes of an input than it can record over 110 cycles.
      const many = t % 500 < 100 ? 0 : t % 500 < 300 ? next(2) : 4
      for (let k = 0; k < many; k++) sensing.seen(next(4), next(4), next(4), next(2), t)
      sensing.settle()
      const degrees = [0, 0, 0, 0]
      for (let q = 0; q < 4; q++) if (sensing.asks(q)) degrees[sensing.request(q, t) >> 5]++
      drawn.push(degrees)
      if (next(40) > 0) continue
      const o = next(4)
      sensing.degree(o, t)
      for (let back = 0; back < 110 && back <= t; back++, compared++)
        expect(valueAt(o, t - back)).toBe(drawn[t - back][o])
    }
    expect(compared).toBeGreaterThan(5000)
  })
})
