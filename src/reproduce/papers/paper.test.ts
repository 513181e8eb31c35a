// Papers: rows are judged by their bounds, unchecked never passes, records are written whole and the gallery shows
// them.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { sweep } from "../../../test/fixtures/records.ts"
import type { Figure } from "../../draw/figure/figure.ts"
import { estimate } from "../../results/compare/points.ts"
import { galleryPages } from "./gallery/pages.ts"
import { writeGallery } from "./gallery.ts"
import { withIntervals } from "./interval.ts"
import { judged, standing } from "./judge.ts"
import {
  definition,
  exactly,
  numberOf,
  ours,
  type PaperFigure,
  type PaperRuns,
  paperJson,
  type RunExperiment,
  runPaper,
  sensitivity,
  summaryOf,
  unchecked,
  verdict,
  within,
  wordOf,
} from "./paper.ts"
import {
  changedSince,
  papersNamed,
  type Recorded,
  readRecorded,
  record,
  recordedPath,
  rewrite,
  secondsOf,
} from "./record.ts"

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
  inspect: () => ({ routers: 9 * 4, links: 181 }),
  rows: (_runs, _mode, read) => [
    exactly("routers", 36, read("routers")),
    within({ claim: "links", paper: 180, value: read("links"), low: 171, high: 189, note: "within 5 %" }),
  ],
}
const curve: PaperFigure = {
  id: "flies/fig2",
  title: "Latency against load",
  cites: "On flies, A. Author, 2020",
  claim: "UGAL saturates later than minimal routing.",
  quick: { experiments: { small: { lacewing: 1 } }, scaled: "72 instead of 1,056 endpoints" },
  full: { experiments: { large: { lacewing: 1 } } },
  rows(runs, mode) {
    const best = Math.max(...(runs["small"] ?? []).map((r) => r.result.values["accepted"]))
    return [
      within({ claim: "UGAL accepts", paper: 0.75, value: best, low: 0.7, high: 0.8, note: "0.75 * (1 ± 1/15)" }),
      mode === "full" ? exactly("endpoints", 1056, 1056) : unchecked("endpoints", 1056, "cannot be scaled"),
    ]
  },
}
const threeSeeds = {
  lacewing: 1,
  network: { topology: { name: "mesh", sides: "4x4" }, routing: "mesh.dimension-order" },
  traffic: { load: 0.1 },
  seeds: 3,
}
const provenance = {
  version: "0.1.0",
  node: "v20",
  machine: "a machine",
  finished: "2026-01-02T03:04:05.000Z",
  seconds: 4.29,
}
const made = (of: Partial<Recorded>): Recorded => ({ rows: [], pass: true, figures: [], runs: [], provenance, ...of })
type Lines = Extract<Figure, { kind: "lines" }>
const lines = (spots: Lines["lines"][number]["spots"]): Lines => ({
  kind: "lines",
  id: "f",
  title: "",
  caption: "",
  x: { label: "Time" },
  y: { label: "Load" },
  lines: [{ name: "one", spots }],
  markers: false,
})
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
  test("definitions, misprints and checks of our own are shown and never agree", () => {
    const [good, bad] = [exactly("", 1, 1), exactly("", 1, 2)]
    const fixed = definition({ claim: "", paper: 1, value: 1, low: 1, high: 1 })
    const wrong = definition({ claim: "", paper: 1, value: 2, low: 1, high: 1 })
    expect([good, bad, fixed, wrong, ours(good), unchecked("", 1, "")].map(wordOf)).toEqual([
      "agrees",
      "fails",
      "definition",
      "fails",
      "ours",
      "unchecked",
    ])
    expect([[fixed], [fixed, good], [ours(good)], [wrong, good]].map(verdict)).toEqual([
      "unchecked",
      true,
      "unchecked",
      false,
    ])
    expect([[fixed], [fixed, good], [fixed, unchecked("", 1, "")], [bad, good], []].map(summaryOf)).toEqual([
      "definition",
      "agrees",
      "unchecked",
      "fails",
      "fails",
    ])
  })
  test("numbers of figures and tables as the paper has them", () => {
    expect(["a/fig5a", "a/table2", "a/text"].map((id) => numberOf({ id }))).toEqual(["Figure 5a", "Table 2", "a/text"])
    expect(numberOf({ id: "a/table1", number: "Table I" })).toBe("Table I")
  })
})

