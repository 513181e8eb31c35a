// The name of a run is the hash of everything that decides its bits: the complete specification, the files it reads, and the model's version.
import { canonical } from "../core/canonical.ts"
import { Sha256 } from "../core/sha256.ts"
import type { RunSpec } from "../model/experiment.ts"

/** Raised by one whenever a change of the simulator changes the bits of any run: results of before are then run again. */
export const modelVersion = 3

/** `files`: hash of the content of each file that the specification names. */
export function hashOf(spec: RunSpec, files: Readonly<Record<string, string>> = {}): string {
  const parts = Object.entries(spec).flatMap(([key, part]) => (part === undefined ? [] : [[key, part] as const]))
  parts.sort(([a], [b]) => (a < b ? -1 : 1))
  const texts = parts.map(([key, part]) => `"${key}":${textOf(part)}`)
  const from = parts.findIndex(([key]) => key >= "seed")
  const begin = `{"files":${textOf(files)},"model":${modelVersion},"spec":{${texts.slice(0, from).join(",")},`
  return new Sha256(started(begin)).update(`${texts.slice(from).join(",")}}}`).hex()
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
