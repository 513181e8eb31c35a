// The name of a run is the hash of everything that decides its bits: the complete specification, the files it reads, and the model's version.
import { canonical } from "../core/canonical.ts"
import { sha256 } from "../core/sha256.ts"
import type { RunSpec } from "../model/experiment.ts"

/** Raised by one whenever a change of the simulator changes the bits of any run: results of before are then run again. */
export const modelVersion = 3

/** `files`: hash of the content of each file that the specification names. */
export function hashOf(spec: RunSpec, files: Readonly<Record<string, string>> = {}): string {
  return sha256(canonical({ model: modelVersion, spec, files }))
}
