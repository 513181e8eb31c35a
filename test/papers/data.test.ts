// Figures as data say what the modules said from which they were converted: the same experiments with the same run
// hashes, so that recorded results stay valid, and the same rows with the same bounds, values and verdicts.
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { hashOf } from "../../src/experiment/identity/identity.ts"
import { readFigure } from "../../src/reproduce/papers/data/folder.ts"
import { type Mode, type Row, readerOf } from "../../src/reproduce/papers/paper.ts"
import { madeUp, plannedRuns } from "./made-up.ts"

const here = new URL("./before", import.meta.url).pathname
const papers = new URL("../../papers", import.meta.url).pathname

type Before = {
  readonly id: string
  readonly number?: string
  readonly shares?: string
  readonly title: string
  readonly cites: string
  readonly claim: string
  readonly scaled?: string
} & {
  readonly [mode in Mode]?: {
    readonly experiments: Readonly<Record<string, unknown>>
    /** of each made-up world, or those that were read off the model */
    readonly rows: readonly (readonly Row[])[]
  }
}

function before(id: string): Before {
  return JSON.parse(readFileSync(join(here, `${id}.json`), "utf8"), (_, v) =>
    typeof v === "object" && v !== null && typeof v.$number === "string" ? Number(v.$number) : v,
  )
}

const ids = readdirSync(here).flatMap((paper) =>
  readdirSync(join(here, paper)).map((file) => `${paper}/${file.replace(/\.json$/, "")}`),
)

function figureOf(id: string) {
  const [paper = "", name = ""] = id.split("/")
  const got = readFigure(join(papers, paper), name)
  if ("bad" in got) throw new Error(got.bad.map((c) => `${c.path}: ${c.says}; ${c.fix}`).join("\n"))
  return got.ok
}

/** Bounds that say nothing, because the value cannot reach them, are left out: Jain's index is at most 1. */
const formal = [1 + 1e-9]
const highOf = (row: Row) => (formal.includes(row.high) ? Number.POSITIVE_INFINITY : row.high)

/** Sums in another order differ in their last digits. */
function rounded(value: number): number | string {
  return Number.isFinite(value) ? value.toPrecision(10) : value
}

describe.each(ids)("%s", (id) => {
  const was = before(id)
  const figure = figureOf(id)
  const modes = (["quick", "full"] as const).filter((mode) => was[mode] !== undefined)

  test("the file has no mistake, and the words are the same", () => {
    expect(figure.check()).toEqual([])
    const { number, shares, title, cites, claim } = figure
    expect({ number, shares, title, cites, claim, scaled: figure.quick?.scaled }).toEqual({
      number: was.number,
      shares: was.shares,
      title: was.title,
      cites: was.cites,
      claim: was.claim,
      scaled: was.scaled,
    })
  })
  test.each(modes)("%s: the experiments have the same runs", (mode) => {
    const hashes = (experiments: Readonly<Record<string, unknown>>) =>
      Object.fromEntries(
        Object.entries(experiments).map(([name, e]) => [
          name,
          plannedRuns(name, e).map((r) => [hashOf(r, ""), r.seed, r.point]),
        ]),
      )
    expect(hashes(figure[mode]?.experiments ?? {})).toEqual(hashes(was[mode]?.experiments ?? {}))
  })
  test.each(modes)("%s: the rows are the same on made-up measurements, and so are their verdicts", (mode) => {
    const read = readerOf(figure.inspect?.() ?? {})
    was[mode]?.rows.forEach((rows, world) => {
      const now = figure.rows(madeUp(figure, mode, world + 1), mode, read)
      const said = (all: readonly Row[]) =>
        all.map((r) => [r.claim, r.paper, rounded(r.value), r.low, highOf(r), r.pass, r.kind, r.note])
      expect(said(now)).toEqual(said(rows))
    })
  })
})
