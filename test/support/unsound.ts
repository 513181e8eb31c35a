// The property of every result: a value is a finite number within its declared range, or missing with a reason, in
// memory and in every file.
import { packageVersion } from "../../src/experiment/identity/version.ts"
import { valueInfo, values } from "../../src/experiment/values/list.ts"
import type { RunResult, RunSpec } from "../../src/model/experiment.ts"
import { namesOf, reasonMissing, reasons } from "../../src/model/missing.ts"
import { type Sheet, sheetsOf } from "../../src/results/columns.ts"
import { nodeDigest } from "../../src/results/disk.ts"
import { csvOf } from "../../src/results/export.ts"
import { toldText } from "../../src/results/json.ts"
import { parquetBytes, parquetColumns } from "../../src/results/parquet.ts"
import type { RunRecord } from "../../src/results/record.ts"

/** Values that a run with packets and an end may lack: one packet has no deviation, few batches no interval, shares
 *  that are all 0 no fairness. */
const sparse = /(^|\.)(latency\.(sd|ci)|accepted|accepted\.ci|(accepted|injected)\.fairness)$/
/** Words of 32 bits that may be negative: the packet of an event. */
const words = /^events\.[abc]$/
/** No cell of a file is one of these. */
const marks = new Set(["NaN", "Infinity", "-Infinity", "-1", "-0.001"])

/**
 * Everything that is wrong with the values and tables of a run, in words. `files`: also in the files of its results.
 */
export async function unsound(spec: RunSpec, result: RunResult, files = true): Promise<string[]> {
  return [...valuesWrong(result), ...tablesWrong(result), ...(files ? await filesWrong(spec, result) : [])]
}

/** What the files of a result depend on, except the numbers: its values, tables and columns, and what is missing. */
export function shapeOf(result: RunResult): string {
  const missing = namesOf(result).map((name) => [name, reasonMissing(result, name)])
  return JSON.stringify([missing, Object.entries(result.tables).map(([name, table]) => [name, Object.keys(table)])])
}

function infoOf(name: string) {
  const parts = name.split(".")
  return valueInfo(name) ?? parts.map((_, i) => values[parts.slice(i + 1).join(".")]).find((v) => v?.each === true)
}

function valuesWrong(result: RunResult): string[] {
  return namesOf(result).flatMap((name) => {
    const [number, reason] = [result.values[name], reasonMissing(result, name)]
    if (number !== undefined && !Number.isFinite(number)) return [`${name} is ${number}`]
    if (number !== undefined && number < (infoOf(name)?.least ?? 0)) return [`${name} is ${number}, below its range`]
    if (reason === undefined) return number === undefined ? [`${name} is missing without a reason`] : []
    if (!Object.hasOwn(reasons, reason)) return [`${name} is missing for an unknown reason: ${reason}`]
    return reason === "not measured" && !sparse.test(name) ? [`${name} is not measured (${result.why})`] : []
  })
}

function tablesWrong({ tables }: RunResult): string[] {
  return Object.entries(tables).flatMap(([table, columns]) =>
    Object.entries(columns).flatMap(([column, cells]) => {
      const wrong = (cells as readonly unknown[]).find(
        (c) => typeof c === "number" && (c < 0 || Math.abs(c) === Number.POSITIVE_INFINITY),
      )
      return wrong === undefined || words.test(`${table}.${column}`) ? [] : [`${table}.${column} has ${String(wrong)}`]
    }),
  )
}

async function filesWrong(spec: RunSpec, result: RunResult): Promise<string[]> {
  const provenance = { version: packageVersion, node: "", host: "", started: "", seconds: 0 }
  const record: RunRecord = { hash: "0", spec, point: {}, seed: 1, result, provenance }
  const json = JSON.parse(toldText(record)) as {
    result: { values: Record<string, unknown>; missing?: Record<string, string> }
  }
  const named = json.result.missing ?? {}
  const wrong = Object.entries(json.result.values).flatMap(([name, v]) =>
    (v === null) === Object.hasOwn(named, name) ? [] : [`JSON: ${name} is ${String(v)}, reason ${String(named[name])}`],
  )
  for (const sheet of sheetsOf([record])) wrong.push(...(await sheetWrong(sheet)))
  return wrong
}

async function sheetWrong(sheet: Sheet): Promise<string[]> {
  // texts are of the user's making, and may say anything
  const numbers = sheet.columns.filter((c) => c.type !== "text")
  const cells = csvOf({ name: sheet.name, columns: numbers }).split("\r\n").slice(1).join(",").split(",")
  const wrong = cells.filter((c) => marks.has(c)).map((c) => `CSV: ${sheet.name} has ${c}`)
  const columns = await parquetColumns(parquetBytes(sheet, {}, nodeDigest))
  for (const c of numbers) {
    const bad = columns?.get(c.name)?.find((cell) => cell !== null && !Number.isFinite(cell))
    if (columns === undefined || bad !== undefined) wrong.push(`Parquet: ${sheet.name}.${c.name} has ${String(bad)}`)
  }
  return wrong.slice(0, 5)
}
