import { describe, expect, test } from "vitest"
import { duration } from "../core/duration.ts"
import { bar, progressText } from "../sweep/progress.ts"
import { chart, ticks } from "./chart.ts"
import { colourPaint, paintFor, plainPaint } from "./paint.ts"
import { short, table } from "./table.ts"
import { hung, uncoloured, widthOf, wrap } from "./wrap.ts"

test("ticks are round and hold the range", () => {
  expect(ticks(0, 0.9, 6)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1])
  expect(ticks(0, 47, 5)).toEqual([0, 10, 20, 30, 40, 50])
  expect(ticks(0, 1e-3, 5)).toEqual([0, 0.0002, 0.0004, 0.0006, 0.0008, 0.001])
})

test("a straight line goes from the lower left to the upper right, with its axes", () => {
  const points = [0, 10].map((v) => ({ x: v, y: v, saturated: false }))
  const lines = chart([{ name: "line", points }], { x: "x", y: "y", width: 40, height: 6 }).split("\n")
  // title, 6 rows, rule, labels, legend
  expect(lines.length).toBe(10)
  expect(lines[1]).toMatch(/^10 ┤ +[⠀-⣿]*●$/)
  expect(lines[6]).toMatch(/^ 0 ┤●/)
  expect(lines[8].trim().split(/ +/)).toEqual(["0", "2", "4", "6", "8", "10"])
  expect(lines[9]).toContain("● line")
})

test("one load, or nothing steady, is no chart", () => {
  expect(chart([{ name: "a", points: [{ x: 1, y: 1, saturated: false }] }], { x: "", y: "" })).toBe("")
  expect(chart([{ name: "a", points: [1, 2].map((x) => ({ x, y: 9, saturated: true })) }], { x: "", y: "" })).toBe("")
})

test("a table lines up, colours have no width", () => {
  const drawn = table(
    [{ head: "name" }, { head: "n", align: "right" }],
    [
      ["a", "10"],
      [colourPaint.red("long"), "7"],
    ],
  )
  expect(drawn.split("\n").map(widthOf)).toEqual([8, 8, 8, 8])
})

test("numbers and durations for people", () => {
  expect([0.012345, 1.23456, 123.456, 12345.6, 7, Number.NaN].map((v) => short(v))).toEqual([
    "0.0123",
    "1.235",
    "123.5",
    "12346",
    "7",
    "–",
  ])
  expect([0.44, 12.4, 200, 7500].map(duration)).toEqual(["0.4 s", "12 s", "3 min 20 s", "2 h 5 min"])
})

test("progress: 30 of 100 in 10 s with half a run in hand leaves 69.5 runs, 22.8 s", () => {
  const state = { total: 120, known: 20, done: 30, failed: 0, running: 2, partial: 0.5, seconds: 10, megabytes: 99.6 }
  expect(progressText(state)).toBe(
    "50/120 done (20 already stored) · 2 running · 68 queued · 3.0 runs/s · 23 s remaining · 100 MB",
  )
  expect(bar(0.5, 4)).toBe("██░░")
})

test("colour: NO_COLOR wins over everything, a pipe has none", () => {
  expect(paintFor({ isTTY: true }, { NO_COLOR: "1", FORCE_COLOR: "1" })).toBe(plainPaint)
  expect(paintFor({ isTTY: false }, {})).toBe(plainPaint)
  expect(paintFor({ isTTY: true }, {})).toBe(colourPaint)
  expect(paintFor({}, { FORCE_COLOR: "1" })).toBe(colourPaint)
})

const curves = ["uniform dragonfly.minimal", "uniform dragonfly.ugal-l", "group-adversarial dragonfly.ugal-l"]

test("marks in one place are counted, not hidden", () => {
  const flat = (name: string, y: number) => ({
    name,
    points: [1, 2, 3].map((x) => ({ x, y: x === 3 ? y : 10, saturated: false })),
  })
  const drawn = chart([flat("a", 10), flat("b", 10), flat("c", 2)], { x: "x", y: "y", width: 60, height: 8 })
  const marks = [...drawn.split("\n").slice(1, 9).join("").replace(/\d+ ┤/g, "")].filter((c) => /[\d●▲■]/.test(c))
  // at 1 and 2 all three, at 3 two above and one below
  expect(marks).toEqual(["3", "3", "2", "■"])
  expect(drawn).toContain("a digit shows how many points overlap")
  expect(chart([flat("a", 10)], { x: "x", y: "y" })).not.toContain("a digit")
})

test("a deadlock has a mark of its own, that no series has, and its word in the legend", () => {
  const ends = ["steady", "saturated", "deadlock"]
  const points = ends.map((end, i) => ({
    x: i + 1,
    y: 10,
    saturated: i > 0,
    ...(end === "deadlock" ? { stands: end } : {}),
  }))
  const drawn = chart([{ name: "a", points }], { x: "x", y: "y", width: 60, height: 8 })
  expect([...drawn.split("\n").slice(1, 9).join("")].filter((c) => /[●✖]/.test(c)).sort()).toEqual(["●", "●", "✖"])
  expect(drawn).toMatch(/● a +✖ deadlock$/)
  expect(chart([{ name: "a", points: points.slice(0, 2) }], { x: "x", y: "y" })).not.toContain("✖")
})

