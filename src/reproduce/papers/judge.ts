// A record as it stands today: its values are those that were recorded, its verdicts follow from the claims, bounds and
// kinds of the module as it is now.

import { hostAt } from "../../experiment/disk/host.ts"
import { revisionsIn } from "../../experiment/identity/revisions.ts"
import { type PlannedRun, plan } from "../../experiment/plan.ts"
import { plainSource } from "../../experiment/source.ts"
import {
  audited,
  claimsOf,
  type Mode,
  type PaperFigure,
  type PaperPlan,
  type Row,
  readerOf,
  summaryOf,
  unchecked,
  type Word,
  within,
  wordOf,
} from "./paper.ts"
import { changedSince, type Recorded, type RecordedFile } from "./record.ts"

export type Standing = {
  readonly mode: Mode
  readonly recorded: Recorded
  readonly rows: readonly Row[]
  readonly word: Word
  /** its runs were made by older revisions: which, and which there are now */
  readonly changed: readonly string[]
  /** "agrees", "2 of 5 rows fail", …; "older" goes with it */
  readonly says: string
}

/** Undefined when nothing is recorded. The paper's own size goes first. */
export function standing(figure: PaperFigure, file: RecordedFile): Standing | undefined {
  const mode = file.full !== undefined ? "full" : "quick"
  const recorded = file[mode]
  if (recorded === undefined) return undefined
  const asked = askedRuns(figure[mode])
  const rows = judgedFrom(figure, mode, recorded, asked.length)
  const changed = changedSince(recorded, new Map(asked.flatMap((r) => [...revisionsIn(r.revisions)])))
  return {
    mode,
    recorded,
    rows,
    word: summaryOf(rows),
    changed,
    says: `${inWords(rows)}${changed.length > 0 ? " (older)" : ""}`,
  }
}

export const countOf = (rows: readonly Row[], word: Word): number => rows.filter((r) => wordOf(r) === word).length

function inWords(rows: readonly Row[]): string {
  const [failed, agreed] = [countOf(rows, "fails"), countOf(rows, "agrees")]
  const swept = countOf(rows, "sensitivity")
  if (failed > 0) return `${failed} of ${rows.length} rows fail`
  if (agreed === rows.length) return "agrees"
  if (swept > 0 && agreed === 0) return `${rows.filter(changesRows).length} of ${swept} assumptions change a row`
  if (agreed === 0) return summaryOf(rows)
  const named = (["open", "not reproducible", "unchecked"] as const).map((w) => [countOf(rows, w), w] as const)
  const rest = rows.length - agreed - named.reduce((sum, [n]) => sum + n, 0)
  return [
    `${agreed} of ${rows.length} rows agree`,
    ...named.map(([n, word]) => (n > 0 ? `${n} ${word}` : "")),
    rest > 0 ? `${rest} not counted` : "",
  ]
    .filter(Boolean)
    .join(", ")
}

const changesRows = (row: Row): boolean => wordOf(row) === "sensitivity" && row.pass === false

export function judged(figure: PaperFigure, mode: Mode, recorded: Recorded): readonly Row[] {
  return judgedFrom(figure, mode, recorded, askedRuns(figure[mode]).length)
}

function judgedFrom(figure: PaperFigure, mode: Mode, recorded: Recorded, wanted: number): readonly Row[] {
  const rows = today(figure, mode, recorded)
  const few = missingRuns(wanted, recorded.runs.length)
  return few === undefined
    ? rows
    : rows.map((r) => (r.pass === true ? { ...r, pass: "unchecked", note: `${few}; ${r.note ?? ""}` } : r))
}

function today(figure: PaperFigure, mode: Mode, recorded: Recorded): readonly Row[] {
  if (figure.again !== undefined)
    return audited(figure, mode, withRecordedIntervals(figure.again(recorded.figures, mode), recorded.rows))
  const { facts } = recorded
  if (facts !== undefined && [...namesRead(figure, mode)].every((name) => Object.hasOwn(facts, name)))
    return audited(figure, mode, figure.rows({}, mode, readerOf(facts)))
  const claims = claimsOf(figure, mode)
  const old = recorded.rows.map((row, i) => {
    const now = nth(claims, row.claim, before(recorded.rows, i))
    return now === undefined
      ? { ...row, pass: "unchecked" as const, note: "recorded by an earlier version, judged no more" }
      : bounded(row, now)
  })
  const missing = claims.filter((c, i) => nth(recorded.rows, c.claim, before(claims, i)) === undefined)
  return audited(figure, mode, [
    ...old,
    ...missing.map((c) => unchecked(c.claim, c.paper, "this record does not have it")),
  ])
}

/** The curves of a record have no seeds, so a value that was read from them again keeps the interval of its row. */
function withRecordedIntervals(rows: readonly Row[], recorded: readonly Row[]): Row[] {
  return rows.map((row, i) => {
    const old = nth(recorded, row.claim, before(rows, i))
    if (old?.half === undefined || Math.abs(old.value - row.value) > 1e-9 * Math.abs(old.value)) return row
    return { ...row, half: old.half }
  })
}

/** The names of the numbers of the model that the rows read. A record made under other names keeps its values, row by row. */
function namesRead(figure: PaperFigure, mode: Mode): ReadonlySet<string> {
  const names = new Set<string>()
  figure.rows({}, mode, (name) => {
    names.add(name)
    return 1
  })
  return names
}

/** Claims may repeat ("the same, …"): the n-th of the record is the n-th of the module. */
const before = (rows: readonly Row[], i: number): number =>
  rows.slice(0, i).filter((r) => r.claim === rows[i].claim).length
const nth = (rows: readonly Row[], claim: string, n: number): Row | undefined =>
  rows.filter((r) => r.claim === claim)[n]

/** The recorded value within the bounds of now. A claim without bounds here (one that needs more cores, say) leaves
 *  what was recorded. */
function bounded(row: Row, now: Row): Row {
  const { pass: _, kind: __, source: ___, evidence: ____, resolution: _____, ...said } = row
  const { kind, source, evidence, resolution } = now
  const more = {
    ...(kind === undefined ? {} : { kind }),
    ...(resolution === undefined ? {} : { resolution }),
    ...(source === undefined ? {} : { source }),
    ...(evidence === undefined ? {} : { evidence }),
  }
  if (row.pass === "unchecked" || now.pass === "unchecked") return { ...said, pass: row.pass, ...more }
  return { ...within({ ...said, paper: now.paper, low: now.low, high: now.high }), ...more }
}

/** Why a record of fewer runs than the figure now needs agrees with nothing. */
function missingRuns(wanted: number, there: number): string | undefined {
  return there < wanted ? `recorded from ${there} of the ${wanted} runs that the figure needs` : undefined
}

/** The runs that a figure needs now. */
function askedRuns(asked: PaperPlan | undefined): readonly PlannedRun[] {
  return Object.entries(asked?.experiments ?? {}).flatMap(([name, experiment]) => {
    const planned = plan({ source: plainSource(name, experiment), host: hostAt("."), name })
    return "bad" in planned ? [] : planned.ok.runs
  })
}
