// Figures for print: sizes, the choice of curves, PDF with texts in their places, and TikZ.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { sweep } from "../../../test/fixtures/records.ts"
import { figuresOf } from "../figure/choose.ts"
import type { LinesFigure } from "../figure/figure.ts"
import { namesOf, usualPrint, writeFigures } from "../figure/file.ts"
import { picture } from "../figure/picture.ts"
import { chosenOf } from "./chosen.ts"
import { matrixOf, placed, segmentsOf } from "./path.ts"
import { pdfOf } from "./pdf.ts"
import { encoded } from "./pdf-fonts.ts"
import { shapesOf } from "./shapes.ts"
import { tikzOf } from "./tikz.ts"

const figures = figuresOf(sweep({ tables: true }))
const latency = figures.find((f): f is LinesFigure => f.id === "latency" && f.kind === "lines")
if (latency === undefined) throw new Error("no figure of latency")
const print = { theme: "light", width: 640, print: usualPrint } as const
const latin = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1")

describe("size", () => {
  test("text of 12 units has 8 pt in a figure of 85 mm", () => {
    const svg = picture(latency, print)
    expect(svg).toMatch(/^<svg [^>]*width="85mm"/)
    const units = Number(/viewBox="0 0 (\d+) /.exec(svg)?.[1])
    // 12 units of 85 mm / units each, in points of 1/72 inch
    expect((12 * 85 * 72) / 25.4 / units).toBeCloseTo(8, 1)
    const height = Number(/height="([\d.]+)mm"/.exec(svg)?.[1])
    expect(height / 85).toBeCloseTo(Number(/viewBox="0 0 \d+ (\d+)"/.exec(svg)?.[1]) / units, 3)
  })
  test("a larger text leaves fewer units, and a serif font is named", () => {
    const large = picture(latency, { ...print, print: { mm: 85, pt: 16, font: "serif" } })
    expect(Number(/viewBox="0 0 (\d+) /.exec(large)?.[1])).toBe(181)
    expect(large).toContain("Times New Roman")
    expect(large).not.toContain("Helvetica")
  })
})

describe("choice", () => {
  const labels = (f: readonly (typeof figures)[number][]) =>
    f.flatMap((each) => (each.kind === "lines" ? [each.lines.map((l) => l.name)] : []))
  test("curves are renamed and ordered; figures without them are left out", () => {
    const chosen = chosenOf(figures, {
      figures: ["latency", "peak"],
      curves: ["dragonfly.ugal-l=UGAL", "dragonfly.minimal"],
    })
    if ("bad" in chosen) throw new Error(JSON.stringify(chosen.bad))
    expect(labels(chosen.ok)).toEqual([["UGAL", "dragonfly.minimal"]])
    expect(chosen.ok.map((f) => f.id)).toEqual(["latency", "peak"])
    expect(svgText(chosen.ok[0])).toContain("UGAL")
  })
  const svgText = (f: (typeof figures)[number] | undefined) => (f === undefined ? "" : picture(f, print))
  test("unknown figures and curves are errors that name those that exist", () => {
    expect(chosenOf(figures, { figures: ["latensy"] })).toMatchObject({
      bad: [
        {
          says: 'There is no figure "latensy".',
          fix: expect.stringContaining('did you mean "latency"? there are: latency, tail'),
        },
      ],
    })
    expect(chosenOf(figures, { figures: ["latency"], curves: ["ugal"] })).toMatchObject({
      bad: [{ says: 'There is no curve "ugal".', fix: expect.stringContaining("dragonfly.minimal, dragonfly.ugal-l") }],
    })
  })
  test("a logarithmic axis needs positive values and a figure with curves", () => {
    const both = chosenOf(figures, { figures: ["latency"], log: ["x", "y"] })
    expect(both).toMatchObject({ ok: [{ x: { log: true }, y: { log: true } }] })
    expect(chosenOf(figures, { figures: ["peak"], log: ["y"] })).toMatchObject({
      bad: [{ path: "--log y", fix: expect.stringContaining("choose figures with curves: latency") }],
    })
    const zero: LinesFigure = { ...latency, lines: [{ name: "a", spots: [{ x: 0, y: 1 }] }] }
    expect(chosenOf([zero], { log: ["x"] })).toMatchObject({
      bad: [{ says: 'The figure "latency" has the value 0, which a logarithmic axis cannot show.' }],
    })
  })
})

test("file names have no hashes, and are never equal", () => {
  expect(namesOf(["latency", "promise-A, b", "promise-a b", "Latency", "con", "…"])).toEqual([
    "latency",
    "promise-a-b",
    "promise-a-b-2",
    "latency-2",
    "figure-con",
    "figure",
  ])
})

describe("shapes", () => {
  test("transforms compose, and a full circle of two arcs keeps its radius", () => {
    expect(placed(matrixOf("translate(10,20) scale(2)"), [1, 1])).toEqual([12, 22])
    const [x, y] = placed(matrixOf("rotate(-90)"), [1, 0])
    expect([Math.round(x), Math.round(y)]).toEqual([0, -1])
    const circle = segmentsOf("M4,0A4,4 0 1 1 -4,0A4,4 0 1 1 4,0Z")
    const ends = circle.flatMap((s) => (s.kind === "close" ? [] : [s.to]))
    expect(ends).toHaveLength(5)
    for (const [px, py] of ends) expect(Math.hypot(px, py)).toBeCloseTo(4, 9)
  })
  test("every element of every kind of figure is known, and stays inside the picture", () => {
    for (const figure of figures) {
      const { width, height, shapes } = shapesOf(picture(figure, print))
      expect(shapes.length).toBeGreaterThan(5)
      for (const s of shapes)
        for (const [x, y] of s.kind === "text"
          ? [s.at]
          : s.segments.flatMap((g) => (g.kind === "close" ? [] : [g.to]))) {
          expect(x >= -1 && x <= width + 1, `${figure.id} ${x}`).toBe(true)
          expect(y >= -1 && y <= height + 1, `${figure.id} ${y}`).toBe(true)
        }
    }
  })
})

describe("PDF", () => {
  const { shapes, width, height } = shapesOf(picture(latency, print))
  const file = latin(pdfOf({ shapes, width, height }, 85, "sans", latency.title))
  test("the page has the size, the table of objects is right, and the text is text", () => {
    const [, w] = /MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(file) ?? []
    expect(Number(w)).toBeCloseTo((85 / 25.4) * 72, 2)
    const start = Number(/startxref\n(\d+)/.exec(file)?.[1])
    expect(file.slice(start, start + 4)).toBe("xref")
    for (const [, at] of file.slice(start).matchAll(/^(\d{10}) 00000 n/gm))
      expect(file.slice(Number(at))).toMatch(/^\d+ 0 obj/)
    expect(file).toContain("(Mean latency \\(cycles\\)) Tj")
    expect(file).toContain("/BaseFont /Helvetica /Encoding")
    // the length of the stream
    const stream = /\/Length (\d+) >>\nstream\n([\s\S]*?)\nendstream/.exec(file)
    expect(stream?.[2]).toHaveLength(Number(stream?.[1]))
  })
  test("equal figures give equal files", () => {
    expect(latin(pdfOf({ shapes, width, height }, 85, "sans", latency.title))).toBe(file)
  })
  test("a text is as wide as its letters: A is 667 in Helvetica, 722 in Times", () => {
    expect(encoded("A A", "sans").width).toBe(667 + 278 + 667)
    expect(encoded("A", "serif").width).toBe(722)
    expect(encoded("1−2 ≥ é", "sans").codes).toEqual([0x31, 0x96, 0x32, 0x20, 0x3e, 0x3d, 0x20, 0xe9])
  })
})

describe("TikZ", () => {
  const options = { mm: 85, pt: 8, font: "sans" } as const
  test("curves are an axis of pgfplots with all points, intervals and names", () => {
    const tex = tikzOf(latency, picture(latency, print), options)
    expect(tex).toContain("\\begin{axis}[\n  width=85mm,")
    expect(tex.match(/\\addlegendentry/g)).toHaveLength(latency.lines.length)
    const rows = tex.match(/^ {2}[\d.]+ [\d.]+ [\d.]+ [\d.]+$/gm) ?? []
    const inside = latency.lines.flatMap((l) => l.spots.filter((s) => s.off !== true))
    expect(rows).toHaveLength(inside.length)
  })
  test("other figures are paths, and special letters are escaped", () => {
    const peak = figures.find((f) => f.id === "peak")
    if (peak === undefined) throw new Error("no bars")
    const tex = tikzOf(
      { ...peak, title: "a" },
      picture(peak, print).replace("dragonfly.minimal", "50 % of_a$b"),
      options,
    )
    expect(tex).toContain("50 \\% of\\_a\\$b")
    for (const name of ["tikzpicture"]) expect(tex.split(`{${name}}`)).toHaveLength(3)
  })
})

test("all formats of all figures become files", async () => {
  const folder = mkdtempSync(join(tmpdir(), "lacewing-print-"))
  try {
    for (const format of ["pdf", "tikz"] as const) await writeFigures(figures, folder, format)
    const files = readdirSync(folder)
    expect(files).toHaveLength(2 * figures.length)
    expect(readFileSync(join(folder, "latency.pdf"), "latin1").slice(0, 8)).toBe("%PDF-1.4")
    expect(files).toContain("channels-dragonfly.minimal.tex")
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
