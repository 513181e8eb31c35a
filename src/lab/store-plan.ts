// plan.json: which runs of the folder the experiment asks for now. A folder keeps every run that was ever made in it (they are the cache);
// a report of the experiment must not mix in those of an earlier version of the file.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { type Complaint, complain } from "../core/complaint.ts"
import type { RunRecord } from "./record.ts"
import { codeOf, writeAtomic } from "./store-disk.ts"
import { isMap } from "./store-json.ts"
import { pointKey } from "./store-order.ts"

const NAME = "plan.json"

export function writePlan(dir: string, hashes: readonly string[]): void {
  const text = `{"runs": [\n${hashes.map((h) => JSON.stringify(h)).join(",\n")}\n]}\n`
  if (text !== read(dir)) writeAtomic(join(dir, NAME), text)
}

/** The hashes; undefined when there is no plan, or none that can be read: then all runs count. */
export function readPlan(dir: string): ReadonlySet<string> | undefined {
  const text = read(dir)
  if (text === undefined) return undefined
  try {
    const raw: unknown = JSON.parse(text)
    return isMap(raw) && Array.isArray(raw["runs"]) ? new Set(raw["runs"].map(String)) : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function read(dir: string): string | undefined {
  try {
    return readFileSync(join(dir, NAME), "utf8")
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined
    throw error
  }
}

/** The runs that are asked for. Without a plan, of runs with equal point and seed the newest. */
export function planned(dir: string, records: readonly RunRecord[]): { records: readonly RunRecord[]; said: Complaint[] } {
  const plan = readPlan(dir)
  if (plan === undefined) return newest(dir, records)
  const kept = records.filter((r) => plan.has(r.hash))
  const missing = plan.size - kept.length
  const says = `${missing} of ${plan.size} runs are not there yet`
  return { records: kept, said: missing > 0 ? [complain(dir, says, "the same `lacewing run` goes on from here")] : [] }
}

function newest(dir: string, records: readonly RunRecord[]): { records: RunRecord[]; said: Complaint[] } {
  const byPoint = new Map<string, RunRecord>()
  for (const r of records) {
    const key = `${pointKey(r.point)} ${r.seed}`
    const other = byPoint.get(key)
    if (other === undefined || other.provenance.started < r.provenance.started) byPoint.set(key, r)
  }
  const older = records.length - byPoint.size
  const says = `${older} older runs with the same point and seed are left out`
  const fix = "they come from an earlier version of the experiment; give it a folder of its own with --out to keep both"
  return { records: [...byPoint.values()], said: older > 0 ? [complain(dir, says, fix)] : [] }
}
