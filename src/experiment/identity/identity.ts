// The name of a run is the hash of everything that decides its bits: the complete specification, the content of the files and modules that it uses, the
// revisions of the plug-ins, engine and procedures that it uses, and the model code where a development build made it.
import { canonical } from "../../core/canonical.ts"
import { Sha256 } from "../../core/sha256.ts"
import type { RunSpec } from "../../model/experiment.ts"
import { build as ours } from "./version.ts"

export interface Identified {
  readonly spec: RunSpec
  /** hash of the content of each file that the specification names */
  readonly files: Readonly<Record<string, string>>
  /** revisionsOf(spec) */
  readonly revisions: string
}

export function hashOf({ spec, files, revisions }: Identified, build: string = ours): string {
  const parts = Object.entries(spec).flatMap(([key, part]) => (part === undefined ? [] : [[key, part] as const]))
  parts.sort(([a], [b]) => (a < b ? -1 : 1))
  const texts = parts.map(([key, part]) => `"${key}":${key === "plugins" ? contentOf(spec.plugins) : textOf(part)}`)
  const from = parts.findIndex(([key]) => key >= "seed")
  const program = `"build":${JSON.stringify(build)},"files":${textOf(files)},"revisions":${JSON.stringify(revisions)}`
  const begin = `{${program},"spec":{${texts.slice(0, from).join(",")},`
  return new Sha256(started(begin)).update(`${texts.slice(from).join(",")}}}`).hex()
}

/** A module counts by its content: not by its path, and not by its place in the list. */
function contentOf(plugins: RunSpec["plugins"] = []): string {
  return canonical(plugins.map((f) => f.hash).sort())
}

/** Texts of parts that many runs of a plan share: they are not changed once they are made. */
const known = new WeakMap<object, string>()

function textOf(part: unknown): string {
  if (typeof part !== "object" || part === null || Array.isArray(part)) return canonical(part)
  const text = known.get(part) ?? canonical(part)
  known.set(part, text)
  return text
}

/** Runs of a sweep begin alike: a hash that has taken in the last beginning goes on from there. */
let last = { begin: "", hash: new Sha256() }

function started(begin: string): Sha256 {
  if (begin !== last.begin) last = { begin, hash: new Sha256().update(begin) }
  return last.hash
}
