// The rows of a figure file: claim, value of the paper, and an expression with bounds. A row may read otherwise in one
// of the two forms of the figure (`quick`, `full`); a text there says why that form cannot decide the row.
import type { Complaint } from "../../../core/complaint.ts"
import { isMap } from "../../../experiment/fields.ts"
import { intervalOf } from "../../../experiment/rows/bounds.ts"
import { evaluateNumber, type Scope, wantedBy } from "../../../experiment/rows/evaluate.ts"
import { selected } from "../../../experiment/rows/select.ts"
import type { MeasuredRun } from "../../../experiment/rows/series.ts"
import { type Expression, type ParsedRow, parseExpression, parseRow } from "../../../experiment/rows/syntax.ts"
import { followed } from "../followed.ts"
import { type Kind, type Mode, type Row, unchecked, within } from "../paper.ts"
import { combinations, filled } from "./each.ts"
import { Keys } from "./keys.ts"
import { isConstant, referencesOf } from "./references.ts"

export interface RowSpec {
  readonly path: string
  readonly claim: string
  readonly paper: number | string
  readonly kind?: Kind
  readonly source?: string
  readonly evidence?: string
  readonly resolution?: number
  readonly note?: string
  readonly row?: ParsedRow
  /** why this form cannot decide the row */
  readonly unchecked?: string
}

const kinds: readonly Kind[] = ["definition", "misprint", "ours", "sensitivity"]
const changing = ["claim", "paper", "expect", "note", "source", "kind", "evidence", "resolution"]

/** Returns the rows of one form. */
export function rowSpecs(figure: Keys, mode: Mode, bad: Complaint[]): readonly RowSpec[] {
  return figure.list("rows").flatMap((raw, i) => {
    const path = `rows.${i}`
    const keys = new Keys(raw, path, bad, [...changing, "each", "quick", "full"])
    const made = combinations(keys.get("each"), keys.at("each"))
    if ("bad" in made) {
      bad.push(...made.bad)
      return []
    }
    return made.ok.map((by) => rowSpec(filled(raw, by), path, mode, bad))
  })
}

function rowSpec(raw: unknown, path: string, mode: Mode, bad: Complaint[]): RowSpec {
  const own = isMap(raw) ? raw[mode] : undefined
  const k = new Keys({ ...(isMap(raw) ? raw : {}), ...(isMap(own) ? own : {}) }, path, bad, [
    ...changing,
    ...["each", "quick", "full"],
  ])
  const paper = k.get("paper")
  if (typeof paper !== "number" && typeof paper !== "string")
    k.refuse("paper", "is missing", "write the number of the paper, or its words")
  const resolution = k.number("resolution")
  const optional = { source: k.text("source"), evidence: k.text("evidence"), note: k.text("note") }
  const spec = {
    path,
    claim: k.needed("claim"),
    paper: typeof paper === "number" || typeof paper === "string" ? paper : "",
    ...Object.fromEntries(Object.entries(optional).filter(([, text]) => text !== undefined)),
    ...(resolution === undefined ? {} : { resolution }),
    ...kindOf(k),
  }
  if (typeof own === "string") return { ...spec, unchecked: own }
  const row = parseRow(k.get("expect"), k.at("expect"))
  if ("ok" in row) return { ...spec, row: row.ok }
  bad.push(...row.bad)
  return spec
}

function kindOf(k: Keys): { readonly kind?: Kind } {
  const given = k.text("kind")
  const kind = kinds.find((known) => known === given)
  if (given !== undefined && kind === undefined)
    k.refuse("kind", `"${given}" is not known`, `known: ${kinds.join(", ")}`)
  return kind === undefined ? {} : { kind }
}

/** Judges one row on what was measured. */
export function judgedRow(spec: RowSpec, scope: Scope): Row {
  const { claim, paper, source, evidence, resolution } = spec
  const more = {
    ...(source === undefined ? {} : { source }),
    ...(evidence === undefined ? {} : { evidence }),
    ...(resolution === undefined ? {} : { resolution }),
  }
  if (spec.unchecked !== undefined || spec.row === undefined)
    return { ...unchecked(claim, paper, spec.unchecked ?? ""), ...more }
  const kind = spec.kind ?? (isConstant(spec.row.value, scope.let) ? ("definition" as const) : undefined)
  const note = spec.note === undefined ? {} : { note: written(spec.note, scope) }
  const value = evaluateNumber(spec.row.value, scope)
  const judged = within({ claim, paper, value, ...intervalOf(spec.row.bounds, scope), ...note, ...more })
  const row = followed(judged, latencyRuns(spec.row.value, scope))
  return kind === undefined ? row : { ...row, kind }
}

/** The runs whose mean latency an expression reads by itself. A saturation load needs no exact latency. */
function latencyRuns(e: Expression, scope: Scope): readonly MeasuredRun[] {
  const read = referencesOf(e, scope.let).filter(({ name }) => /(^|\.)latency\./.test(name))
  return [...new Set(read.flatMap((reference) => selected(scope.runs, wantedBy(reference, scope))))]
}

/** Replaces {= expression} and {= expression :digits} by their values; at most three digits unless it says how many. */
function written(note: string, scope: Scope): string {
  return note.replace(/\{=(.*?)(?::(\d))?\}/g, (text, inside: string, digits: string | undefined) => {
    const parsed = parseExpression(inside, "note")
    if ("bad" in parsed) return text
    const value = evaluateNumber(parsed.ok, scope)
    return digits === undefined ? String(Number(value.toFixed(3))) : value.toFixed(Number(digits))
  })
}

/** Returns the names under `let`, with those of the form instead of the others. */
export function namesOf(given: Readonly<Record<string, unknown>>, bad: Complaint[]): Record<string, Expression> {
  const made: Record<string, Expression> = {}
  for (const [name, raw] of Object.entries(given)) {
    const got = parseExpression(raw, `let.${name}`)
    if ("bad" in got) bad.push(...got.bad)
    else made[name] = got.ok
  }
  return made
}
