// The state of runs that have not ended, one file for each, named by the run: checkpoints/HASH.bin. Whole or not there
// at all, with its SHA-256 inside.
import { join } from "node:path"
import { disk } from "./calls.ts"
import { checksumBytes, openBytes } from "./checksum.ts"
import { nodeDigest, readPlain, setAside, writeAtomic } from "./disk.ts"
import { SET_ASIDE } from "./shard.ts"

export const CHECKPOINTS = "checkpoints"
/** what one array can hold */
const MOST = 2 ** 32

export function checkpointPath(dir: string, hash: string): string {
  return join(dir, CHECKPOINTS, `${hash}.bin`)
}

export function writeCheckpoint(dir: string, hash: string, body: Uint8Array): void {
  writeAtomic(checkpointPath(dir, hash), checksumBytes(body, nodeDigest))
}

/** "damaged": not what was written there. */
export function readCheckpoint(dir: string, hash: string): Uint8Array | "absent" | "damaged" {
  const bytes = readPlain(checkpointPath(dir, hash), MOST)
  if (typeof bytes === "string") return bytes === "absent" ? "absent" : "damaged"
  return openBytes(bytes, nodeDigest) ?? "damaged"
}

/** Its run is stored. */
export function removeCheckpoint(dir: string, hash: string): void {
  disk.remove(checkpointPath(dir, hash))
}

/** Where it lies then. */
export function setCheckpointAside(dir: string, hash: string): string {
  return setAside(checkpointPath(dir, hash), join(dir, SET_ASIDE))
}
