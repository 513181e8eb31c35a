// Sheets to Parquet bytes and back (hyparquet, pure JavaScript). Text is a UTF8 column, numbers are DOUBLE, whole
// numbers INT64: pandas, polars and DuckDB agree on all three.
import { parquetMetadata, parquetScan } from "hyparquet"
import { parquetWriteBuffer } from "hyparquet-writer"
import { checksumParquet } from "./checksum.ts"
import type { Cell, Column, Sheet } from "./columns.ts"
import type { Digest } from "./folder/folder.ts"

const types = { text: "STRING", number: "DOUBLE", integer: "INT64" } as const
const ROW_GROUP = 1_000_000

export function parquetBytes(sheet: Sheet, notes: Readonly<Record<string, string>>, digest: Digest): Uint8Array {
  const written = parquetWriteBuffer({
    columnData: sheet.columns.map((c) => ({ name: c.name, type: types[c.type], data: dataOf(c) })),
    rowGroupSize: ROW_GROUP,
    kvMetadata: Object.entries(notes).map(([key, value]) => ({ key, value })),
  })
  return checksumParquet(new Uint8Array(written), digest)
}

function dataOf(column: Column): Cell[] | (bigint | null)[] {
  if (column.type === "integer") return column.cells.map((c) => (typeof c === "number" ? BigInt(c) : null))
  return [...column.cells]
}

/**
 * Returns all columns by name; undefined if the bytes are not Parquet. The parser trusts the sizes that it reads and
 * may loop for ever on damaged bytes, so the caller must compare their checksum before.
 */
export async function parquetColumns(bytes: Uint8Array): Promise<Map<string, Cell[]> | undefined> {
  try {
    return await decoded(new Uint8Array(bytes).buffer)
  } catch {
    return undefined
  }
}

async function decoded(file: ArrayBuffer): Promise<Map<string, Cell[]>> {
  const scan = await parquetScan({ file })
  const names = scan.metadata.schema.slice(1).map((e) => e.name)
  const made = new Map<string, Cell[]>()
  for (const name of names) {
    const cells: Cell[] = []
    for (const range of scan.ranges) {
      for (const raw of await scan.readColumn({ column: name, ...range })) cells.push(cellOf(raw))
    }
    made.set(name, cells)
  }
  return made
}

function cellOf(raw: unknown): Cell {
  if (raw === null || raw === undefined) return null
  return typeof raw === "bigint" ? Number(raw) : typeof raw === "number" ? raw : String(raw)
}

/** Key-value notes and number of rows of a Parquet file; undefined when it is not one. The caller has compared its
 *  checksum. */
export function parquetHead(bytes: Uint8Array): { notes: Record<string, string>; rows: number } | undefined {
  try {
    const { key_value_metadata, num_rows } = parquetMetadata(new Uint8Array(bytes).buffer)
    return {
      notes: Object.fromEntries((key_value_metadata ?? []).map(({ key, value }) => [key, value ?? ""])),
      rows: Number(num_rows),
    }
  } catch {
    return undefined
  }
}
