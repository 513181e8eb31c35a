// plan.json: which runs of the folder the experiment asks for now, and under which labels. A folder keeps every run that was ever made in it
// (they are the cache); a report of the experiment must not mix in those of an earlier version of the file.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { type Complaint, complain } from "../core/complaint.ts"
import type { RunRecord } from "./record.ts"
import { codeOf, writeAtomic } from "./store-disk.ts"
import { isMap } from "./store-json.ts"
import { pointKey } from "./store-order.ts"

const NAME = "plan.json"
type Planned = Pick<RunRecord, "hash" | "point">
export type Plan = ReadonlyMap<string, RunRecord["point"]>

export function writePlan(dir: string, runs: Iterable<Planned>): void {
  const plan: Plan = new Map(Array.from(runs, (r) => [r.hash, r.point]))
  if (planText(plan) !== planText(readPlan(dir) ?? new Map())) writeAtomic(join(dir, NAME), planText(plan))
}

function planText(plan: Plan): string {
  return `{"runs": {\n${[...plan].map(([hash, point]) => `${JSON.stringify(hash)}: ${JSON.stringify(point)}`).join(",\n")}\n}}\n`
}

/** The plan; undefined when there is none, or none that can be read: then all runs count. */
export function readPlan(dir: string): Plan | undefined {
  try {
    const raw: unknown = JSON.parse(readFileSync(join(dir, NAME), "utf8"))
    if (!isMap(raw) || !isMap(raw["runs"])) return undefined
    return new Map(Object.entries(raw["runs"]) as [string, RunRecord["point"]][])
  } catch (error) {
    if (codeOf(error) === "ENOENT" || error instanceof SyntaxError) return undefined
    throw error
  }
}

/** The runs that are asked for, relabelled as the plan says. Without a plan, of runs with equal point and seed the newest. */
export function planned(dir: string, records: readonly RunRecord[], plan: Plan | undefined): { records: RunRecord[]; said: Complaint[] } {
  if (plan === undefined) return newest(dir, records)
  const kept = records.filter((r) => plan.has(r.hash)).map((r) => ({ ...r, point: plan.get(r.hash)! }))
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
