// A figure or table of a paper, reproduced: experiment, claim, acceptance rows. It is a file
// papers/<paper>/<figure>.figure.yaml or, where that cannot say it, a module src/reproduce/papers/<paper>/<figure>.ts;
// its recorded result is papers/<paper>/<figure>.recorded.json. docs/guide/own-papers.md says how to write one.
import type { Checked, Complaint } from "../../core/complaint.ts"
import { figuresOf } from "../../draw/figure/choose.ts"
import type { Figure } from "../../draw/figure/figure.ts"
import type { RunRecord } from "../../results/record.ts"
import { withIntervals } from "./interval.ts"

export type Pass = true | false | "unchecked"
export type Mode = "quick" | "full"
/** Rows that are judged otherwise than by agreement: arithmetic or wording of the paper; a value of the paper that
 *  contradicts its own numbers; a check of ours; a sweep of an assumption, which is no failure whatever comes out. */
export type Kind = "definition" | "misprint" | "ours" | "sensitivity"
export type Word = "agrees" | "fails" | "open" | "not reproducible" | "unchecked" | Kind

/** One acceptance row: what the paper says, what we found, and the bounds within which that counts as agreement. Bounds
 *  never come from what was measured. */
export type Row = {
  readonly claim: string
  /** the paper's own number, or its words */
  readonly paper: number | string
  /** ours; NaN when unchecked */
  readonly value: number
  readonly low: number
  readonly high: number
  readonly pass: Pass
  /** shown instead of "agrees", and never counted as such */
  readonly kind?: Kind
  /** half width of the 95 % interval of the value over the seeds; absent with a single seed */
  readonly half?: number
  /** smallest difference that the measurement can show, such as that of one packet */
  readonly resolution?: number
  /** where the paper says it */
  readonly source?: string
  /** the result of the code that was published with the paper, where that does not give the paper's value either */
  readonly evidence?: string
  /** where the bounds come from (the formula, for a scaled-down run), or why the row is unchecked */
  readonly note?: string
}

/** Finished runs by the name of their experiment. */
export type PaperRuns = Readonly<Record<string, readonly RunRecord[]>>

/** A number that was read off the model by name; NaN when nothing was. */
export type Read = (name: string) => number
export type Facts = Readonly<Record<string, number>>

export type PaperPlan = {
  /** complete experiments, as they would stand in a file */
  readonly experiments: Readonly<Record<string, unknown>>
  /** how a quick plan is scaled down, in words */
  readonly scaled?: string
  /** further experiments that follow from finished runs, under new names; called again until there are none */
  more?(runs: PaperRuns): Readonly<Record<string, unknown>>
}

export interface PaperFigure {
  /** "fitfly/table4": the folder and the file name of its module */
  readonly id: string
  /** as the paper numbers it, where that does not follow from the id ("Table I") */
  readonly number?: string
  /** name of a set of runs that it shares with other figures of its paper ("stashing/uniform"): what one has run,
   *  another need not */
  readonly shares?: string
  readonly title: string
  /** title, authors, year */
  readonly cites: string
  /** folder of the files that its experiments name; absent: the current one */
  readonly folder?: string
  readonly claim: string
  /** minutes, scaled down. Absent with `full` present: quick rows are all unchecked. Both absent: rows() needs no
   *  simulation */
  readonly quick?: PaperPlan
  /** at the paper's own size */
  readonly full?: PaperPlan
  /** complaints about its rows and experiments, before anything runs; figures as data alone have mistakes that types do
   *  not find */
  check?(): readonly Complaint[]
  /** numbers read off built networks and benches, where no experiment is run */
  inspect?(): Facts
  /** the same claims in both modes; a row that cannot be scaled is unchecked(). Judges what was run or read, and
   *  computes nothing else */
  rows(runs: PaperRuns, mode: Mode, read: Read): readonly Row[]
  /** the same rows from recorded curves, where these hold all that is judged: bounds that change need no new runs */
  again?(figures: readonly Figure[], mode: Mode): readonly Row[]
  /** our curve; when absent, the first figures that a report of the runs would have */
  figures?(runs: PaperRuns, mode: Mode): readonly Figure[]
  /** the recorded curves as the paper draws them, with the numbers of its text as marks; when absent, as recorded */
  plots?(figures: readonly Figure[]): readonly Figure[]
}

/** "Figure 5a", "Table 2". */
export function numberOf({ id, number }: Pick<PaperFigure, "id" | "number">): string {
  const [, kind, rest] = /(fig|table)([0-9]+[a-z]?)$/.exec(id) ?? []
  return number ?? (kind === undefined ? id : `${kind === "fig" ? "Figure" : "Table"} ${rest}`)
}

/** A row that is compared with its bounds. */
export function within(row: Omit<Row, "pass">): Row {
  return { ...row, pass: row.value >= row.low && row.value <= row.high }
}

/** A row whose value must be the paper's exactly. */
export function exactly(claim: string, paper: number, value: number, note?: string): Row {
  return within({ claim, paper, value, low: paper, high: paper, ...(note === undefined ? {} : { note }) })
}

/** A row that shows what the paper's words mean or what its own arithmetic gives: nothing of ours is measured. */
export function definition(row: Omit<Row, "pass" | "kind">): Row {
  return { ...within(row), kind: "definition" }
}

/** A check of the model that the paper does not make. */
export function ours(row: Row): Row {
  return { ...row, paper: "not in the paper", kind: "ours" }
}

/** A row that shows what an assumption changes. It cannot fail, because the paper does not make the assumption. */
export function sensitivity(row: Row): Row {
  return { ...row, paper: "not in the paper", kind: "sensitivity" }
}

