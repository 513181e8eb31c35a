import { describe, expect, test } from "vitest"
import { type Judged, league } from "./league.ts"

/** Latency of the victims in each of 60 intervals of 100 cycles; hot begins in the 20th. */
function record(
  variant: string,
  latency: (i: number) => number,
  mean: number,
  more: Record<string, number> = {},
): Judged {
  const time = Array.from({ length: 80 }, (_, i) => (i + 1) * 100)
  const tables = {
    "victims.series": { time, latency: time.map((_, i) => latency(i)) },
    "hot.endpoints": { end: [0, 1, 2, 3], injected: [0.5, 0.25, 0, 0], accepted: [0, 0, 0.75, 0] },
  }
  const values = { "victims.latency.mean": mean, "hot.accepted": 0.1875, packets: 100, ...more }
  const traffic = [
    { name: "hot", start: "2kcycles" },
    { name: "victims", start: "0cycles" },
  ]
  return { spec: { traffic }, point: { variant }, result: { values, tables } }
}
const calm = () => 100

describe("league", () => {
  test(
    "slowdown over the ideal, the least first; hot throughput, fairness 0.75^2 / " +
      "(2 x 0.3125) = 0.9, control packets of each packet",
    () => {
      const got = league([record("none", calm, 300), record("ideal", calm, 200, { "control.packets": 25 })])
      if ("bad" in got) throw new Error("refused")
      expect(got.ok.map((r) => [r.protocol, r.slowdown, r.hot, r.control])).toEqual([
        ["ideal", 1, 0.75, 0.25],
        ["none", 1.5, 0.75, 0],
      ])
      expect(got.ok[0].fairness).toBeCloseTo(0.9, 12)
    },
  )
  test("settling of the mean of the seeds: 100 and a peak of 400 in the onset's interval in one of two", () => {
    // mean 250: means of ten intervals are below 110 once it is the eleventh before
    const peak = (i: number) => (i === 20 ? 400 : 100)
    const got = league([record("a", peak, 100), record("a", calm, 300)])
    if ("bad" in got) throw new Error("refused")
    expect(got.ok[0]).toMatchObject({ latency: 200, peak: 250, settling: 1000 })
  })
  test("what it needs is named", () => {
    const bare = record("a", calm, 1)
    const says = (r: Judged) => {
      const got = league([r])
      return "bad" in got ? got.bad.map((c) => `${c.path}: ${c.fix}`) : []
    }
    expect(says({ ...bare, spec: { traffic: [bare.spec.traffic[1]] } })).toEqual([
      "traffic: name the background stream victims and the incast stream hot",
    ])
    expect(says({ ...bare, point: {} })).toEqual(["variants: add one variant per protocol"])
    expect(says({ ...bare, result: { ...bare.result, tables: {} } })).toEqual([
      "probes: set probes: [series, endpoints]",
    ])
  })
})
