// The name of a run is the hash of everything that decides its bits: the complete specification, the files it reads, and the model's version.
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import type { RunSpec } from "../model/experiment.ts"

/** Raised by one whenever a change of the simulator changes the bits of any run: results of before are then run again. */
export const modelVersion = 1

export const packageVersion = String(JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")).version)

/** JSON with the keys of every map in order, so that equal data has equal text. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).filter(([, v]) => v !== undefined)
    entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    return `{${entries.map(([k, v]) => `${JSON.stringify(k)}:${canonical(v)}`).join(",")}}`
  }
  return JSON.stringify(value) ?? "null"
}

export function sha256(text: string | Uint8Array): string {
  return createHash("sha256").update(text).digest("hex")
}

/** `files`: hash of the content of each file that the specification names. */
export function hashOf(spec: RunSpec, files: Readonly<Record<string, string>> = {}): string {
  return sha256(canonical({ model: modelVersion, spec, files }))
}
