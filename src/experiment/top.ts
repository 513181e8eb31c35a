// The top-level keys of the file that are not part of a run: version, names, seeds, limits.
import { type Complaint, complain } from "../core/complaint.ts"
import { bytes, maybe, schema, time, unknownKeys } from "../core/schema.ts"
import { kindOf, quantity } from "../core/units.ts"
import { isMap } from "./fields.ts"
import type { Tree } from "./settings.ts"

/** Limit of the runs of a plan, because a typing error easily makes millions. */
export const mostRuns = 100_000

/** Limit of runs at the same time. */
export const mostWorkers = 1024

export interface Limits {
  readonly seconds: number
  readonly megabytes: number
}

export function checkVersion(tree: Tree, bad: Complaint[]): void {
  const version = tree["lacewing"]
  if (version === undefined) bad.push(complain("lacewing", "is missing", "start the file with lacewing: 1"))
  else if (version !== 1)
    bad.push(complain("lacewing", `format ${kindOf(version)} is not known`, "this version of lacewing reads format 1"))
  for (const key of ["title", "name"])
    if (tree[key] !== undefined && typeof tree[key] !== "string")
      bad.push(complain(key, `expected a text, found ${kindOf(tree[key])}`, "put it in quotes"))
  if (typeof tree["name"] === "string" && !/^[\w][\w.-]{0,99}$/.test(tree["name"]))
    bad.push(complain("name", "is not usable as the name of a folder", "use letters, digits, - and _, at most 100"))
}

/** Returns the seeds: a count (3 = 1, 2, 3) or a list. Duplicate seeds would give identical runs. */
function isSeed(s: unknown): boolean {
  return typeof s === "number" && Number.isInteger(s) && Math.abs(s) < 2 ** 31
}

export function seedsOf(raw: unknown, bad: Complaint[]): readonly number[] {
  const fix = "write seeds: 3, or a list such as [1, 2, 3]"
  if (raw === undefined || raw === null) return [1]
  if (typeof raw === "number" && Number.isInteger(raw) && raw >= 1) {
    if (raw <= mostRuns) return Array.from({ length: raw }, (_, i) => i + 1)
    bad.push(complain("seeds", `${raw} seeds are too many`, fix))
    return [1]
  }
  if (Array.isArray(raw) && raw.length > 0 && Array.from(raw).every(isSeed)) {
    if (new Set(raw).size < raw.length)
      bad.push(complain("seeds", "has a seed twice", "remove it, because the same seed gives the same run"))
    return raw
  }
  bad.push(complain("seeds", `expected a count of at least 1 or a list of whole numbers, found ${kindOf(raw)}`, fix))
  return [1]
}

/** The keys of `limits`, for `explain` and the manual. */
export const limitKeys = schema({
  time: maybe(
    time({
      about: "Maximum time of a run; a longer run ends with stop reason time and without results",
      needed: false,
    }),
  ),
  memory: maybe(
    bytes({
      about: "Maximum memory of a run; a larger run is not started, or ends with stop reason memory",
      needed: false,
    }),
  ),
})

/** Returns the limits of each run in seconds and megabytes. `quantity` returns ps and bytes. */
export function limitsOf(raw: unknown, bad: Complaint[]): Limits {
  const none = { seconds: Infinity, megabytes: Infinity }
  if (raw === undefined || raw === null) return none
  if (!isMap(raw)) {
    bad.push(complain("limits", `expected a map, found ${kindOf(raw)}`, "write { time: 300s, memory: 2GiB }"))
    return none
  }
  bad.push(...unknownKeys(raw, ["time", "memory"], "limits"))
  const one = (key: "time" | "memory", as: "time" | "bytes", fix: string): number => {
    if (raw[key] === undefined) return Infinity
    const got = quantity(raw[key], as)
    if (typeof got === "number" && got > 0) return got
    bad.push(complain(`limits.${key}`, typeof got === "string" ? got : "is not above 0", fix))
    return Infinity
  }
  return {
    seconds: one("time", "time", "write a time such as 300s") / 1e12,
    megabytes: one("memory", "bytes", "write a size such as 2GiB") / 2 ** 20,
  }
}