describe("running", () => {
  test("a table without experiments needs no simulation", async () => {
    asked.length = 0
    const got = await runPaper(table, "quick", run, "out")
    expect("ok" in got && [got.ok.pass, got.ok.rows.map((r) => r.pass)]).toEqual([true, [true, true]])
    expect(asked).toEqual([])
  })
  test("a row inside its bounds before any result is read is a definition, whatever its module calls it", async () => {
    const constant: PaperFigure = {
      ...table,
      rows: (_r, _m, read) => [exactly("7/8", 0.875, 7 / 8), exactly("routers", 36, read("routers"))],
    }
    const got = await runPaper(constant, "quick", run, "out")
    expect("ok" in got && got.ok.rows.map(wordOf)).toEqual(["definition", "agrees"])
  })
  test("seconds are those of the runs, known or not, not of reading them", async () => {
    const got = await runPaper(curve, "quick", run, "out")
    asked.length = 0
    // 48 runs of 1.25 s each in the fixtures
    expect("ok" in got && got.ok.seconds).toBe(60)
  })
  test("quick runs the quick experiments, leaves unscalable rows unchecked and draws the curve from the runs", async () => {
    const got = await runPaper(curve, "quick", run, "out")
    if ("bad" in got) throw new Error("refused")
    expect(asked).toEqual(["out/small"])
    expect(got.ok.rows.map((r) => r.pass)).toEqual([true, "unchecked"])
    // ugal-l of the fixtures saturates at 0.78
    expect(got.ok.rows[0].value).toBeCloseTo(0.78, 3)
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
    expect("ok" in got && [got.ok.pass, got.ok.rows[0].note]).toEqual([
      "unchecked",
      "There is no quick version; run it with --full",
    ])
    expect(asked).toEqual([])
  })
  test("a module cannot pass a row whose value lies outside", async () => {
    const liar: PaperFigure = { ...table, rows: () => [{ claim: "", paper: 1, value: 5, low: 0, high: 2, pass: true }] }
    const got = await runPaper(liar, "quick", run, "out")
    expect("ok" in got && got.ok.pass).toBe(false)
  })
  test("a refused experiment is passed on", async () => {
    const got = await runPaper(curve, "quick", async () => ({ bad: [{ path: "x", says: "y", fix: "z" }] }), "out")
    expect("bad" in got && got.bad[0].says).toBe("y")
  })
})

const galleryHtml = (all: Parameters<typeof galleryPages>[0]): string => [...galleryPages(all).values()].join("")

