// manifest.json: the table of contents of a results folder. A shard exists when the manifest names it; replacing the manifest is the commit.
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { type Checked, complain } from "../core/complaint.ts"
import type { SaturationSearch } from "./search.ts"
import { codeOf, writeAtomic } from "./store-disk.ts"
import { isMap } from "./store-json.ts"

/** Raised when an older lacewing could misread what a newer one writes. */
export const FORMAT = 1
const NAME = "manifest.json"

export type ShardFile = { readonly table: string; readonly path: string; readonly bytes: number; readonly sha256: string }
export type Shard = { readonly number: number; readonly runs: number; readonly files: readonly ShardFile[] }

/** What the person who ran it would like to read above the results. */
export type About = {
  readonly title?: string
  readonly experiment?: string
  readonly file?: string
  /** the runs are those of a search */
  readonly search?: SaturationSearch | undefined
}

export type Manifest = {
  readonly format: number
  /** version of lacewing that wrote it last */
  readonly version: string
  readonly created: string
  readonly about: About
  /** number of the next shard; files with this number or a higher one were never finished */
  readonly next: number
  readonly shards: readonly Shard[]
  /** shards that were rewritten into newer ones and may still lie about */
  readonly retired: readonly number[]
}

export function emptyManifest(version: string, about: About): Manifest {
  return { format: FORMAT, version, created: new Date().toISOString(), about, next: 1, shards: [], retired: [] }
}

export function writeManifest(dir: string, manifest: Manifest): void {
  writeAtomic(join(dir, NAME), `${JSON.stringify(manifest, null, 1)}\n`)
}

/** "absent", "damaged", or the manifest; one of a newer format is refused. */
export function readManifest(dir: string): Checked<Manifest | "absent" | "damaged"> {
  let raw: unknown
  try {
    raw = JSON.parse(readFileSync(join(dir, NAME), "utf8"))
  } catch (error) {
    if (codeOf(error) === "ENOENT") return { ok: "absent" }
    if (error instanceof SyntaxError) return { ok: "damaged" }
    throw error
  }
  if (!isMap(raw) || typeof raw["format"] !== "number") return { ok: "damaged" }
  if (raw["format"] > FORMAT) {
    const by = `lacewing ${String(raw["version"])}`
    const says = `these results have format ${raw["format"]}, written by ${by}; this version reads up to format ${FORMAT}`
    return { bad: [complain(join(dir, NAME), says, `install ${by} or newer, or choose another folder`)] }
  }
  return { ok: isManifest(raw) ? raw : "damaged" }
}

function isManifest(raw: Record<string, unknown>): raw is Record<string, unknown> & Manifest {
  return (
    typeof raw["version"] === "string" &&
    typeof raw["created"] === "string" &&
    isMap(raw["about"]) &&
    typeof raw["next"] === "number" &&
    Array.isArray(raw["retired"]) &&
    Array.isArray(raw["shards"]) &&
    raw["shards"].every((s) => isMap(s) && typeof s["number"] === "number" && Array.isArray(s["files"]))
  )
}

export function shardPath(table: string, number: number): string {
  const file = `${String(number).padStart(4, "0")}.parquet`
  return table === "runs" ? `runs/${file}` : `tables/${encodeURIComponent(table)}/${file}`
}

export function fileOf(table: string, path: string, data: Uint8Array): ShardFile {
  return { table, path, bytes: data.byteLength, sha256: createHash("sha256").update(data).digest("hex") }
}

/** The bytes of a shard's file, or what is wrong with them. */
export function readShardFile(dir: string, file: ShardFile): Uint8Array | string {
  let data: Uint8Array
  try {
    data = readFileSync(join(dir, file.path))
  } catch (error) {
    if (codeOf(error) === "ENOENT") return `${file.path} is missing`
    throw error
  }
  if (data.byteLength !== file.bytes) return `${file.path} has ${data.byteLength} of ${file.bytes} bytes`
  return fileOf(file.table, file.path, data).sha256 === file.sha256 ? data : `${file.path} differs from what was written`
}