/** A row that this run cannot decide; it never counts as passed. */
export function unchecked(claim: string, paper: number | string, note: string): Row {
  return { claim, paper, value: Number.NaN, low: Number.NaN, high: Number.NaN, pass: "unchecked", note }
}

/** Runs an experiment given as data, keeping finished runs in the folder `out`. `folder`: of the files that it names. */
export type RunExperiment = (
  experiment: unknown,
  out: string,
  folder?: string,
) => Promise<Checked<readonly RunRecord[]>>

export type PaperResult = {
  readonly id: string
  readonly mode: Mode
  readonly rows: readonly Row[]
  /** false: a row failed. "unchecked": none failed and none passed */
  readonly pass: Pass
  readonly figures: readonly Figure[]
  readonly facts: Facts
  readonly runs: PaperRuns
  /** sum of the runs' own seconds, whenever they were run; without runs, of reading the model */
  readonly seconds: number
}

export async function runPaper(
  figure: PaperFigure,
  mode: Mode,
  run: RunExperiment,
  out: string,
): Promise<Checked<PaperResult>> {
  const started = performance.now()
  const plan = figure[mode]
  const runs: Record<string, readonly RunRecord[]> = {}
  let asked = plan?.experiments ?? {}
  while (Object.keys(asked).length > 0) {
    for (const [name, experiment] of Object.entries(asked)) {
      const got = await run(experiment, `${out}/${name}`, figure.folder)
      if ("bad" in got) return got
      runs[name] = got.ok
    }
    const more = plan?.more?.(runs) ?? {}
    asked = Object.fromEntries(Object.entries(more).filter(([name]) => !Object.hasOwn(runs, name)))
  }
  const undecided = plan === undefined && (figure.quick ?? figure.full) !== undefined
  const facts = undecided ? {} : (figure.inspect?.() ?? {})
  const rows = undecided
    ? [unchecked(figure.claim, "", `There is no ${mode} version; run it with --${mode === "quick" ? "full" : "quick"}`)]
    : audited(
        figure,
        mode,
        withIntervals((some) => figure.rows(some, mode, readerOf(facts)), runs),
      )
  const figures = undecided ? [] : (figure.figures?.(runs, mode) ?? figuresOf(Object.values(runs).flat()).slice(0, 2))
  // known runs are read in a moment: their own time is the one that was spent
  const all = Object.values(runs).flat()
  const seconds =
    all.length > 0 ? all.reduce((sum, r) => sum + r.provenance.seconds, 0) : (performance.now() - started) / 1000
  return { ok: { id: figure.id, mode, rows, pass: verdict(rows), figures, facts, runs, seconds } }
}

export const readerOf =
  (facts: Facts): Read =>
  (name) =>
    facts[name] ?? Number.NaN

/** The rows of a figure before anything was run or read: claims and bounds, without values. */
export function claimsOf(figure: PaperFigure, mode: Mode): readonly Row[] {
  return figure.rows({}, mode, readerOf({}))
}

/** A row says "pass" only with a value inside its bounds, and agrees only if it needs something measured for that,
 *  whatever its module thinks. */
export function audited(figure: PaperFigure, mode: Mode, rows: readonly Row[]): Row[] {
  const blind = claimsOf(figure, mode).filter((r) => r.pass === true)
  return rows.map((row) => {
    if (row.pass !== true) return row
    if (!(row.value >= row.low && row.value <= row.high))
      return { ...row, pass: false, note: "the value is not within its bounds" }
    return row.kind === undefined && blind.some((r) => r.claim === row.claim) ? { ...row, kind: "definition" } : row
  })
}

export function wordOf(row: Pick<Row, "pass" | "kind"> & Partial<Row>): Word {
  if (row.pass === "unchecked") return "unchecked"
  if (row.kind === "sensitivity") return "sensitivity"
  if (row.kind !== "definition" && isOpen(row)) return "open"
  if (!row.pass) return row.evidence === undefined ? "fails" : "not reproducible"
  return row.kind ?? "agrees"
}

/** Whether a bound lies inside the interval of the seeds, or nearer to the value than the measurement can resolve: other
 *  seeds, or one packet more, might decide otherwise. */
function isOpen({ value = Number.NaN, half = 0, resolution = 0, ...row }: Partial<Row>): boolean {
  const { low = Number.NaN, high = Number.NaN } = row
  const unsure = Math.max(half, resolution)
  return [low, high].some((bound) => Number.isFinite(bound) && Math.abs(value - bound) < unsure)
}

/** No rows is a failure: a reproduction that claims nothing shows nothing. */
export function verdict(rows: readonly Row[]): Pass {
  const words = rows.map(wordOf)
  if (rows.length === 0 || words.includes("fails")) return false
  return words.includes("agrees") ? true : "unchecked"
}

/** All verdicts, in the order in which one of them speaks for a figure: a failure first, then agreement; rows that can
 *  do neither speak only where nothing else does. */
export const verdicts: readonly Word[] = [
  ...(["fails", "agrees", "open", "not reproducible", "unchecked"] as const),
  ...(["misprint", "definition", "sensitivity", "ours"] as const),
]

export function summaryOf(rows: readonly Row[]): Word {
  const words = rows.map(wordOf)
  if (rows.length === 0) return "fails"
  return verdicts.find((w) => words.includes(w)) ?? "unchecked"
}

/** As `lacewing paper ID --json` prints it: NaN becomes null. */
export function paperJson(result: PaperResult): object {
  const { id, mode, pass, seconds } = result
  const rows = result.rows.map((r) => ({ ...r, verdict: wordOf(r) }))
  return { id, mode, rows, pass, runs: Object.values(result.runs).flat().length, seconds }
}
