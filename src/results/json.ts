// A finished run as JSON text. A missing value is null, together with the reason. A cell of a table without a value is
// null. The input is checked.
import type { Table } from "../model/experiment.ts"
import { settled, told } from "../model/missing.ts"
import { newRecord } from "../model/renamed.ts"
import { cellsIn, type RunRecord } from "./record.ts"

/** As a results folder keeps it, with all that was counted. */
export function recordText(record: RunRecord): string {
  const { result } = record
  // a record that was read from a forged file may have anything here
  if (!isMap(result) || !isMap(result.values) || !Array.isArray(result.missing ?? [])) return JSON.stringify(record)
  return JSON.stringify({ ...record, result: { ...result, ...settled(result.values, result.missing) } })
}

/** For other programs: null for each missing value, and the reason in `missing`. */
export function toldText(record: RunRecord): string {
  return JSON.stringify({ ...record, result: { ...record.result, ...toldValues(record.result) } })
}

/** The values of a run for JSON: null where one is missing; `missing`, with a reason for each of them, only if there
 *  are any. */
export function toldValues(result: RunRecord["result"]): {
  readonly values: Readonly<Record<string, number | null>>
  readonly missing?: Readonly<Record<string, string>>
} {
  const { values, missing } = told(result)
  const names = Object.keys(missing)
  return names.length === 0
    ? { values }
    : { values: { ...values, ...Object.fromEntries(names.map((n) => [n, null])) }, missing }
}

/** The record, or undefined when the text is not one (truncated, or another file). */
export function recordOf(text: string): RunRecord | undefined {
  try {
    const raw: unknown = JSON.parse(text, (_key, value: unknown) =>
      // as lacewing wrote NaN up to format 2
      isMap(value) && typeof value["$number"] === "string" ? Number(value["$number"]) : value,
    )
    return isRecord(raw) ? newRecord(whole(raw)) : undefined
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined
    throw error
  }
}

/** Without numbers that are none, and with NaN for the empty cells of tables. */
function whole(record: RunRecord): RunRecord {
  const { result } = record
  const tables = Object.entries(result.tables).map(([name, t]) => [name, filled(name, t)] as const)
  return {
    ...record,
    result: { ...result, ...settled(result.values, result.missing), tables: Object.fromEntries(tables) },
  }
}

function filled(name: string, table: Table): Table {
  return Object.fromEntries(
    Object.entries(table).map(([column, cells]) => [column, isTexts(cells) ? cells : cellsIn(name, cells)]),
  )
}

function isTexts(cells: readonly unknown[]): cells is readonly string[] {
  return typeof cells[0] === "string"
}

export function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

export function isRecord(raw: unknown): raw is RunRecord {
  if (!isMap(raw) || !isMap(raw["result"]) || !isMap(raw["provenance"])) return false
  const { result, provenance } = raw
  return (
    typeof raw["hash"] === "string" &&
    Number.isSafeInteger(raw["seed"]) &&
    isMap(raw["spec"]) &&
    isMap(raw["point"]) &&
    Object.values(raw["point"]).every((v) => typeof v === "string" || typeof v === "number") &&
    typeof result["why"] === "string" &&
    typeof result["explains"] === "string" &&
    typeof result["fingerprint"] === "string" &&
    isMap(result["values"]) &&
    Object.values(result["values"]).every((v) => typeof v === "number") &&
    (result["missing"] === undefined || (Array.isArray(result["missing"]) && result["missing"].every(isText))) &&
    isMap(result["tables"]) &&
    Object.values(result["tables"]).every(isTable) &&
    ["version", "node", "host", "started"].every((k) => typeof provenance[k] === "string") &&
    typeof provenance["seconds"] === "number" &&
    (provenance["revisions"] === undefined || typeof provenance["revisions"] === "string")
  )
}

/** Columns of equal length, each of numbers or of texts. */
function isTable(raw: unknown): raw is Table {
  if (!isMap(raw)) return false
  const columns: readonly unknown[] = Object.values(raw)
  const rows = Array.isArray(columns[0]) ? columns[0].length : 0
  return columns.every((c) => Array.isArray(c) && c.length === rows && (c.every(isNumberOrNull) || c.every(isText)))
}

function isNumberOrNull(raw: unknown): raw is number | null {
  return typeof raw === "number" || raw === null
}

function isText(raw: unknown): raw is string {
  return typeof raw === "string"
}
