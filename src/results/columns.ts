// Runs as columns: one row per run in `runs`, and one table per probe whose rows carry the hash of their run.
// docs/guide/results.md says what each column means.
import type { RunSpec, StopReason, Table } from "../model/experiment.ts"
import { missingText, namesOf, reasonMissing, settled, told } from "../model/missing.ts"
import { newRecord } from "../model/renamed.ts"
import { cellsIn, type RunRecord } from "./record.ts"

export type Cell = string | number | null
export type ColumnType = "text" | "number" | "integer"
export type Column = { readonly name: string; readonly type: ColumnType; readonly cells: readonly Cell[] }
export type Sheet = { readonly name: string; readonly columns: readonly Column[] }

export const RUNS = "runs"
const provenanceKeys = ["version", "node", "host", "started"] as const
const taken = ["hash", "seed", "stop_reason", "stop_detail", "missing", "fingerprint", "spec", "point", "shape"]
/** Columns of probes that count or number something: whole numbers in every tool that reads them. */
const integers = new Set(["chan", "end", "router", "group", "count", "seed"])

/** What one run has: its value names in order, the numbers that it counted although the values are missing, and the
 *  shape of its tables, so that empty tables and differing columns survive. */
type Shape = {
  values: string[]
  counted?: Record<string, number>
  tables: Record<string, { rows: number; columns: string[] }>
}

/** A name may be anything, "toString" included. */
function own<T>(of: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(of, name) ? of[name] : undefined
}

/** A value that is named like a fixed column has a column of another name. */
function valueColumn(name: string): string {
  return taken.includes(name) || name.startsWith("provenance.") ? `value.${name}` : name
}

/** The sheet `runs` first, then one for each probe table. */
export function sheetsOf(records: readonly RunRecord[]): Sheet[] {
  return [runsSheet(records), ...tableNames(records).map((name) => tableSheet(name, records))]
}

/** Names of the swept columns: the key itself, or `point.KEY` where a fixed column or a value has that name already. */
export function pointColumns(records: readonly RunRecord[]): ReadonlyMap<string, string> {
  const values = new Set(valueNames(records).map(valueColumn))
  const used = (k: string): boolean => taken.includes(k) || values.has(k) || k.startsWith("provenance.")
  return new Map(union(records.map((r) => Object.keys(r.point))).map((k) => [k, used(k) ? `point.${k}` : k]))
}

export function valueNames(records: readonly RunRecord[]): string[] {
  return union(records.map((r) => namesOf(r.result)))
}

export function tableNames(records: readonly RunRecord[]): string[] {
  return union(records.map((r) => Object.keys(r.result.tables)))
}

function runsSheet(records: readonly RunRecord[]): Sheet {
  const said = new Map(records.map((r) => [r, told(r.result)]))
  const text = (name: string, of: (r: RunRecord) => string): Column => ({ name, type: "text", cells: records.map(of) })
  const point = [...pointColumns(records)].map(([key, name]): Column => {
    const cells = records.map((r) => own(r.point, key) ?? null)
    return cells.some((c) => typeof c === "string")
      ? { name, type: "text", cells: cells.map((c) => (c === null ? null : String(c))) }
      : { name, type: "number", cells }
  })
  const values = valueNames(records).map(
    (name): Column => ({
      name: valueColumn(name),
      type: "number",
      cells: records.map((r) => own(said.get(r)!.values, name) ?? null),
    }),
  )
  return {
    name: RUNS,
    columns: [
      text("hash", (r) => r.hash),
      { name: "seed", type: "integer", cells: records.map((r) => r.seed) },
      ...point,
      ...values,
      text("stop_reason", (r) => r.result.why),
      text("stop_detail", (r) => r.result.explains),
      text("missing", (r) => missingText(said.get(r)!.missing)),
      text("fingerprint", (r) => r.result.fingerprint),
      ...provenanceKeys.map((k) => text(`provenance.${k}`, (r) => r.provenance[k])),
      { name: "provenance.seconds", type: "number", cells: records.map((r) => r.provenance.seconds) },
      { name: "provenance.revisions", type: "text", cells: records.map((r) => r.provenance.revisions ?? null) },
      text("point", (r) => JSON.stringify(r.point)),
      text("spec", (r) => JSON.stringify(r.spec)),
      text("shape", (r) => JSON.stringify(shapeOf(r))),
    ],
  }
}

function shapeOf({ result }: RunRecord): Shape {
  const tables = Object.entries(result.tables).map(
    ([name, t]) => [name, { rows: rowsOf(t), columns: Object.keys(t) }] as const,
  )
  const counted = Object.entries(settled(result.values).values).filter(
    ([name]) => reasonMissing(result, name) !== undefined,
  )
  return {
    values: namesOf(result),
    ...(counted.length > 0 ? { counted: Object.fromEntries(counted) } : {}),
    tables: Object.fromEntries(tables),
  }
}

export function rowsOf(table: Table): number {
  return Object.values(table)[0]?.length ?? 0
}

