// The run hash. It covers everything that decides the result of a run, bit by bit: the complete specification, the
// content of its files and modules, and the revisions of plug-ins, engine and procedures. In a development build it
// also covers the model code.
import { canonical } from "../../core/canonical.ts"
import { Sha256 } from "../../core/sha256.ts"
import type { RunSpec } from "../../model/experiment.ts"
import { oldPart } from "../../model/renamed.ts"
import { build as ours } from "./version.ts"

export interface Identified {
  readonly spec: RunSpec
  /** hash of the content of each file that the specification names */
  readonly files: Readonly<Record<string, string>>
  /** revisionsOf(spec) */
  readonly revisions: string
}

/** Returns the hash. Keys are sorted, so the text before `seed` is equal for all seeds of a point. */
export function hashOf({ spec, files, revisions }: Identified, build: string = ours): string {
  const parts = Object.entries(spec).flatMap(([key, part]) => (part === undefined ? [] : [[key, part] as const]))
  parts.sort(([a], [b]) => (a < b ? -1 : 1))
  const texts = parts.map(
    ([key, part]) => `"${key}":${key === "plugins" ? contentOf(spec.plugins) : textOf(part, key)}`,
  )
  const from = parts.findIndex(([key]) => key >= "seed")
  const program = `"build":${JSON.stringify(build)},"files":${textOf(files)},"revisions":${JSON.stringify(revisions)}`
  const begin = `{${program},"spec":{${texts.slice(0, from).join(",")},`
  return new Sha256(started(begin)).update(`${texts.slice(from).join(",")}}}`).hex()
}

/** A module counts by its content, not by its path or its place in the list. */
function contentOf(plugins: RunSpec["plugins"] = []): string {
  return canonical(plugins.map((f) => f.hash).sort())
}

/** Texts of parts that many runs of a plan share. Parts are never changed after they were made. */
const known = new WeakMap<object, string>()

/** Renamed keys have their old names here: a new name gives no run another identity. */
function textOf(part: unknown, key = ""): string {
  if (typeof part !== "object" || part === null || Array.isArray(part)) return canonical(oldPart(key, part))
  const text = known.get(part) ?? canonical(oldPart(key, part))
  known.set(part, text)
  return text
}

/** Runs of a sweep have long common prefixes: the hash state after the last prefix is reused. */
let last = { begin: "", hash: new Sha256() }

function started(begin: string): Sha256 {
  if (begin !== last.begin) last = { begin, hash: new Sha256().update(begin) }
  return last.hash
}
