// plan.json: which runs of the folder the experiment asks for now. A folder keeps every run that was ever made in it (they are the cache);
// a report of the experiment must not mix in those of an earlier version of the file.
import { type Complaint, complain } from "../../core/complaint.ts"
import { isMap } from "../json.ts"
import { pointKey } from "../order.ts"
import type { RunRecord } from "../record.ts"
import { isSealedMap } from "../seal.ts"
import { type Folder, parsed, textIn } from "./folder.ts"

export const PLAN = "plan.json"
export const MOST = 2 ** 29

/** The hashes; undefined when there is no plan, or none that can be read (which is said): then all runs count. */
export function planIn(folder: Folder, said: Complaint[]): ReadonlySet<string> | undefined {
  const text = textIn(folder, PLAN, MOST)
  if (text === undefined) return undefined
  const raw = parsed(text)
  // 0.1.0 wrote no checksum
  if (isMap(raw) && isTexts(raw["runs"]) && (raw["sha256"] === undefined || isSealedMap(raw, folder.digest))) return new Set(raw["runs"])
  said.push(complain(folder.shown(PLAN), "is damaged: every run of the folder counts", "the same `lacewing run` writes it again"))
  return undefined
}

function isTexts(raw: unknown): raw is string[] {
  return Array.isArray(raw) && raw.every((h) => typeof h === "string")
}

/** The runs that are asked for. Without a plan, of runs with equal point and seed the newest. */
export function planned(folder: Folder, records: readonly RunRecord[]): { records: readonly RunRecord[]; said: Complaint[] } {
  const unread: Complaint[] = []
  const plan = planIn(folder, unread)
  if (plan === undefined) {
    const { records: kept, said } = newest(folder.name, records)
    return { records: kept, said: [...unread, ...said] }
  }
  const asked = records.filter((r) => plan.has(r.hash))
  const missing = plan.size - asked.length
  const says = `${missing} of ${plan.size} runs are not there yet`
  const { records: kept, said } = newestModel(folder.name, asked)
  return { records: kept, said: [...(missing > 0 ? [complain(folder.name, says, "the same `lacewing run` goes on from here")] : []), ...said] }
}

/** Folders that were merged may have one run of several builds or revisions: their mean would be that of no model. The newest counts. */
function newestModel(name: string, records: readonly RunRecord[]): { records: RunRecord[]; said: Complaint[] } {
  const kept = newestOf(records, (r) => JSON.stringify(r.spec))
  const older = records.length - kept.length
  const says = `${older} older runs of other builds or revisions, with the same specification, are left out`
  return { records: kept, said: older > 0 ? [complain(name, says, "keep the folders apart and compare them with `lacewing compare`")] : [] }
}

/** Of runs with the same key the newest, in the order of the first. */
function newestOf(records: readonly RunRecord[], keyOf: (r: RunRecord) => string): RunRecord[] {
  const byKey = new Map<string, RunRecord>()
  for (const r of records) {
    const key = keyOf(r)
    const other = byKey.get(key)
    if (other === undefined || other.provenance.started < r.provenance.started) byKey.set(key, r)
  }
  return [...byKey.values()]
}

function newest(name: string, records: readonly RunRecord[]): { records: RunRecord[]; said: Complaint[] } {
  const kept = newestOf(records, (r) => `${pointKey(r.point)} ${r.seed}`)
  const older = records.length - kept.length
  const says = `${older} older runs with the same point and seed are left out`
  const fix = "they come from an earlier version of the experiment or of the model; give it a folder of its own with --out to keep both"
  return { records: kept, said: older > 0 ? [complain(name, says, fix)] : [] }
}
