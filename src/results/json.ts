// A finished run as JSON text: numbers that JSON lacks (NaN, infinities) are written as { "$number": "NaN" }, and what is read is checked.
import type { Table } from "../model/experiment.ts"
import type { RunRecord } from "./record.ts"

export function recordText(record: RunRecord): string {
  return JSON.stringify(record, (_key, value: unknown) =>
    typeof value === "number" && !Number.isFinite(value) ? { $number: String(value) } : value,
  )
}

/** The record, or undefined when the text is not one (truncated, or another file). */
export function recordOf(text: string): RunRecord | undefined {
  try {
    const raw: unknown = JSON.parse(text, (_key, value: unknown) =>
      isMap(value) && typeof value["$number"] === "string" ? Number(value["$number"]) : value,
    )
    return isRecord(raw) ? raw : undefined
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined
    throw error
  }
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
  return columns.every((c) => Array.isArray(c) && c.length === rows && (c.every(isNumber) || c.every(isText)))
}

function isNumber(raw: unknown): raw is number {
  return typeof raw === "number"
}

function isText(raw: unknown): raw is string {
  return typeof raw === "string"
}
