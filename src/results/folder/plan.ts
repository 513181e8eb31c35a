// plan.json: the runs of the folder that the experiment currently contains. A folder stores every run that was ever
// made in it, as a cache. A report of the experiment must not include runs of an earlier version of the file.
import { type Complaint, complain } from "../../core/complaint.ts"
import { counted } from "../../core/wording.ts"
import { hasChecksum } from "../checksum.ts"
import { isMap } from "../json.ts"
import { pointKey } from "../order.ts"
import type { RunRecord } from "../record.ts"
import { type Folder, parsed, textIn } from "./folder.ts"

export const PLAN = "plan.json"
export const MOST = 2 ** 29

/** Returns the hashes; undefined without a readable plan (an unreadable one is reported). Then all runs count. */
export function planIn(folder: Folder, said: Complaint[]): ReadonlySet<string> | undefined {
  const text = textIn(folder, PLAN, MOST)
  if (text === undefined) return undefined
  const raw = parsed(text)
  // 0.1.0 wrote no checksum
  if (isMap(raw) && isTexts(raw["runs"]) && (raw["sha256"] === undefined || hasChecksum(raw, folder.digest)))
    return new Set(raw["runs"])
  said.push(
    complain(
      folder.shown(PLAN),
      "The plan is damaged, so all runs of the folder are used.",
      "repeat the same `lacewing run`, which writes the plan again",
    ),
  )
  return undefined
}

function isTexts(raw: unknown): raw is string[] {
  return Array.isArray(raw) && raw.every((h) => typeof h === "string")
}

/** Returns the runs of the plan. Without a plan: of runs with equal point and seed the newest. */
export function planned(
  folder: Folder,
  records: readonly RunRecord[],
): { records: readonly RunRecord[]; said: Complaint[] } {
  const unread: Complaint[] = []
  const plan = planIn(folder, unread)
  if (plan === undefined) {
    const { records: kept, said } = newest(folder.name, records)
    return { records: kept, said: [...unread, ...said] }
  }
  const asked = records.filter((r) => plan.has(r.hash))
  const missing = plan.size - asked.length
  const says = `${missing} of ${plan.size} runs are not finished.`
  const { records: kept, said } = newestModel(folder.name, asked)
  return {
    records: kept,
    said: [
      ...(missing > 0
        ? [complain(folder.name, says, "repeat the same `lacewing run`, which continues from here")]
        : []),
      ...said,
    ],
  }
}

/** Folders that were merged may have one run of several builds or revisions: their mean would be that of no model. The
 *  newest counts. */
function newestModel(name: string, records: readonly RunRecord[]): { records: RunRecord[]; said: Complaint[] } {
  const kept = newestOf(records, (r) => JSON.stringify(r.spec))
  const older = records.length - kept.length
  const says =
    `${counted(older, "older run")} of other builds or revisions with the same specification ` +
    `${older === 1 ? "is" : "are"} ignored.`
  return {
    records: kept,
    said: older > 0 ? [complain(name, says, "use separate folders and compare them with `lacewing compare`")] : [],
  }
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
  const says = `${counted(older, "older run")} with the same point and seed ${older === 1 ? "is" : "are"} ignored.`
  const fix = "use another folder with --out to keep the results of both versions of the experiment or model"
  return { records: kept, said: older > 0 ? [complain(name, says, fix)] : [] }
}
