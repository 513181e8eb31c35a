// Writing and reading plan.json of a folder on disk.
import { join } from "node:path"
import type { Complaint } from "../core/complaint.ts"
import { checksumMap } from "./checksum.ts"
import { nodeDigest, onDisk, textOf, writeAtomic } from "./disk.ts"
import { MOST, PLAN, planIn } from "./folder/plan.ts"

export function writePlan(dir: string, hashes: readonly string[]): void {
  const { sha256 } = checksumMap({ runs: hashes }, nodeDigest)
  const text = `{"sha256": "${sha256}", "runs": [\n${hashes.map((h) => JSON.stringify(h)).join(",\n")}\n]}\n`
  if (text !== textOf(join(dir, PLAN), MOST)) writeAtomic(join(dir, PLAN), text)
}

export function readPlan(dir: string, said: Complaint[]): ReadonlySet<string> | undefined {
  return planIn(onDisk(dir), said)
}
