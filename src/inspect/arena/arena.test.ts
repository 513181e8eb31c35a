// The scores, the settling time and the Pareto front of the arena, with sums that can be checked by hand.
import { describe, expect, test } from "vitest"
import type { RunRecord } from "../../results/record.ts"
import type { Judged } from "./judged.ts"
import { type Ground, scores } from "./scores.ts"
import { bandOf, movingMean, type Series, settlingOf } from "./settling.ts"
import { compared, type Scored, standingsOf, withFront } from "./standings.ts"

const calm = () => 100

interface Made {
  readonly seed?: number
  readonly mean?: number
  readonly p99?: number
  readonly hotLoad?: number
  readonly injected?: readonly number[]
  readonly values?: Readonly<Record<string, number>>
  readonly latency?: (i: number) => number
}

/** A run of 80 intervals of 100 cycles; the hot flows begin after the 20th. */
function run(variant: string, made: Made = {}, more: Readonly<Record<string, number>> = {}): Judged {
  const time = Array.from({ length: 80 }, (_, i) => (i + 1) * 100)
  const { mean = 200, p99 = 400, hotLoad = 1, injected = [0.5, 0.25, 0, 0], latency = calm } = made
  const stream = (name: string, load: number) => ({ name, load, start: name === "hot" ? "2kcycles" : "0cycles" })
  return {
    point: { ...more, variant },
    seed: made.seed ?? 1,
    spec: {
      traffic: [stream("hot", hotLoad), stream("victims", 0.3)] as unknown as RunRecord["spec"]["traffic"],
      measure: { warmup: "2kcycles", window: "6kcycles" } as RunRecord["spec"]["measure"],
      network: { endpoint: { name: "queue-pairs", ack: "1flit" } },
    },
    result: {
      why: "drained",
      values: {
        "victims.offered": 0.3,
        "victims.accepted": 0.3,
        "victims.packets": 1000,
        "victims.latency.mean": mean,
        "victims.latency.p99": p99,
        "control.packets": 60,
        "isolation.flits": 20,
        "occupancy.max": 77,
        ...made.values,
      },
      tables: {
        // 80 intervals of 100 cycles with load 0.1 on 4 endpoints: 3,200 flits of data, and 80 packets
        series: { time, accepted: time.map(() => 0.1), packets: time.map(() => 1) },
        endpoints: { end: [0, 1, 2, 3] },
        "victims.series": { time, latency: time.map((_, i) => latency(i)) },
        "hot.endpoints": { end: [0, 1, 2, 3], injected, accepted: [0, 0, injected.reduce((a, b) => a + b, 0), 0] },
      },
    },
  } as unknown as Judged
}

const quiet = run("alone", { mean: 100, p99: 200, hotLoad: 0, injected: [0, 0, 0, 0] })
const ground: Ground = { reference: quiet, senders: [0, 1], receivers: [2], series: undefined, band: undefined }
const score = (name: string, of: Judged, on: Ground = ground) => scores.find((s) => s.name === name)!.of(of, on)

describe("scores", () => {
  test("victims relative to the victims alone: 200 / 100, 400 / 200, 0.3 / 0.3", () => {
    expect(["slowdown", "tail", "carried"].map((name) => score(name, run("none")))).toEqual([2, 2, 1])
  })
  test("hot throughput: 0.75 of the channel of one receiver; fairness: 0.75^2 / (2 x 0.3125) = 0.9", () => {
    expect(score("hot", run("none"))).toBe(0.75)
    expect(score("fairness", run("none"))).toBeCloseTo(0.9, 12)
  })
  test("a starved sender counts: 0.5^2 / (2 x 0.25) = 0.5", () => {
    expect(score("fairness", run("none", { injected: [0.5, 0, 0, 0] }))).toBe(0.5)
  })
  test("control traffic: 60 control packets, 20 flits of isolation, 80 acknowledgements for 3,200 flits: 0.05", () => {
    expect(score("control", run("none"))).toBeCloseTo(160 / 3200, 12)
  })
  test("the largest queue is that of the probe", () => expect(score("buffer", run("none"))).toBe(77))
  test("the victims alone have no hot flows, so no hot throughput and no fairness", () => {
    const none = { missing: "no hot flows", worst: false }
    expect([score("hot", quiet), score("fairness", quiet)]).toEqual([none, none])
  })
  test("victims of which 10 % arrive are beyond saturation: the value is missing, and worse than any other", () => {
    const lost = run("none", { values: { "victims.accepted": 0.03 } })
    expect(score("tail", lost)).toEqual({ missing: "saturated", worst: true })
  })
  test("without a reference there is no slowdown, and without jobs no time", () => {
    expect(score("tail", run("none"), { ...ground, reference: undefined })).toMatchObject({ missing: "no reference" })
    expect(score("time", run("none"))).toMatchObject({ missing: "no jobs", worst: false })
    expect(score("time", run("none", { values: { "jobs.ended": 0.5 } }))).toMatchObject({ worst: true })
    expect(score("time", run("none", { values: { "jobs.ended": 1, "slowdown.ideal": 1.5 } }))).toBe(1.5)
  })
})