describe("records and gallery", () => {
  test("both modes are kept side by side, NaN and figures survive, the full one stands", async () => {
    const quick = await runPaper(curve, "quick", run, "out")
    if ("bad" in quick) throw new Error("refused")
    const path = record(base, quick.ok, "0.1.0")
    expect(path).toBe(recordedPath(base, "flies/fig2"))
    expect(standing(curve, readRecorded(base, curve.id))).toMatchObject({
      mode: "quick",
      says: "1 of 2 rows agree, 1 unchecked",
    })
    const back = readRecorded(base, curve.id).quick!
    expect(back.rows).toEqual(quick.ok.rows)
    expect(back.figures).toEqual(quick.ok.figures)
    expect(back.runs).toHaveLength(48)
    expect(secondsOf(back)).toBe(60)
    expect(back.provenance.machine).not.toContain(base)
    const wrong: PaperFigure = { ...curve, rows: () => [exactly("endpoints", 1056, 72)] }
    const full = await runPaper(wrong, "full", run, "out")
    if ("bad" in full) throw new Error("refused")
    record(base, full.ok, "0.1.0")
    expect(readRecorded(base, curve.id).quick).toEqual(back)
    expect(standing(wrong, readRecorded(base, curve.id))).toMatchObject({ mode: "full", says: "1 of 1 rows fail" })
  })
  test("a record whose runs have no seconds of their own does not pass off the time of reading them", () => {
    const runs = [{ experiment: "small", hash: "h", fingerprint: "f", why: "precision" }]
    expect(secondsOf(made({ runs }))).toBe(undefined)
    expect(
      secondsOf(
        made({
          runs: [
            { ...runs[0], seconds: 70 },
            { ...runs[0], seconds: 7 },
          ],
        }),
      ),
    ).toBe(77)
    expect(secondsOf(made({}))).toBe(4.29)
    const text = galleryHtml([
      { figure: curve, recorded: { id: curve.id, quick: made({ runs, rows: [exactly("x", 1, 1)] }) } },
    ])
    expect(text).toContain("1 run, time of the runs not recorded;")
    expect(text).not.toContain("4.29")
  })
  test("a record ages when the revision of a part that its runs use is raised, and names both revisions", () => {
    const runs = [{ experiment: "a", hash: "h", fingerprint: "f", why: "steady", seconds: 1 }]
    const now = new Map([
      ["engine flit", 1],
      ["switch tiled", 3],
    ])
    const of = (more: object, those = runs) =>
      changedSince(made({ runs: those, provenance: { ...provenance, ...more } }), now)
    expect(of({ revisions: "engine flit 1, switch tiled 3" })).toEqual([])
    expect(of({ revisions: "engine flit 1, switch tiled 2" })).toEqual(["switch tiled revision 2 (now 3)"])
    // a part that the recorded runs did not use cannot have changed them
    expect(of({ revisions: "engine flit 1" })).toEqual([])
    // model 3 is revision 1 of each part
    expect(of({ model: 3 })).toEqual(["switch tiled revision 1 (now 3)"])
    expect(of({ model: 2 })).toEqual(["model 2 (now revisions of each part)"])
    expect(of({ model: 2 }, [])).toEqual([])
  })
  test("runs of an older model are marked as older and judged as recorded; rows without a run do not age", () => {
    const runs = [{ experiment: "a", hash: "h", fingerprint: "f", why: "steady", seconds: 1 }]
    const rows = [exactly("x", 1, 1)]
    const figure: PaperFigure = { ...table, rows: () => rows }
    const of = (model: number | undefined, of: Partial<Recorded>) => {
      const file = {
        id: table.id,
        full: made({ rows, provenance: { ...provenance, ...(model === undefined ? {} : { model }) }, ...of }),
      }
      const { changed, says, word } = standing(figure, file)!
      return [
        changed.length > 0,
        says.endsWith(" (older)"),
        word === "fails",
        galleryHtml([{ figure, recorded: file }]).includes('<span class="tag">older</span>'),
      ]
    }
    expect(of(undefined, { runs })).toEqual([true, true, false, true])
    expect(of(2, { runs })).toEqual([true, true, false, true])
    expect(of(3, { runs })).toEqual([false, false, false, false])
    expect(of(undefined, { runs: [] })).toEqual([false, false, false, false])
  })
  test("recorded values are judged by the bounds and kinds of today", () => {
    const now: PaperFigure = {
      ...curve,
      rows: () => [
        within({ claim: "falls at", paper: 32, value: Number.NaN, low: 28, high: 36 }),
        exactly("the same", 1, Number.NaN),
        ours(exactly("the same", 2, Number.NaN)),
        exactly("new", 1, Number.NaN),
      ],
    }
    const rows = [
      within({ claim: "falls at", paper: 32, value: 24.6, low: 20, high: 37 }),
      exactly("the same", 1, 1),
      exactly("the same", 2, 2),
      exactly("gone", 1, 1),
    ]
    expect(judged(now, "quick", made({ rows })).map((r) => [r.claim, r.value, r.low, wordOf(r)])).toEqual([
      ["falls at", 24.6, 28, "fails"],
      ["the same", 1, 1, "agrees"],
      ["the same", 2, 2, "ours"],
      ["gone", 1, 1, "unchecked"],
      ["new", Number.NaN, Number.NaN, "unchecked"],
    ])
  })
  test("what was read off the model, and curves that hold all that is judged, are judged again", () => {
    const recorded = made({ facts: { routers: 36, links: 200 } })
    expect(judged(table, "full", recorded).map(wordOf)).toEqual(["agrees", "fails"])
    const drawn: PaperFigure = { ...curve, again: (figures) => [exactly("figures", 1, figures.length)] }
    expect(judged(drawn, "quick", made({ figures: [lines([])] })).map(wordOf)).toEqual(["agrees"])
  })
  test("a value that is read from curves again keeps its interval over the seeds, another value does not", () => {
    const row = (value: number) => within({ claim: "load", paper: 4, value, low: 3.5, high: 4.5 })
    const drawn: PaperFigure = { ...curve, again: () => [row(3.44)] }
    // 3.5 lies inside 3.44 ± 0.1, so other seeds might decide otherwise.
    expect(judged(drawn, "quick", made({ rows: [{ ...row(3.44), half: 0.1 }] })).map(wordOf)).toEqual(["open"])
    expect(judged(drawn, "quick", made({ rows: [{ ...row(3.4), half: 0.1 }] })).map(wordOf)).toEqual(["fails"])
  })
  test("fewer runs than are asked agree with nothing, and still fail", () => {
    const asked: PaperFigure = {
      ...curve,
      quick: { experiments: { seeds: threeSeeds } },
      rows: () => [exactly("a", 1, Number.NaN), exactly("b", 1, Number.NaN)],
    }
    const runs = [1, 2, 3].map((i) => ({
      experiment: "seeds",
      hash: `${i}`,
      fingerprint: "f",
      why: "precision",
      seconds: 1,
    }))
    const rows = [exactly("a", 1, 1), exactly("b", 1, 2)]
    expect(judged(asked, "quick", made({ rows, runs })).map(wordOf)).toEqual(["agrees", "fails"])
    const few = judged(asked, "quick", made({ rows, runs: runs.slice(1) }))
    expect(few.map(wordOf)).toEqual(["unchecked", "fails"])
    expect(few[0].note).toContain("recorded from 2 of the 3 runs")
  })
  test("spots that are nothing but places are written as pairs; writing again changes no value", () => {
    const id = "flies/fig8"
    const spots = [
      { x: 1.024, y: 0.1 + 0.2, facts: [["time", 1.024] as const, ["load", 0.1 + 0.2] as const] },
      { x: 2, y: Number.NaN },
    ]
    const more = [{ x: 1, y: 2, off: true, facts: [["time", 1] as const, ["saturated", "yes"] as const] }]
    const result = {
      id,
      mode: "quick" as const,
      rows: [],
      pass: false as const,
      figures: [lines(spots), lines(more)],
      facts: {},
      runs: {},
      seconds: 1,
    }
    const text = readFileSync(record(base, result, "0.1.0"), "utf8")
    expect(text).toContain('"$spots": [[1.024,0.30000000000000004],[2,{"$number":"NaN"}]]')
    const [first, second] = readRecorded(base, id).quick!.figures
    expect(first).toEqual(lines(spots.map(({ x, y }) => ({ x, y }))))
    expect(second).toEqual(lines(more))
    expect(readFileSync(rewrite(base, id)!, "utf8")).toBe(text)
    expect(rewrite(base, "flies/none")).toBe(undefined)
  })
  test("the gallery shows every figure, recorded or not, and nothing that is not ours can be markup", () => {
    const start = readFileSync(writeGallery(base, [table, { ...curve, claim: "<img src=x>" }]), "utf8")
    expect(start).toContain("1 paper<")
    expect(start).toContain('<a href="flies.html#flies/fig2">')
    expect(start).toContain('data-paper="flies" data-verdict="not recorded"')
    const text = readFileSync(join(base, "flies.html"), "utf8")
    expect(text).toContain("not recorded")
    expect(text).toContain("<svg")
    expect(start + text).not.toContain("<img")
    expect(galleryHtml([{ figure: table, recorded: { id: table.id } }])).toContain(
      "lacewing paper flies/table1 --record",
    )
  })
  test("the start page and the page of a paper begin with what was learned, as paper.yaml says it", () => {
    const folder = join(base, "flies")
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, "paper.yaml"), 'cites: Flies\nlearned: ["Two planes carry twice the load."]\n')
    const start = readFileSync(writeGallery(base, [table]), "utf8")
    const text = readFileSync(join(base, "flies.html"), "utf8")
    rmSync(join(folder, "paper.yaml"))
    for (const one of [start, text]) {
      const at = one.indexOf("Two planes carry twice the load.")
      expect(at).toBeGreaterThan(0)
      expect(at).toBeLessThan(one.indexOf("data-verdict"))
    }
  })
  test("ids: one, all of a paper, all", () => {
    const all = [table, curve]
    expect(
      [papersNamed(all, "flies"), papersNamed(all, "flies/fig2"), papersNamed(all, "all"), papersNamed(all, "fli")].map(
        (p) => p?.length,
      ),
    ).toEqual([2, 1, 2, undefined])
  })
  test("the estimate of the fixtures that the rows rely on", () => {
    expect(estimate(sweep({ loads: [0.8], names: ["dragonfly.ugal-l"] }), "accepted")!.mean).toBeCloseTo(0.78, 3)
  })
})

