// A shard: the runs of one compaction, as one Parquet file for the runs and one for each probe table. The file of the
// runs lists the others with their checksums and has its own inside, so a shard is whole or not by itself. Paths are
// computed from table and number, never read.
import { fileName, oldName } from "../../experiment/disk/safe-names.ts"
import { checksumOf } from "../checksum.ts"
import { type Cell, RUNS, recordsOf } from "../columns.ts"
import { isRecord } from "../json.ts"
import { parquetColumns, parquetHead } from "../parquet.ts"
import type { RunRecord } from "../record.ts"
import { type Folder, parsed } from "./folder.ts"
import { FORMAT, fileOf, filesOf, type Shard, type ShardFile, UNSEALED } from "./manifest.ts"

/** Larger ones cannot be read at once. */
const MOST = 2 ** 31 - 1

export function shardPath(table: string, number: number): string {
  return pathIn(table === RUNS ? "runs" : `tables/${fileName(table)}`, number)
}

function pathIn(folder: string, number: number): string {
  return `${folder}/${String(number).padStart(4, "0")}.parquet`
}

/** Where a file of a shard lies: at its path, or where 0.1.0 put it. */
function placeOf(folder: Folder, table: string, number: number): string {
  const path = shardPath(table, number)
  const old = table === RUNS ? undefined : oldName(table)
  if (old === undefined || isThere(folder, path)) return path
  const before = pathIn(`tables/${old}`, number)
  return isThere(folder, before) ? before : path
}

function isThere(folder: Folder, path: string): boolean {
  const at = path.lastIndexOf("/")
  return folder.list(path.slice(0, at)).includes(path.slice(at + 1))
}

/** The bytes of a shard's file, or what is wrong with them. */
function readFile(folder: Folder, path: string, file: ShardFile): Uint8Array | string {
  const data = folder.read(path, MOST)
  if (data === "absent") return `${path} is missing`
  if (data === "odd") return `${path} is not a plain file`
  if (data.byteLength !== file.bytes) return `${path} has ${data.byteLength} of ${file.bytes} bytes`
  return fileOf(file.table, data, folder.digest).sha256 === file.sha256 ? data : `${path} differs from what was written`
}

/** Paths of the files of a shard by table, relative to the folder, or what is wrong with it: every byte is compared
 *  with its checksum. */
export function wholeFiles(folder: Folder, shard: Shard): Map<string, string> | string {
  const paths = new Map<string, string>()
  for (const file of shard.files) {
    const path = placeOf(folder, file.table, shard.number)
    const data = readFile(folder, path, file)
    if (typeof data === "string") return data
    paths.set(file.table, path)
  }
  return paths
}

/** The runs of a shard, or a sentence that says what is wrong with it. All files are checked, `tables` says whether
 *  they are decoded. */
export async function readShard(folder: Folder, shard: Shard, tables: boolean): Promise<readonly RunRecord[] | string> {
  const sheets = new Map<string, Map<string, Cell[]>>()
  for (const file of shard.files) {
    const path = placeOf(folder, file.table, shard.number)
    const data = readFile(folder, path, file)
    if (typeof data === "string") return data
    if (!tables && file.table !== RUNS) continue
    const columns = await parquetColumns(data)
    if (columns === undefined) return `${path} is not a Parquet file of lacewing`
    sheets.set(file.table, columns)
  }
  const records = recordsIn(sheets, tables)
  return records?.length === shard.runs && records.every(isRecord)
    ? records
    : `the tables of shard ${shard.number} do not fit together`
}

/** A file with a correct checksum may still have been written by another program. */
function recordsIn(
  sheets: ReadonlyMap<string, ReadonlyMap<string, readonly Cell[]>>,
  tables: boolean,
): RunRecord[] | undefined {
  try {
    return recordsOf(sheets, tables)
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError || error instanceof RangeError) return undefined
    throw error
  }
}

/** Paths of the Parquet files in the folder whose number passes, relative to the folder. */
export function filesNumbered(folder: Folder, wanted: (number: number) => boolean): string[] {
  const folders = ["runs", ...folder.list("tables").map((t) => `tables/${t}`)]
  return folders.flatMap((capacity) =>
    folder
      .list(capacity)
      .filter((name) => /^\d{4,15}\.parquet$/.test(name) && wanted(Number.parseInt(name, 10)))
      .map((name) => `${capacity}/${name}`),
  )
}

export type Found = {
  readonly shards: readonly Shard[]
  readonly damaged: readonly { readonly number: number; readonly says: string }[]
}

/** Shards found by looking at the files themselves: for a folder whose manifest was lost. */
export function findShards(folder: Folder): Found {
  const shards: Shard[] = []
  const damaged: { number: number; says: string }[] = []
  const numbers = new Set(
    filesNumbered(folder, () => true).map((path) => Number.parseInt(path.slice(path.lastIndexOf("/") + 1), 10)),
  )
  for (const number of [...numbers].sort((a, b) => a - b)) {
    const found = rootOf(folder, number)
    if (typeof found === "string") damaged.push({ number, says: found })
    else shards.push(found)
  }
  return { shards, damaged }
}

/** What the file of the runs says about its shard; nothing in it is looked at before its checksum is. */
function rootOf(folder: Folder, number: number): Shard | string {
  const path = shardPath(RUNS, number)
  const data = folder.read(path, MOST)
  if (data === "absent") return `${path} is missing`
  if (data === "odd") return `${path} is not a plain file`
  const seal = checksumOf(data, folder.digest)
  if (seal === "none") return `${path} has no checksum, and the one in manifest.json is lost`
  const head = seal === "whole" ? parquetHead(data) : undefined
  const files = filesOf(parsed(head?.notes["lacewing.files"] ?? ""))
  if (head === undefined || files === undefined) return `${path} differs from what was written`
  // only shards of the newest format need no rewriting
  const format = Math.min(Number.parseInt(head.notes["lacewing.format"] ?? "", 10) || UNSEALED, FORMAT)
  return { number, runs: head.rows, format, files: [fileOf(RUNS, data, folder.digest), ...files] }
}
