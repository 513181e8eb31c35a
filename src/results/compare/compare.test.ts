import { describe, expect, test } from "vitest"
import { made, sweep } from "../../../test/fixtures/records.ts"
import { studentQuantile } from "../../core/student.ts"
import type { RunRecord } from "../record.ts"
import { betterWhen, compare, usual, welch } from "./compare.ts"
import { estimate, isSaturated, pointsOf } from "./points.ts"

function withLatency(mean: number, seed: number, ci?: number): RunRecord {
  const r = made({ seed })
  const { "latency.ci": _, ...values } = r.result.values
  return {
    ...r,
    result: {
      ...r.result,
      values: { ...values, "latency.mean": mean, ...(ci === undefined ? {} : { "latency.ci": ci }) },
    },
  }
}
const latency = { ...usual, values: ["latency.mean"] }

describe("estimates", () => {
  test("mean and interval over seeds: 10, 12, 14 is 12 with 4.3027 * 2 / sqrt 3", () => {
    const e = estimate(
      [10, 12, 14].map((x, i) => withLatency(x, i)),
      "latency.mean",
    )!
    expect(e.mean).toBe(12)
    expect(e.half).toBeCloseTo((4.302652729911275 * 2) / Math.sqrt(3), 8)
  })
  test("one run has the interval that it measured itself, or none", () => {
    expect(estimate([withLatency(10, 1, 0.5)], "latency.mean")!.half).toBe(0.5)
    expect(estimate([withLatency(10, 1)], "latency.mean")!.half).toBeNaN()
    expect(estimate([made()], "offered")!.half).toBeNaN()
    expect(estimate([made()], "nothing")).toBeUndefined()
  })
  test("accepting clearly less than offered is saturation, whatever ended the run; short-window noise is not", () => {
    const run = (accepted: number, packets?: number): RunRecord => {
      const r = made()
      const values = { offered: 0.5, accepted, ...(packets === undefined ? {} : { packets }) }
      return { ...r, result: { ...r.result, why: "drained", values } }
    }
    // 4 / sqrt 400 = 0.2 of 0.5
    expect([run(0.49), run(0.44), run(0.44, 400), run(0.39, 400)].map(isSaturated)).toEqual([false, true, false, true])
  })
  test("points gather their seeds", () => {
    const points = pointsOf(sweep({ seeds: 3 }))
    expect(points).toHaveLength(16)
    expect(points.every((p) => p.runs.length === 3)).toBe(true)
    expect(pointsOf(sweep({ seeds: 3 }), ["network.routing.name"])).toHaveLength(8)
  })
  test("Welch: variances 4/3 and 1/3 over three seeds each give 2.94 degrees of freedom", () => {
    const a = estimate(
      [10, 12, 14].map((x, i) => withLatency(x, i)),
      "latency.mean",
    )!
    const b = estimate(
      [20, 21, 22].map((x, i) => withLatency(x, i)),
      "latency.mean",
    )!
    const df = (4 / 3 + 1 / 3) ** 2 / ((4 / 3) ** 2 / 2 + (1 / 3) ** 2 / 2)
    expect(df).toBeCloseTo(2.9412, 4)
    expect(welch(a, b, 0.95)).toBeCloseTo(studentQuantile(0.025, df) * Math.sqrt(5 / 3), 8)
  })
})

