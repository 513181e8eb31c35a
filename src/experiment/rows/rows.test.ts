// The language of rows: what an expression means on measured runs, and which bounds a row has.
import { describe, expect, test } from "vitest"
import { plainScale } from "../../core/units.ts"
import { intervalOf } from "./bounds.ts"
import { evaluate, evaluateNumber, type Scope } from "./evaluate.ts"
import { kneeOf } from "./saturation.ts"
import type { MeasuredRun } from "./series.ts"
import { parseExpression, parseRow } from "./syntax.ts"

/** Two variants at three loads, two seeds each: latency is 10 (20 for "b") times the load, plus the seed. */
const runs: MeasuredRun[] = ["a(1)", "b"].flatMap((variant, i) =>
  [0.1, 0.2, 0.4].flatMap((load) =>
    [1, 2].map((seed) => ({
      point: { variant, load },
      result: {
        // all is accepted up to load 0.2
        values: { "latency.mean": 10 * (i + 1) * load + seed, accepted: Math.min(load, 0.2), offered: load },
        tables: { series: { time: [100, 200, 300, 400], latency: [1, 2, 3, 4].map((n) => n * (i + 1)) } },
      },
    })),
  ),
)
const scope: Scope = { runs: { curve: runs }, let: {}, scale: plainScale }

function value(text: string, of: Scope = scope): number {
  const got = parseExpression(text, "x")
  if ("bad" in got) throw new Error(got.bad[0]?.says)
  return evaluateNumber(got.ok, of)
}

function bounds(text: string) {
  const got = parseRow(text, "x")
  if ("bad" in got) throw new Error(got.bad[0]?.says)
  return intervalOf(got.ok.bounds, scope)
}

describe("expressions", () => {
  test.each([
    ["1 + 2 * 3 ^ 2", 19],
    ["(1 + 2) * -3", -9],
    ["2 ^ 3 ^ 2", 512],
    ["10 - 4 - 3", 3],
    ["50% * 8", 4],
    // a cycle has 1 ns
    ["2us + 3cycles", 2003],
  ])("%s is %d", (text, is) => expect(value(text)).toBeCloseTo(is, 12))

  test("a value is the mean of the seeds of its point", () => {
    // 10 * 0.2 + (1 + 2) / 2
    expect(value('latency.mean("a(1)", load=0.2)')).toBeCloseTo(3.5, 12)
    expect(value('latency.mean at variant="a(1)", load=0.2')).toBeCloseTo(3.5, 12)
  })
  test("a value of several points is a series: functions and operations apply to it", () => {
    expect(value("max(accepted(b))")).toBe(0.2)
    expect(value("count(accepted(b, load=0.15..0.5))")).toBe(2)
    // (20 * 0.4 + 1.5) / (10 * 0.4 + 1.5)
    expect(value('max(latency.mean(b) / latency.mean("a(1)"))')).toBeCloseTo(9.5 / 5.5, 12)
    expect(value("sum(load(b))")).toBeCloseTo(0.7, 12)
  })
  test("a series is no number: a row with one has no value", () => expect(value("accepted(b)")).toBeNaN())
  test("no run, or no such value, is NaN and stays NaN", () => {
    expect(value("accepted(c, load=0.1)")).toBeNaN()
    expect(value("max(accepted(c))")).toBeNaN()
    expect(value("1 + nothing(b, load=0.1)")).toBeNaN()
  })
  test("intervals of a table by time: those that end within", () => {
    expect(value("mean(series[latency](b, load=0.1, time=100cycles..300cycles))")).toBe(5)
    expect(value("peak(series[latency](b, load=0.1), 200cycles)")).toBe(8)
  })
  test("saturation is the lowest load that is not carried", () => {
    // of load 0.4 a half is accepted
    expect(value("saturation(b)")).toBe(0.4)
    // all are carried: the highest load
    expect(value("saturation(b, delivered=0.5)")).toBe(0.4)
    // 1.5 + 20 * 0.1 = 3.5 at the lowest load, 5.5 at 0.2
    expect(value("saturation(b, latency=1.5)")).toBe(0.2)
  })
  test("a load above one that is not carried does not count", () => {
    const at = (load: number, latency: number) => ({ load, latency, accepted: load, offered: load })
    const points = [at(0.3, 10), at(0.1, 10), at(0.2, 70)]
    expect(kneeOf(points, 10)).toEqual({ low: 0.1, high: 0.2, found: true })
    // 70 < 6 * 12
    expect(kneeOf(points, 12)).toEqual({ low: 0.3, high: 0.3, found: false })
    expect(kneeOf(points, Number.NaN).high).toBeNaN()
  })
  test("names stand for expressions", () => {
    const ratio = parseExpression("accepted(b, load=0.4) / offered(b, load=0.4)", "x")
    if ("bad" in ratio) throw new Error("refused")
    expect(value("2 * ratio", { ...scope, let: { ratio: ratio.ok } })).toBeCloseTo(1, 12)
  })
  test("farthest is by ratio, up or down", () => {
    expect(value("farthest(1.5, 1)")).toBe(1.5)
    // 0.1 : 0.2 is as far as 0.4 : 0.2, the first of them counts
    expect(value("farthest(load(b), 0.2)")).toBe(0.1)
  })
  test("a dash inside a name belongs to it", () => {
    const got = parseExpression("full-3 - 1", "x")
    expect("ok" in got && got.ok.kind === "operation" && got.ok.left).toMatchObject({ name: "full-3" })
  })
  test("several values of one key mean any of them", () => {
    const got = parseExpression("accepted(b, load=0.1, load=0.4)", "x")
    const series = "ok" in got ? evaluate(got.ok, scope) : 0
    expect(typeof series === "number" ? [] : series.values).toEqual([0.1, 0.2])
  })
})

describe("bounds", () => {
  test.each([
    ["1 within 0.87..1.15", 0.87, 1.15],
    ["1 within 1 / 2 .. 2 * 2", 0.5, 4],
    ["1 >= 0.95", 0.95, Number.POSITIVE_INFINITY],
    ["1 <= 3", Number.NEGATIVE_INFINITY, 3],
    ["1 == 7", 7, 7],
  ])("%s", (text, low, high) => expect(bounds(text)).toEqual({ low, high }))

  test("an end that is left out is not within", () => {
    expect(bounds("1 within 0..<1").high).toBeLessThan(1)
    expect(bounds("1 within 0<..1").low).toBeGreaterThan(0)
    expect(bounds("1 > 1").low).toBeGreaterThan(1)
    expect(bounds("1 < 0").high).toBeLessThan(0)
  })
})

describe("mistakes", () => {
  test.each([
    ["accepted(b)", "has no bounds"],
    ["accepted(b within 0..1", '")" is missing'],
    ["accepted(b) within 1", "expected two bounds"],
    ["1 == 1 2", "left over"],
    ["a § b == 1", "is not understood"],
    ["== 1", "is not a value"],
    [`${"1 + ".repeat(1000)}1 == 1`, "too many for a row"],
  ])("%s", (text, says) => {
    const got = parseRow(text, "rows.0.expect")
    expect("bad" in got && got.bad).toMatchObject([{ path: "rows.0.expect", says: expect.stringContaining(says) }])
  })
})
