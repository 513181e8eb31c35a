// The table of streams: one row for each point and stream, dashes with their reasons, and at most 24 rows.
import { expect, test } from "vitest"
import type { PointSummary } from "../results/summary.ts"
import { plainPaint } from "./paint.ts"
import { streamTable } from "./streams.ts"

const one = (mean: number) => ({ mean, half: Number.POSITIVE_INFINITY })

function point(load: number, streams: readonly string[], missing: Record<string, string> = {}): PointSummary {
  const values = Object.fromEntries(
    streams.flatMap((s, i) =>
      ["offered", "accepted", "latency.mean", "latency.p99"].flatMap((v, n) =>
        `${s}.${v}` in missing ? [] : [[`${s}.${v}`, one(n < 2 ? load : 10 * (i + 1) + n)]],
      ),
    ),
  )
  return {
    point: { load },
    records: [],
    values: { "latency.mean": one(9), ...values },
    missing,
    state: "steady",
    saturated: false,
    failed: false,
    worst: "carried",
  }
}

test("each stream has a row at each point", () => {
  const lines = streamTable([point(0.1, ["a", "b"]), point(0.2, ["a", "b"])], plainPaint).split("\n")
  expect(lines[0]).toBe("load  stream  offered (fraction)  accepted (fraction)  latency (cycles)  p99 (cycles)")
  // heads, a rule, two points of two streams
  expect(lines.length).toBe(2 + 4)
  expect(lines[5].split(/\s+/)).toEqual(["0.2", "b", "0.2000", "0.2000", "22", "23"])
})

test("a missing value is a dash with its reason", () => {
  const text = streamTable([point(0.9, ["a", "b"], { "b.latency.mean": "saturated" })], plainPaint)
  expect(text.split("\n")[3].split(/\s+/)).toEqual(["0.9", "b", "0.9000", "0.9000", "–", "23"])
  expect(text).toContain("saturated: The network is saturated")
})

test("one stream has no table; long sweeps are cut", () => {
  expect(streamTable([point(0.1, ["a"])], plainPaint)).toBe("")
  // 10 points of 3 streams are 30 rows, of which 24 are shown
  const many = Array.from({ length: 10 }, (_, i) => point(i / 10, ["a", "b", "c"]))
  expect(streamTable(many, plainPaint).split("\n").length).toBe(2 + 24 + 1)
  expect(streamTable(many, plainPaint)).toContain("and 6 more rows, see the report")
})
