// Writing and reading manifest.json of a folder on disk.
import { join } from "node:path"
import type { Checked } from "../core/complaint.ts"
import { checksumMap } from "./checksum.ts"
import { nodeDigest, onDisk, writeAtomic } from "./disk.ts"
import { MANIFEST, type Manifest, manifestIn } from "./folder/manifest.ts"

export function writeManifest(dir: string, manifest: Manifest): void {
  writeAtomic(join(dir, MANIFEST), `${JSON.stringify(checksumMap(manifest, nodeDigest), null, 1)}\n`)
}

export function readManifest(dir: string): Checked<Manifest | "absent" | "damaged"> {
  return manifestIn(onDisk(dir))
}
