// CSV (RFC 4180) and JSON of results, for everything that does not read Parquet.
import { join } from "node:path"
import { csvCell } from "../core/csv.ts"
import { fileName } from "../experiment/disk/safe-names.ts"
import { type Sheet, sheetsOf } from "./columns.ts"
import { makeFolder, writeAtomic } from "./disk.ts"
import { toldText } from "./json.ts"
import type { RunRecord } from "./record.ts"

/** Columns that hold JSON for machines: left out of a table for people. */
const inner = ["point", "spec", "shape"]

export function csvOf(sheet: Sheet): string {
  const columns = sheet.name === "runs" ? sheet.columns.filter((c) => !inner.includes(c.name)) : sheet.columns
  const lines = [columns.map((c) => csvCell(c.name)).join(",")]
  for (let row = 0, rows = columns[0]?.cells.length ?? 0; row < rows; row++)
    lines.push(columns.map((c) => csvCell(c.cells[row])).join(","))
  return `${lines.join("\r\n")}\r\n`
}

/** runs.csv and one file for each probe table; returns the paths. */
export function exportCsv(records: readonly RunRecord[], folder: string): string[] {
  makeFolder(folder)
  return sheetsOf(records).map((sheet) => {
    const path = join(folder, `${fileName(sheet.name)}.csv`)
    writeAtomic(path, csvOf(sheet))
    return path
  })
}

/** runs.json: a list of complete records, tables included. */
export function exportJson(records: readonly RunRecord[], folder: string): string[] {
  makeFolder(folder)
  const path = join(folder, "runs.json")
  writeAtomic(path, `[\n${records.map(toldText).join(",\n")}\n]\n`)
  return [path]
}