describe("verdicts", () => {
  const verdict = (a: number[], b: number[]): string => {
    const got = compare(
      a.map((x, i) => withLatency(x, i)),
      b.map((x, i) => withLatency(x, i)),
      latency,
    )
    return "ok" in got ? got.ok.rows[0].verdict : "bad"
  }
  test("lower latency is better, noise is same, one seed is unsure, less than the tolerance is same", () => {
    expect(verdict([50, 51, 52], [40, 41, 42])).toBe("better")
    expect(verdict([40, 41, 42], [50, 51, 52])).toBe("worse")
    expect(verdict([40, 50, 60], [45, 52, 58])).toBe("same")
    expect(verdict([40], [50])).toBe("unsure")
    expect(verdict([40], [40])).toBe("same")
    expect(verdict([100, 100.01, 100.02], [100.5, 100.51, 100.52])).toBe("same")
  })
  test("saturation decides where latency cannot", () => {
    const a = [made({ routing: "dragonfly.ugal-l", load: 0.7 })]
    const b = [{ ...made({ routing: "dragonfly.minimal", load: 0.7 }), point: a[0].point }]
    const got = compare(a, b, latency)
    expect("ok" in got && got.ok.rows[0]).toMatchObject({ verdict: "worse", note: "missing in B: saturated" })
    expect("ok" in got && got.ok.rows[0]).toMatchObject({
      b: null,
      difference: null,
      half: null,
      missing: { b: "saturated" },
    })
    const both = compare(b, b, latency)
    expect("ok" in both && both.ok.rows[0]).toMatchObject({ verdict: "same", note: "missing in both: saturated" })
  })
  test("a deadlock is named on the side that has it, and two are not compared", () => {
    const stuck = (r: RunRecord): RunRecord => ({ ...r, result: { ...r.result, why: "deadlock" } })
    const [a, b] = [[made({ load: 0.5 })], [stuck(made({ load: 0.5 }))]]
    const row = (x: RunRecord[], y: RunRecord[]) => {
      const got = compare(x, y, latency)
      return "ok" in got ? [got.ok.rows[0].verdict, got.ok.rows[0].note] : []
    }
    expect(row(a, b)).toEqual(["worse", "B deadlocked here"])
    expect(row(b, a)).toEqual(["better", "A deadlocked here"])
    expect(row(b, b)).toEqual(["unsure", "not comparable: both deadlocked"])
  })
  test("a slower B is worse at every point below saturation", () => {
    const got = compare(sweep(), sweep({ slower: 1.2 }), latency)
    if ("bad" in got) throw new Error("no match")
    // minimal saturates at 0.62 (6 of 8 loads below), ugal-l at 0.78 (7 of 8)
    expect(got.ok.matched).toBe(16)
    expect(got.ok.rows.filter((r) => r.verdict === "worse")).toHaveLength(13)
    expect(got.ok.rows.filter((r) => r.verdict === "better")).toHaveLength(0)
  })
  test("points of one side only are listed; none in common is refused with the way out", () => {
    const got = compare(sweep({ loads: [0.1, 0.2] }), sweep({ loads: [0.2, 0.3] }), latency)
    expect("ok" in got && [got.ok.matched, got.ok.onlyA.length, got.ok.onlyB.length]).toEqual([2, 2, 2])
    const none = compare([made()], [{ ...made(), point: { load: 0.1 } }], latency)
    expect("bad" in none && none.bad[0].fix).toMatch(/--without network\.routing\.name,traffic\.0\.load,load$/)
    const typo = compare([made()], [made()], { ...usual, values: ["latency.men"] })
    expect("bad" in typo && typo.bad[0].fix).toBe('did you mean "latency.mean"?')
  })
  test("a curve beside one load: compared at that load, never as a mean over all", () => {
    const curve = sweep({ loads: [0.1, 0.2, 0.3] })
    const { routing, load } = { routing: "network.routing.name", load: "traffic.0.load" }
    const single = sweep({ loads: [0.2] }).map((r) => ({ ...r, point: { [routing]: r.point[routing] } }))
    const fixOf = (got: ReturnType<typeof compare>) => ("bad" in got ? got.bad.map((c) => c.fix).join() : "")
    // the other side's specification says 0.2
    expect(fixOf(compare(curve, single, latency))).toBe(
      `only one folder sweeps ${load}; choose one value with --at ${load}=0.2`,
    )
    const mean = compare(curve, single, { ...latency, without: [load] })
    expect("bad" in mean && mean.bad[0].says).toBe("This would compare A's mean over 0.1, 0.2, 0.3 with the runs of B.")
    expect(fixOf(mean)).toBe(`choose one value: --at ${load}=0.2`)
    const at = compare(curve, single, { ...latency, at: { [load]: "0.2" } })
    // both routings, and the same runs on both sides
    expect("ok" in at && at.ok.rows.map((r) => [r.point, r.note])).toEqual(
      ["dragonfly.minimal", "dragonfly.ugal-l"].map((name) => [{ [routing]: name }, "equal"]),
    )
    // a mean over the same values on both sides is a fair comparison
    const both = compare(curve, curve, { ...latency, without: [load] })
    expect("ok" in both && both.ok.matched).toBe(2)
    expect(fixOf(compare(curve, single, { ...latency, at: { [load]: "0.7" } }))).toBe("choose one of 0.1, 0.2, 0.3")
    expect(fixOf(compare(curve, single, { ...latency, at: { "traffic.0.loat": "0.7" } }))).toBe(
      `did you mean "${load}"?`,
    )
  })
  test("which way is better", () => {
    expect(["latency.p99", "victim.latency.mean", "accepted", "accepted.min", "cycles"].map(betterWhen)).toEqual([
      "low",
      "low",
      "high",
      "high",
      "none",
    ])
  })
})