test.each([120, 100, 80, 60, 40])("a chart fits %d columns, its legend broken between words", (width) => {
  const series = curves.map((name, i) => ({
    name,
    points: [0.1, 0.5, 0.9].map((x) => ({ x, y: 100 * (i + x), saturated: x > 0.8 })),
  }))
  const drawn = chart(series, { x: "offered load", y: "mean latency (cycles)", width, paint: colourPaint })
  const lines = drawn.split("\n")
  expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(width)
  // every word is whole somewhere
  for (const name of curves.flatMap((c) => c.split(" ")))
    expect(
      lines.some((l) => l.split(/\s+/).includes(name)),
      name,
    ).toBe(true)
})

const columns = [
  { head: "pattern" },
  { head: "routing" },
  { head: "load", align: "right" as const },
  { head: "accepted (fraction)", align: "right" as const },
  { head: "latency (cycles)", align: "right" as const },
  { head: "p99 (cycles)", align: "right" as const },
  { head: "hops", align: "right" as const },
  { head: "ended" },
]
const row = [
  "group-adversarial",
  "dragonfly.minimal",
  "0.05",
  "0.05000 ±0.00012",
  "41.23 ±0.12",
  "62.33 ±1.43",
  "3.345 ±0.002",
  "precision",
]

test.each([120, 100, 80, 60, 40])(
  "a table fits %d columns, broken between words and after the dots and hyphens of a name",
  (width) => {
    const lines = table(
      columns,
      [row, [...row.slice(0, 7), colourPaint.yellow("saturated")]],
      colourPaint,
      width,
    ).split("\n")
    expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(width)
    // A heading above rows joins cells with a comma.
    const words = lines.flatMap((l) => uncoloured(l).split(/[\s,]+/))
    for (const part of ["0.05000", "±0.00012", "(fraction)", "saturated"]) expect(words, part).toContain(part)
    for (const name of ["group-adversarial", "dragonfly.minimal"])
      expect(words.includes(name) || name.split(/(?<=[-.])/).every((p) => words.includes(p)), name).toBe(true)
  },
)

test("a wide table is left alone where no width is given", () => {
  expect(table(columns, [row]).split("\n")).toHaveLength(3)
})

test("a colour goes on in the next line", () => {
  expect(wrap(colourPaint.red("one two"), 4)).toEqual([colourPaint.red("one"), colourPaint.red("two")])
  expect(wrap("never-in the middle", 6)).toEqual(["never-", "in the", "middle"])
})

describe("80 columns", () => {
  const load = (pattern: string, routing: string, at: number): string[] => [
    pattern,
    routing,
    String(at),
    "0.0497 ±0.0005",
    "121.32 ±1.43",
    "3.344 ±0.016",
  ]
  const heads = [
    { head: "pattern" },
    { head: "routing" },
    ...["load", "accepted (fraction)", "latency (cycles)", "hops"].map((head) => ({ head, align: "right" as const })),
  ]
  const rows = ["uniform", "group-adversarial"].flatMap((pattern) =>
    ["dragonfly.minimal", "dragonfly.ugal-l"].flatMap((routing) => [0.1, 0.2].map((at) => load(pattern, routing, at))),
  )
  test("first cells that rows share become headings, so that no row is broken", () => {
    const lines = table(heads, rows, plainPaint, 80).split("\n")
    expect(lines.filter((l) => l.length > 80)).toEqual([])
    // heads, a rule, two headings and eight rows: the pattern alone is enough
    expect(lines).toHaveLength(1 + 1 + 2 + 8)
    expect(lines[2]).toBe("uniform")
    expect(lines[3]).toMatch(/^dragonfly\.minimal +0\.1 +0\.0497 ±0\.0005 +121\.32 ±1\.43 +3\.344 ±0\.016$/)
  })
  test("as many first cells as necessary become headings", () => {
    const lines = table(heads, rows, plainPaint, 60).split("\n")
    expect(lines.filter((l) => l.length > 60)).toEqual([])
    expect(lines).toContain("group-adversarial, dragonfly.ugal-l")
    expect(lines).toHaveLength(1 + 1 + 4 + 8)
  })
  test("a table that fits is not changed", () => {
    expect(table(heads, rows, plainPaint, 110)).toBe(table(heads, rows, plainPaint))
  })
  test("long lines continue below their text, and JSON stays whole", () => {
    expect(hung("    one two three", 12)).toBe("    one\n      two\n      three")
    expect(hung('{"a": "one two three"}', 12)).toBe('{"a": "one two three"}')
  })
})
