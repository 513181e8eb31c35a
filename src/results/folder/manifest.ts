// manifest.json: the table of contents of a results folder. A shard exists when the manifest names it; replacing the
// manifest is the commit.
import { type Checked, complain } from "../../core/complaint.ts"
import type { SaturationSearch } from "../../experiment/search.ts"
import { hasChecksum } from "../checksum.ts"
import { isMap } from "../json.ts"
import { type Digest, type Folder, parsed, textIn } from "./folder.ts"

/** Raised when an older lacewing could misread what a newer one writes. 2: checksums inside every file, names of files
 *  from store-names.ts. 3: a missing value is null, in tables too. 4: the names of
 *  model/renamed.ts. */
export const FORMAT = 4
/** The last format whose shards and journal contain no checksums. */
export const UNSEALED = 1
export const MANIFEST = "manifest.json"
const MOST = 256 * 2 ** 20

export type ShardFile = { readonly table: string; readonly bytes: number; readonly sha256: string }
export type Shard = {
  readonly number: number
  readonly runs: number
  /** the format that its files have */
  readonly format: number
  readonly files: readonly ShardFile[]
}

/** What the person who ran it would like to read above the results. */
export type About = {
  readonly title?: string
  readonly experiment?: string
  readonly file?: string
  /** the runs are those of a search */
  readonly search?: SaturationSearch | undefined
  /** values that the experiment left open and that lacewing set to others than the defaults, a sentence for each */
  readonly settled?: readonly string[]
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

/** "absent", "damaged", or the manifest; one of a newer format is refused. */
export function manifestIn(folder: Folder): Checked<Manifest | "absent" | "damaged"> {
  const text = textIn(folder, MANIFEST, MOST)
  if (text === undefined) return { ok: "absent" }
  const raw = parsed(text)
  if (!isMap(raw) || !isCount(raw["format"])) return { ok: "damaged" }
  if (raw["format"] > FORMAT) {
    const by = `lacewing ${String(raw["version"]).slice(0, 40)}`
    const says =
      `The results have format ${raw["format"]} (written by ${by}), but ` +
      `this version reads formats up to ${FORMAT}.`
    return { bad: [complain(folder.shown(MANIFEST), says, `install ${by} or newer, or choose another folder`)] }
  }
  if (raw["format"] > UNSEALED && !hasChecksum(raw, folder.digest)) return { ok: "damaged" }
  return { ok: manifestOf(raw) ?? "damaged" }
}

/** Taken over key by key: a path in it, for one, is not read. */
function manifestOf(raw: Readonly<Record<string, unknown>>): Manifest | undefined {
  const { format, version, created, about, next, retired, shards } = raw
  if (!isCount(format) || typeof version !== "string" || typeof created !== "string" || !isMap(about)) return undefined
  if (!isCount(next) || !Array.isArray(retired) || !retired.every(isCount) || !Array.isArray(shards)) return undefined
  const made = shards.map(shardOf)
  if (!made.every((s) => s !== undefined && s.number < next)) return undefined
  const whole = made.filter((s) => s !== undefined)
  const numbers = new Set([...whole.map((s) => s.number), ...retired])
  if (numbers.size !== whole.length + retired.length) return undefined
  return { format, version, created, about: aboutOf(about), next, shards: whole, retired }
}

function shardOf(raw: unknown): Shard | undefined {
  if (!isMap(raw) || !isCount(raw["number"]) || !isCount(raw["runs"]) || !Array.isArray(raw["files"])) return undefined
  const files = filesOf(raw["files"])
  if (files === undefined || !files.some((f) => f.table === "runs")) return undefined
  return { number: raw["number"], runs: raw["runs"], format: isCount(raw["format"]) ? raw["format"] : UNSEALED, files }
}

/** The files of a shard as they are listed in the manifest, and in the shard itself; undefined when it is no such list.
 *  */
export function filesOf(raw: unknown): ShardFile[] | undefined {
  if (!Array.isArray(raw)) return undefined
  const files: ShardFile[] = []
  for (const f of raw as unknown[]) {
    if (!isMap(f) || typeof f["table"] !== "string" || !isCount(f["bytes"])) return undefined
    if (typeof f["sha256"] !== "string" || !/^[0-9a-f]{64}$/.test(f["sha256"])) return undefined
    files.push({ table: f["table"], bytes: f["bytes"], sha256: f["sha256"] })
  }
  return new Set(files.map((f) => f.table)).size === files.length ? files : undefined
}

function aboutOf(raw: Readonly<Record<string, unknown>>): About {
  const text = (key: "title" | "experiment" | "file"): About =>
    typeof raw[key] === "string" ? { [key]: raw[key] } : {}
  const search = searchIn(raw["search"])
  const settled = Array.isArray(raw["settled"]) ? raw["settled"].filter((s) => typeof s === "string") : []
  return {
    ...text("title"),
    ...text("experiment"),
    ...text("file"),
    ...(search === undefined ? {} : { search }),
    ...(settled.length > 0 ? { settled } : {}),
  }
}

function searchIn(raw: unknown): SaturationSearch | undefined {
  if (!isMap(raw)) return undefined
  const { from, to, precision, latency } = raw
  const isLarge = (n: unknown): n is number => typeof n === "number" && n > 0 && Number.isFinite(n)
  if (!isLarge(from) || !isLarge(to) || !isLarge(precision) || !isLarge(latency) || from >= to) return undefined
  return { from, to, precision, latency }
}

function isCount(raw: unknown): raw is number {
  return Number.isSafeInteger(raw) && (raw as number) >= 0
}

export function fileOf(table: string, data: Uint8Array, digest: Digest): ShardFile {
  return { table, bytes: data.byteLength, sha256: digest(data) }
}
