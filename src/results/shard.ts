// A shard: the runs of one compaction, as one Parquet file for the runs and one for each probe table. The file of the runs lists the others with their
// checksums and has its own inside, so a shard is whole or not by itself. Paths are computed from table and number, never read.
import { join } from "node:path"
import type { RunRecord } from "./record.ts"
import { disk } from "./calls.ts"
import { type Cell, RUNS, recordsOf, sheetsOf } from "./columns.ts"
import { entries, readPlain, setAside, writeAtomic } from "./disk.ts"
import { isRecord } from "./json.ts"
import { FORMAT, fileOf, filesOf, parsed, type Shard, type ShardFile } from "./manifest.ts"
import { fileName, oldName } from "../experiment/disk/safe-names.ts"
import { parquetBytes, parquetColumns, parquetHead } from "./parquet.ts"
import { sealOf } from "./seal.ts"

/** Damaged files are moved here, never deleted. */
export const SET_ASIDE = "set-aside"
/** Larger ones cannot be read at once. */
const MOST = 2 ** 31 - 1

export function shardPath(table: string, number: number): string {
  return pathIn(table === RUNS ? "runs" : `tables/${fileName(table)}`, number)
}

function pathIn(folder: string, number: number): string {
  return `${folder}/${String(number).padStart(4, "0")}.parquet`
}

/** Where a file of a shard lies: at its path, or where 0.1.0 put it. */
function placeOf(dir: string, table: string, number: number): string {
  const path = shardPath(table, number)
  const old = table === RUNS ? undefined : oldName(table)
  if (old === undefined || disk.kind(join(dir, path)) !== undefined) return path
  return disk.kind(join(dir, pathIn(`tables/${old}`, number))) === undefined ? path : pathIn(`tables/${old}`, number)
}

/** Writes the files, that of the runs last; the shard counts only once the manifest names it. */
export function writeShard(dir: string, number: number, records: readonly RunRecord[], version: string): Shard {
  const files: ShardFile[] = []
  const [runs, ...tables] = sheetsOf(records)
  for (const sheet of [...tables, runs!]) {
    const notes = { "lacewing.format": String(FORMAT), "lacewing.version": version, "lacewing.table": sheet.name }
    const data = parquetBytes(sheet, sheet === runs ? { ...notes, "lacewing.files": JSON.stringify(files) } : notes)
    writeAtomic(join(dir, shardPath(sheet.name, number)), data)
    if (sheet === runs) files.unshift(fileOf(RUNS, data))
    else files.push(fileOf(sheet.name, data))
  }
  return { number, runs: records.length, format: FORMAT, files }
}

/** The bytes of a shard's file, or what is wrong with them. */
function readFile(dir: string, path: string, file: ShardFile): Uint8Array | string {
  const data = readPlain(join(dir, path), MOST)
  if (data === "absent") return `${path} is missing`
  if (data === "odd") return `${path} is not a plain file`
  if (data.byteLength !== file.bytes) return `${path} has ${data.byteLength} of ${file.bytes} bytes`
  return fileOf(file.table, data).sha256 === file.sha256 ? data : `${path} differs from what was written`
}

/** Paths of the files of a shard by table, relative to `dir`, or what is wrong with it: every byte is compared with its checksum. */
export function wholeFiles(dir: string, shard: Shard): Map<string, string> | string {
  const paths = new Map<string, string>()
  for (const file of shard.files) {
    const path = placeOf(dir, file.table, shard.number)
    const data = readFile(dir, path, file)
    if (typeof data === "string") return data
    paths.set(file.table, path)
  }
  return paths
}

/** The runs of a shard, or a sentence that says what is wrong with it. All files are checked, `tables` says whether they are decoded. */
export async function readShard(dir: string, shard: Shard, tables: boolean): Promise<readonly RunRecord[] | string> {
  const sheets = new Map<string, Map<string, Cell[]>>()
  for (const file of shard.files) {
    const path = placeOf(dir, file.table, shard.number)
    const data = readFile(dir, path, file)
    if (typeof data === "string") return data
    if (!tables && file.table !== RUNS) continue
    const columns = await parquetColumns(data)
    if (columns === undefined) return `${path} is not a Parquet file of lacewing`
    sheets.set(file.table, columns)
  }
  const records = recordsIn(sheets, tables)
  return records?.length === shard.runs && records.every(isRecord) ? records : `the tables of shard ${shard.number} do not fit together`
}

/** A file with the right checksum may still be of somebody else's making. */
function recordsIn(sheets: ReadonlyMap<string, ReadonlyMap<string, readonly Cell[]>>, tables: boolean): RunRecord[] | undefined {
  try {
    return recordsOf(sheets, tables)
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError || error instanceof RangeError) return undefined
    throw error
  }
}

/** The file of the runs first: what is left of the others then belongs to nothing. */
export function removeShard(dir: string, number: number): void {
  for (const path of filesNumbered(dir, (n) => n === number)) disk.remove(join(dir, path))
}

export function setShardAside(dir: string, number: number): void {
  for (const path of filesNumbered(dir, (n) => n === number)) {
    const folder = path.slice(0, path.lastIndexOf("/")).replace("tables/", "")
    setAside(join(dir, path), join(dir, SET_ASIDE, String(number), folder))
  }
}

/** Paths of the Parquet files in the folder whose number passes, relative to `dir`. */
export function filesNumbered(dir: string, wanted: (number: number) => boolean): string[] {
  const folders = ["runs", ...entries(join(dir, "tables")).map((t) => `tables/${t}`)]
  return folders.flatMap((folder) =>
    entriesOf(join(dir, folder))
      .filter((name) => /^\d{4,15}\.parquet$/.test(name) && wanted(Number.parseInt(name, 10)))
      .map((name) => `${folder}/${name}`),
  )
}

/** A stray file beside the folders of the tables is none of ours. */
function entriesOf(folder: string): string[] {
  return disk.isFolder(folder) ? entries(folder) : []
}

export type Found = { readonly shards: readonly Shard[]; readonly damaged: readonly { readonly number: number; readonly says: string }[] }

/** Shards found by looking at the files themselves: for a folder whose manifest was lost. */
export function findShards(dir: string): Found {
  const shards: Shard[] = []
  const damaged: { number: number; says: string }[] = []
  const numbers = new Set(filesNumbered(dir, () => true).map((path) => Number.parseInt(path.slice(path.lastIndexOf("/") + 1), 10)))
  for (const number of [...numbers].sort((a, b) => a - b)) {
    const found = rootOf(dir, number)
    if (typeof found === "string") damaged.push({ number, says: found })
    else shards.push(found)
  }
  return { shards, damaged }
}

/** What the file of the runs says about its shard; nothing in it is looked at before its checksum is. */
function rootOf(dir: string, number: number): Shard | string {
  const path = shardPath(RUNS, number)
  const data = readPlain(join(dir, path), MOST)
  if (data === "absent") return `${path} is missing`
  if (data === "odd") return `${path} is not a plain file`
  const seal = sealOf(data)
  if (seal === "none") return `${path} has no checksum of its own, and the one in manifest.json is lost`
  const head = seal === "whole" ? parquetHead(data) : undefined
  const files = filesOf(parsed(head?.notes["lacewing.files"] ?? ""))
  if (head === undefined || files === undefined) return `${path} differs from what was written`
  return { number, runs: head.rows, format: FORMAT, files: [fileOf(RUNS, data), ...files] }
}