describe("open rows and rows of other kinds", () => {
  const row = within({ claim: "", paper: 0.5, value: 0.50016, low: 0.5, high: 0.8 })
  test("a row is open if a bound lies inside the interval of the seeds, whether it passes or fails", () => {
    expect([0, 0.0001, 0.001].map((half) => wordOf({ ...row, half }))).toEqual(["agrees", "agrees", "open"])
    const fails = within({ ...row, value: 0.4999 })
    expect([0, 0.00005, 0.001].map((half) => wordOf({ ...fails, half }))).toEqual(["fails", "fails", "open"])
    expect(wordOf({ ...row, resolution: 0.00032 })).toBe("open")
    // an open row is neither a failure nor an agreement
    expect([[{ ...fails, half: 1 }], [{ ...fails, half: 1 }, row]].map(verdict)).toEqual(["unchecked", true])
  })
  test("a row that the published code does not give either is no failure of ours", () => {
    const fails = { ...within({ ...row, value: 0.4 }), evidence: "the published code gives 0.39" }
    expect(wordOf(fails)).toBe("not reproducible")
    expect(wordOf({ ...row, evidence: "the published code gives 0.39" })).toBe("agrees")
  })
  test("a sweep of an assumption never fails", () => {
    expect([0, 3].map((value) => wordOf(sensitivity(within({ ...row, value, low: 0, high: 0 }))))).toEqual([
      "sensitivity",
      "sensitivity",
    ])
  })
  test("the interval is that of the mean over the seeds: half of it is t times s over the root of n", () => {
    const values = [0.71, 0.73, 0.78]
    const runs = sweep({ loads: [0.8], names: ["dragonfly.ugal-l"] })
      .slice(0, 3)
      .map((r, i) => ({ ...r, seed: i + 1, result: { ...r.result, values: { accepted: values[i] ?? Number.NaN } } }))
    const mean = (all: PaperRuns) => {
      const of = (all["small"] ?? []).map((r) => r.result.values["accepted"] ?? Number.NaN)
      return of.reduce((a, b) => a + b, 0) / of.length
    }
    const figure: PaperFigure = {
      ...curve,
      rows: (all) => [within({ claim: "", paper: 0.75, value: mean(all), low: 0.7, high: 0.8 })],
    }
    const [row] = withIntervals((all: PaperRuns) => figure.rows(all, "quick", () => Number.NaN), { small: runs })
    // mean 0.74, s 0.036056, t(0.975, 2) 4.302653: 4.302653 * 0.036056 / sqrt(3) = 0.089566
    expect(row?.half).toBeCloseTo(0.089566, 5)
    expect(row === undefined ? "" : wordOf(row)).toBe("open")
  })
})
