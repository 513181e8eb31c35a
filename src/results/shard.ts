// Writing, reading and removing the shards of a folder on disk.
import { join } from "node:path"
import { disk } from "./calls.ts"
import { RUNS, sheetsOf } from "./columns.ts"
import { nodeDigest, onDisk, setAside, writeAtomic } from "./disk.ts"
import { FORMAT, fileOf, type Shard, type ShardFile } from "./folder/manifest.ts"
import { filesNumbered, shardPath } from "./folder/shard.ts"
import { parquetBytes } from "./parquet.ts"
import type { RunRecord } from "./record.ts"

/** Damaged files are moved here, never deleted. */
export const SET_ASIDE = "set-aside"

/** Writes the files, that of the runs last; the shard counts only once the manifest names it. */
export function writeShard(dir: string, number: number, records: readonly RunRecord[], version: string): Shard {
  const files: ShardFile[] = []
  const [runs, ...tables] = sheetsOf(records)
  for (const sheet of [...tables, runs!]) {
    const notes = { "lacewing.format": String(FORMAT), "lacewing.version": version, "lacewing.table": sheet.name }
    const data = parquetBytes(
      sheet,
      sheet === runs ? { ...notes, "lacewing.files": JSON.stringify(files) } : notes,
      nodeDigest,
    )
    writeAtomic(join(dir, shardPath(sheet.name, number)), data)
    if (sheet === runs) files.unshift(fileOf(RUNS, data, nodeDigest))
    else files.push(fileOf(sheet.name, data, nodeDigest))
  }
  return { number, runs: records.length, format: FORMAT, files }
}

/** The file of the runs first: what is left of the others then belongs to nothing. */
export function removeShard(dir: string, number: number): void {
  for (const path of filesNumbered(onDisk(dir), (n) => n === number)) disk.remove(join(dir, path))
}

export function setShardAside(dir: string, number: number): void {
  for (const path of filesNumbered(onDisk(dir), (n) => n === number)) {
    const folder = path.slice(0, path.lastIndexOf("/")).replace("tables/", "")
    setAside(join(dir, path), join(dir, SET_ASIDE, String(number), folder))
  }
}
