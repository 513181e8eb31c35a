// Papers: rows are judged by their bounds, unchecked never passes, records are written whole and the gallery shows them.
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { sweep } from "../../test/fixtures/records.ts"
import { estimate } from "./compare-points.ts"
import { exactly, type PaperFigure, paperJson, type RunExperiment, runPaper, unchecked, verdict, within } from "./paper.ts"
import { galleryHtml, writeGallery } from "./paper-gallery.ts"
import { papersNamed, readRecorded, record, recordedPath, standing } from "./paper-record.ts"

let base: string
beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), "lacewing-papers-"))
})
afterAll(() => rmSync(base, { recursive: true, force: true }))

const table: PaperFigure = {
  id: "flies/table1",
  title: "Routers of a network",
  cites: "On flies, A. Author, 2020",
  claim: "Nine groups of four routers.",
  rows: () => [exactly("routers", 36, 9 * 4), within({ claim: "links", paper: 180, value: 181, low: 171, high: 189, note: "within 5 %" })],
}
const curve: PaperFigure = {
  id: "flies/fig2",
  title: "Latency against load",
  cites: "On flies, A. Author, 2020",
  claim: "UGAL saturates later than minimal routing.",
  quick: { experiments: { small: { lacewing: 1 } }, scaled: "72 instead of 1,056 endpoints" },
  full: { experiments: { large: { lacewing: 1 } } },
  rows(runs, mode) {
    const best = Math.max(...(runs["small"] ?? []).map((r) => r.result.values["accepted"]!))
    return [
      within({ claim: "UGAL accepts", paper: 0.75, value: best, low: 0.7, high: 0.8, note: "0.75 * (1 ± 1/15)" }),
      mode === "full" ? exactly("endpoints", 1056, 1056) : unchecked("endpoints", 1056, "cannot be scaled"),
    ]
  },
}
const asked: string[] = []
const run: RunExperiment = async (_experiment, out) => {
  asked.push(out)
  return { ok: sweep() }
}

describe("rows", () => {
  test("a row passes inside its bounds, ends included; NaN never does", () => {
    const at = (value: number) => within({ claim: "", paper: 1, value, low: 1, high: 2 }).pass
    expect([0.99, 1, 1.5, 2, 2.01, Number.NaN].map(at)).toEqual([false, true, true, true, false, false])
  })
  test("the verdict: a failed row fails all, unchecked rows alone pass nothing, no rows is a failure", () => {
    const [good, bad, open] = [exactly("", 1, 1), exactly("", 1, 2), unchecked("", 1, "")]
    expect([[good], [good, bad], [good, open], [open], [open, bad], []].map(verdict)).toEqual([
      true,
      false,
      true,
      "unchecked",
      false,
      false,
    ])
  })
})

describe("running", () => {
  test("a table without experiments needs no simulation", async () => {
    asked.length = 0
    const got = await runPaper(table, "quick", run, "out")
    expect("ok" in got && [got.ok.pass, got.ok.rows.map((r) => r.pass)]).toEqual([true, [true, true]])
    expect(asked).toEqual([])
  })
  test("quick runs the quick experiments; what cannot be scaled is unchecked; the curve is drawn from the runs", async () => {
    const got = await runPaper(curve, "quick", run, "out")
    if ("bad" in got) throw new Error("refused")
    expect(asked).toEqual(["out/small"])
    expect(got.ok.rows.map((r) => r.pass)).toEqual([true, "unchecked"])
    // ugal-l of the fixtures saturates at 0.78
    expect(got.ok.rows[0]!.value).toBeCloseTo(0.78, 3)
    expect(got.ok.figures.map((f) => f.id)).toEqual(["latency", "tail"])
    expect(JSON.parse(JSON.stringify(paperJson(got.ok)))).toMatchObject({
      id: "flies/fig2",
      mode: "quick",
      pass: true,
      rows: [{}, { value: null, pass: "unchecked" }],
    })
  })
  test("a mode that a figure does not have leaves it unchecked and runs nothing", async () => {
    asked.length = 0
    const { quick: _, ...fullOnly } = curve
    const got = await runPaper(fullOnly, "quick", run, "out")
    expect("ok" in got && [got.ok.pass, got.ok.rows[0]!.note]).toEqual(["unchecked", "there is no quick form; run it with --full"])
    expect(asked).toEqual([])
  })
  test("a module cannot pass a row whose value lies outside", async () => {
    const liar: PaperFigure = { ...table, rows: () => [{ claim: "", paper: 1, value: 5, low: 0, high: 2, pass: true }] }
    const got = await runPaper(liar, "quick", run, "out")
    expect("ok" in got && got.ok.pass).toBe(false)
  })
  test("a refused experiment is passed on", async () => {
    const got = await runPaper(curve, "quick", async () => ({ bad: [{ path: "x", says: "y", fix: "z" }] }), "out")
    expect("bad" in got && got.bad[0]!.says).toBe("y")
  })
})

describe("records and gallery", () => {
  test("both modes are kept side by side, NaN and figures survive, the full one stands", async () => {
    const quick = await runPaper(curve, "quick", run, "out")
    if ("bad" in quick) throw new Error("refused")
    const path = record(base, quick.ok, "0.1.0")
    expect(path).toBe(recordedPath(base, "flies/fig2"))
    expect(standing(readRecorded(base, curve.id))).toMatchObject({ mode: "quick", says: "1 of 2 rows checked, all agree" })
    const back = readRecorded(base, curve.id).quick!
    expect(back.rows).toEqual(quick.ok.rows)
    expect(back.figures).toEqual(quick.ok.figures)
    expect(back.runs).toHaveLength(48)
    expect(back.provenance.machine).not.toContain(base)
    const full = await runPaper({ ...curve, rows: () => [exactly("endpoints", 1056, 72)] }, "full", run, "out")
    if ("bad" in full) throw new Error("refused")
    record(base, full.ok, "0.1.0")
    expect(readRecorded(base, curve.id).quick).toEqual(back)
    expect(standing(readRecorded(base, curve.id))).toMatchObject({ mode: "full", says: "1 of 1 rows fail" })
  })
  test("the gallery shows every figure, recorded or not, and nothing that is not ours can be markup", () => {
    const text = readFileSync(writeGallery(base, [table, { ...curve, claim: "<img src=x>" }]), "utf8")
    expect(text).toContain("1 paper<")
    expect(text).toContain("not recorded")
    expect(text).toContain("<svg")
    expect(text).not.toContain("<img")
    expect(galleryHtml([{ figure: table, recorded: { id: table.id } }])).toContain("lacewing paper flies/table1 --record")
  })
  test("ids: one, all of a paper, all", () => {
    const all = [table, curve]
    expect(
      [papersNamed(all, "flies"), papersNamed(all, "flies/fig2"), papersNamed(all, "all"), papersNamed(all, "fli")].map((p) => p?.length),
    ).toEqual([2, 1, 2, undefined])
  })
  test("the estimate of the fixtures that the rows rely on", () => {
    expect(estimate(sweep({ loads: [0.8], names: ["dragonfly.ugal-l"] }), "accepted")!.mean).toBeCloseTo(0.78, 3)
  })
})
