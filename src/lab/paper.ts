// A figure or table of a paper, reproduced: experiment, claim, acceptance rows. Its module lies in src/papers/<paper>/<figure>.ts, its recorded
// result in papers/<paper>/<figure>.recorded.json. docs/results.md says how to write one.
import type { Checked } from "../core/complaint.ts"
import type { Figure } from "./figure.ts"
import { figuresOf } from "./figure-choose.ts"
import type { RunRecord } from "./record.ts"

export type Pass = true | false | "unchecked"
export type Mode = "quick" | "full"

/** One acceptance row: what the paper says, what we found, and the bounds within which that counts as agreement. */
export type Row = {
  readonly claim: string
  /** the paper's own number, or its words */
  readonly paper: number | string
  /** ours; NaN when unchecked */
  readonly value: number
  readonly low: number
  readonly high: number
  readonly pass: Pass
  /** where the bounds come from (the formula, for a scaled-down run), or why the row is unchecked */
  readonly note?: string
}

/** Finished runs by the name of their experiment. */
export type PaperRuns = Readonly<Record<string, readonly RunRecord[]>>

export type PaperPlan = {
  /** complete experiments, as they would stand in a file */
  readonly experiments: Readonly<Record<string, unknown>>
  /** how a quick plan is scaled down, in words */
  readonly scaled?: string
}

export interface PaperFigure {
  /** "fitfly/table4": the folder and the file name of its module */
  readonly id: string
  /** name of a set of runs that it shares with other figures of its paper ("stashing/uniform"): what one has run, another need not */
  readonly shares?: string
  readonly title: string
  /** title, authors, year */
  readonly cites: string
  readonly claim: string
  /** minutes, scaled down. Absent with `full` present: quick rows are all unchecked. Both absent: rows() needs no simulation */
  readonly quick?: PaperPlan
  /** at the paper's own size */
  readonly full?: PaperPlan
  /** the same claims in both modes; a row that cannot be scaled is unchecked() */
  rows(runs: PaperRuns, mode: Mode): readonly Row[]
  /** our curve; when absent, the first figures that a report of the runs would have */
  figures?(runs: PaperRuns, mode: Mode): readonly Figure[]
}

/** A row that is held against its bounds. */
export function within(row: Omit<Row, "pass">): Row {
  return { ...row, pass: row.value >= row.low && row.value <= row.high }
}

/** A row whose value must be the paper's exactly. */
export function exactly(claim: string, paper: number, value: number, note?: string): Row {
  return within({ claim, paper, value, low: paper, high: paper, ...(note === undefined ? {} : { note }) })
}

/** A row that this run cannot decide; it never counts as passed. */
export function unchecked(claim: string, paper: number | string, note: string): Row {
  return { claim, paper, value: Number.NaN, low: Number.NaN, high: Number.NaN, pass: "unchecked", note }
}

/** Runs an experiment given as data, keeping finished runs in the folder `out`: the lab provides it. */
export type RunExperiment = (experiment: unknown, out: string) => Promise<Checked<readonly RunRecord[]>>

export type PaperResult = {
  readonly id: string
  readonly mode: Mode
  readonly rows: readonly Row[]
  /** false: a row failed. "unchecked": none failed and none passed */
  readonly pass: Pass
  readonly figures: readonly Figure[]
  readonly runs: PaperRuns
  readonly seconds: number
}

export async function runPaper(figure: PaperFigure, mode: Mode, run: RunExperiment, out: string): Promise<Checked<PaperResult>> {
  const started = performance.now()
  const plan = figure[mode]
  const runs: Record<string, readonly RunRecord[]> = {}
  for (const [name, experiment] of Object.entries(plan?.experiments ?? {})) {
    const got = await run(experiment, `${out}/${name}`)
    if ("bad" in got) return got
    runs[name] = got.ok
  }
  const undecided = plan === undefined && (figure.quick ?? figure.full) !== undefined
  const rows = undecided
    ? [unchecked(figure.claim, "", `there is no ${mode} form; run it with --${mode === "quick" ? "full" : "quick"}`)]
    : figure.rows(runs, mode).map(audited)
  const figures = undecided ? [] : (figure.figures?.(runs, mode) ?? figuresOf(Object.values(runs).flat()).slice(0, 2))
  return { ok: { id: figure.id, mode, rows, pass: verdict(rows), figures, runs, seconds: (performance.now() - started) / 1000 } }
}

/** A row says "pass" only with a value inside its bounds, whatever its module thinks. */
function audited(row: Row): Row {
  if (row.pass !== true || (row.value >= row.low && row.value <= row.high)) return row
  return { ...row, pass: false, note: "the value is not within its bounds" }
}

/** No rows is a failure: a reproduction that claims nothing shows nothing. */
export function verdict(rows: readonly Row[]): Pass {
  if (rows.length === 0 || rows.some((r) => r.pass === false)) return false
  return rows.some((r) => r.pass === true) ? true : "unchecked"
}

/** As `lacewing paper ID --json` prints it: NaN becomes null. */
export function paperJson(result: PaperResult): object {
  const { id, mode, pass, seconds } = result
  return { id, mode, rows: result.rows, pass, runs: Object.values(result.runs).flat().length, seconds }
}
