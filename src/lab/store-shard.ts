// A shard: the runs of one compaction, as one Parquet file for the runs and one for each probe table.
import { existsSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { RunRecord } from "./record.ts"
import { type Cell, RUNS, recordsOf, sheetsOf } from "./store-columns.ts"
import { entries, setAside, writeAtomic } from "./store-disk.ts"
import { FORMAT, fileOf, readShardFile, type Shard, type ShardFile, shardPath } from "./store-manifest.ts"
import { parquetBytes, parquetColumns, parquetHead } from "./store-parquet.ts"

/** Damaged files are moved here, never deleted. */
export const SET_ASIDE = "set-aside"

/** Writes the files; the shard counts only once the manifest names it. */
export function writeShard(dir: string, number: number, records: readonly RunRecord[], version: string): Shard {
  const files = sheetsOf(records).map((sheet): ShardFile => {
    const data = parquetBytes(sheet, { "lacewing.format": String(FORMAT), "lacewing.version": version, "lacewing.table": sheet.name })
    const path = shardPath(sheet.name, number)
    writeAtomic(join(dir, path), data)
    return fileOf(sheet.name, path, data)
  })
  return { number, runs: records.length, files }
}

/** The runs of a shard, or a sentence that says what is wrong with it. All files are checked, `tables` says whether they are decoded. */
export async function readShard(dir: string, shard: Shard, tables: boolean): Promise<readonly RunRecord[] | string> {
  const sheets = new Map<string, Map<string, Cell[]>>()
  for (const file of shard.files) {
    const data = readShardFile(dir, file)
    if (typeof data === "string") return data
    if (!tables && file.table !== RUNS) continue
    const columns = await parquetColumns(data).catch(() => undefined)
    if (columns === undefined) return `${file.path} is not a Parquet file`
    sheets.set(file.table, columns)
  }
  const records = recordsOf(sheets, tables)
  return records === undefined || records.length !== shard.runs ? `the tables of shard ${shard.number} do not fit together` : records
}

export function removeShard(dir: string, number: number): void {
  for (const path of filesNumbered(dir, (n) => n === number)) rmSync(join(dir, path), { force: true })
}

export function setShardAside(dir: string, shard: Shard): void {
  for (const file of shard.files) {
    const path = join(dir, file.path)
    if (existsSync(path)) setAside(path, join(dir, SET_ASIDE, String(shard.number), encodeURIComponent(file.table)))
  }
}

/** Paths of the Parquet files in the folder whose number passes, relative to `dir`. */
export function filesNumbered(dir: string, wanted: (number: number) => boolean): string[] {
  const folders = ["runs", ...entries(join(dir, "tables")).map((t) => `tables/${t}`)]
  return folders.flatMap((folder) =>
    entries(join(dir, folder))
      .filter((name) => /^\d{4,}\.parquet$/.test(name) && wanted(Number.parseInt(name, 10)))
      .map((name) => `${folder}/${name}`),
  )
}

/** Shards found by looking at the files themselves: for a folder whose manifest was lost. */
export function findShards(dir: string): Shard[] {
  const found = new Map<number, { runs: number; files: ShardFile[] }>()
  for (const path of filesNumbered(dir, () => true)) {
    const data = readFileSync(join(dir, path))
    const head = parquetHead(data)
    const table = head?.notes["lacewing.table"]
    if (head === undefined || table === undefined) continue
    const number = Number.parseInt(path.slice(path.lastIndexOf("/") + 1), 10)
    const shard = found.get(number) ?? { runs: 0, files: [] }
    found.set(number, { runs: table === RUNS ? head.rows : shard.runs, files: [...shard.files, fileOf(table, path, data)] })
  }
  return [...found].sort(([a], [b]) => a - b).map(([number, shard]) => ({ number, ...shard }))
}