function tableSheet(name: string, records: readonly RunRecord[]): Sheet {
  const having = records.filter((r) => Object.hasOwn(r.result.tables, name))
  const columns = union(having.map((r) => Object.keys(r.result.tables[name])))
  const hash: Cell[] = []
  for (const r of having) for (let i = rowsOf(r.result.tables[name]); i > 0; i--) hash.push(r.hash)
  return {
    name,
    columns: [{ name: "hash", type: "text", cells: hash }, ...columns.map((c) => tableColumn(name, c, having))],
  }
}

function tableColumn(table: string, name: string, having: readonly RunRecord[]): Column {
  const cells: Cell[] = []
  for (const r of having) {
    const t = r.result.tables[table]
    const from = own(t, name)
    for (let i = 0, rows = rowsOf(t); i < rows; i++) cells.push(cellOf(from?.[i]))
  }
  if (cells.some((c) => typeof c === "string")) {
    return { name: columnName(name), type: "text", cells: cells.map((c) => (c === null ? null : String(c))) }
  }
  const whole = integers.has(name) && cells.every((c) => c === null || Number.isSafeInteger(c))
  return { name: columnName(name), type: whole ? "integer" : "number", cells }
}

function cellOf(from: string | number | undefined): Cell {
  return from === undefined || (typeof from === "number" && !Number.isFinite(from)) ? null : from
}

/** A probe may not take the name of the column that joins its rows to their run. */
function columnName(name: string): string {
  return name === "hash" ? "table.hash" : name
}

type Cells = ReadonlyMap<string, readonly Cell[]>

/** Back to records, in the order of the rows; undefined when the sheets do not fit together. Without `tables` only
 *  `runs` is needed. */
export function recordsOf(sheets: ReadonlyMap<string, Cells>, tables: boolean): RunRecord[] | undefined {
  const runs = sheets.get(RUNS)
  const hashes = runs?.get("hash")
  if (runs === undefined || hashes === undefined) return undefined
  const offsets = new Map<string, number>()
  const records: RunRecord[] = []
  for (let row = 0; row < hashes.length; row++) {
    const shape = JSON.parse(textAt(runs, "shape", row)) as Shape
    const run = recordAt(runs, row, shape)
    const made = tables ? tablesAt(shape, run.hash, sheets, offsets) : {}
    if (made === undefined) return undefined
    records.push(newRecord({ ...run, result: { ...run.result, tables: made } }))
  }
  return records
}

function textAt(cells: Cells, name: string, row: number): string {
  return String(cells.get(name)?.[row] ?? "")
}

function numberAt(cells: Cells, name: string, row: number): number {
  return Number(cells.get(name)?.[row] ?? Number.NaN)
}

function recordAt(runs: Cells, row: number, shape: Shape): RunRecord {
  const text = (name: string): string => textAt(runs, name, row)
  // absent before there were revisions: the column, or the cell
  const revisions = runs.get("provenance.revisions")?.[row] ?? undefined
  return {
    hash: text("hash"),
    spec: JSON.parse(text("spec")) as RunSpec,
    point: JSON.parse(text("point")) as Record<string, string | number>,
    seed: numberAt(runs, "seed", row),
    result: {
      why: text(runs.has("stop_reason") ? "stop_reason" : "why") as StopReason,
      explains: text(runs.has("stop_detail") ? "stop_detail" : "explains"),
      fingerprint: text("fingerprint"),
      ...settled({
        ...Object.fromEntries(shape.values.map((name) => [name, numberAt(runs, valueColumn(name), row)])),
        ...shape.counted,
      }),
      tables: {},
    },
    provenance: {
      version: text("provenance.version"),
      node: text("provenance.node"),
      host: text("provenance.host"),
      started: text("provenance.started"),
      seconds: numberAt(runs, "provenance.seconds", row),
      ...(revisions === undefined ? {} : { revisions: String(revisions) }),
    },
  }
}

/** Rows of one run lie together, runs in the order of `runs`: an offset for each table is enough. */
function tablesAt(
  shape: Shape,
  hash: string,
  sheets: ReadonlyMap<string, Cells>,
  offsets: Map<string, number>,
): Record<string, Table> | undefined {
  const made: Record<string, Table> = {}
  for (const [name, { rows, columns }] of Object.entries(shape.tables)) {
    const at = offsets.get(name) ?? 0
    const sheet = sheets.get(name)
    if (rows > 0 && sheet?.get("hash")?.[at] !== hash) return undefined
    made[name] = Object.fromEntries(columns.map((c) => [c, cut(name, sheet?.get(columnName(c)), at, rows)]))
    offsets.set(name, at + rows)
  }
  return made
}

function cut(table: string, cells: readonly Cell[] | undefined, at: number, rows: number): string[] | number[] {
  const part = cells?.slice(at, at + rows) ?? []
  return part.some((c) => typeof c === "string") ? part.map(String) : cellsIn(table, part)
}

function union(lists: readonly (readonly string[])[]): string[] {
  const seen = new Set<string>()
  for (const list of lists) for (const name of list) seen.add(name)
  return [...seen]
}