describe("settling", () => {
  const series = (latency: (i: number) => number): Series => ({
    interval: 100,
    onset: 20,
    latency: Array.from({ length: 80 }, (_, i) => latency(i)),
  })
  test("the band is the largest moving mean of ten intervals, and 5 %: (9 x 100 + 200) / 10 x 1.05 = 115.5", () => {
    const one = series((i) => (i === 30 ? 200 : 100))
    expect(movingMean(one, 29)).toBe(100)
    expect(movingMean(one, 30)).toBe(110)
    expect(bandOf([series(calm), one])).toBeCloseTo(115.5, 12)
    expect(bandOf([])).toBeUndefined()
  })
  test("a peak of one interval leaves the moving mean after ten: 10 x 100 cycles", () => {
    expect(settlingOf(series(calm), 105)).toBe(0)
    expect(
      settlingOf(
        series((i) => (i === 20 ? 400 : 100)),
        105,
      ),
    ).toBe(1000)
  })
  test("victims that stay slow, or that do not arrive, do not settle", () => {
    const never = { missing: "did not settle", worst: true }
    expect(
      settlingOf(
        series((i) => (i < 20 ? 100 : 200)),
        105,
      ),
    ).toEqual(never)
    expect(
      settlingOf(
        series((i) => (i < 20 ? 100 : Number.NaN)),
        105,
      ),
    ).toEqual(never)
  })
})

describe("standings", () => {
  const records = (runs: readonly Judged[]) => runs as unknown as readonly RunRecord[]
  const estimate = (...seeds: number[]): Scored => ({ mean: seeds.reduce((a, b) => a + b, 0) / seeds.length, seeds })

  test("a ratio has the geometric mean over the points: sqrt(2 x 8) = 4; seeds 4 and 4 have the interval 0", () => {
    const at = (seed: number, n: number, mean: number) => [
      run("alone", { seed, mean: 100, hotLoad: 0 }, { n }),
      run("none", { seed, mean }, { n }),
    ]
    const all = [...at(1, 1, 200), ...at(1, 2, 800), ...at(2, 1, 200), ...at(2, 2, 800)]
    const got = standingsOf(records(all), ["alone", "none"])
    expect(got.points.map((p) => p.point)).toEqual([{ n: 1 }, { n: 2 }])
    const none = got.standings.find((s) => s.participant === "none")!.scores["slowdown"]
    expect(none).toMatchObject({ half: expect.closeTo(0, 9), mean: expect.closeTo(4, 9) })
  })
  test("a run that is missing makes the score missing", () => {
    const all = [
      run("alone", { hotLoad: 0 }),
      run("none"),
      run("none", { seed: 2 }),
      run("alone", { seed: 2 }),
      run("a"),
    ]
    const got = standingsOf(records(all), ["alone", "none", "a"])
    expect(got.standings[2].scores["hot"]).toEqual({ missing: "not run", worst: false })
  })
  test("seeds are compared in pairs: 1, 2, 3 is less than 1.1, 2.1, 3.1 although the intervals overlap", () => {
    const less = { better: "less" } as const
    expect(compared(estimate(1, 2, 3), estimate(1.1, 2.1, 3.1), less)).toBe(1)
    expect(compared(estimate(1, 2, 3), estimate(1.1, 2.1, 3.1), { better: "more" })).toBe(-1)
    // differences -0.5, 0.7, 0.1: their interval contains 0; 1 and 1.005 differ by less than 1 %
    expect(compared(estimate(1, 2, 3), estimate(1.5, 1.3, 2.9), less)).toBe(0)
    expect(compared(estimate(1), estimate(1.005), less)).toBe(0)
    expect(compared({ missing: "saturated", worst: true }, estimate(1e9), less)).toBe(-1)
    expect(compared({ missing: "not measured", worst: false }, estimate(1), less)).toBe(0)
  })
  test("the front: no other is better in one score and as good in all; references and failed participants are not on it", () => {
    const of = (participant: string, tail: Scored, hot: Scored) => ({ participant, scores: { tail, hot } })
    const got = withFront(
      [
        of("alone", estimate(1), { missing: "no hot flows", worst: false }),
        of("ideal", estimate(1), estimate(1)),
        of("calm", estimate(2), estimate(0.5)),
        of("greedy", estimate(4), estimate(0.9)),
        of("beaten", estimate(4), estimate(0.5)),
        of("none", { missing: "saturated", worst: true }, estimate(1)),
      ],
      ["tail", "hot"],
    )
    expect(got.map((s) => [s.participant, s.front])).toEqual([
      ["alone", undefined],
      ["ideal", undefined],
      ["calm", true],
      ["greedy", true],
      ["beaten", false],
      ["none", false],
    ])
  })
})
