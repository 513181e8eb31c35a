// The host of a program on a machine with files.
import { totalmem } from "node:os"
import type { Host } from "../../model/host.ts"
import { readIn } from "./user-file.ts"

/** Paths are relative to the folder of the experiment. */
export function hostAt(folder: string): Host {
  return { folder, read: readIn(folder), memory: totalmem() }
}
