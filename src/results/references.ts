// Slowdowns: compares the communication time of each run with that of its references
// (experiment/references/references.ts). The reference has the same seed, so the intervals over the seeds are those of
// the ratio.
import { canonical } from "../core/canonical.ts"
import { REFERENCE, type Reference, referenceNames, referenceOf } from "../experiment/references/references.ts"
import { namesOf } from "../model/missing.ts"
import type { RunRecord } from "./record.ts"

/**
 * Returns the records without the references, with the values `slowdown.*` and `jobs.communication.share`. A run at
 * load 0 is the idle reference of the others, so a sweep that contains one has slowdowns in any case.
 */
export function withSlowdowns(records: readonly RunRecord[]): readonly RunRecord[] {
  const bySpec = new Map(records.flatMap((r) => (r.spec.jobs === undefined ? [] : [[canonical(r.spec), r] as const])))
  const find = (r: RunRecord, name: Reference) =>
    r.spec.jobs === undefined ? undefined : bySpec.get(canonical(referenceOf(r.spec, name)))
  const own = records.filter((r) => !isReference(r))
  const named = own.length < records.length
  const used = referenceNames.filter((name) => own.some((r) => ![undefined, r].includes(find(r, name))))
  // The idle network alone: every run is its own reference.
  if (named && used.length > 0 && own.some((r) => find(r, "idle") === r) && !used.includes("idle")) used.unshift("idle")
  return used.length === 0 ? own : own.map((r) => compared(r, used, (name) => find(r, name)))
}

/** Returns a run with the values that compare it with its references. */
function compared(
  r: RunRecord,
  used: readonly Reference[],
  find: (name: Reference) => RunRecord | undefined,
): RunRecord {
  const { values, missing = [] } = r.result
  const share = (values["jobs.communication.mean"] ?? Number.NaN) / (values["jobs.time"] ?? Number.NaN)
  const all = [
    ...used.map((name): [string, number] => [`slowdown.${name}`, longest(r) / longest(find(name))]),
    ["jobs.communication.share", share] as const,
  ]
  const absent = all.filter(([, v]) => !Number.isFinite(v)).map(([name]) => name)
  const there = Object.fromEntries(all.filter(([, v]) => Number.isFinite(v)))
  const lacking = [...missing, ...absent]
  return {
    ...r,
    result: { ...r.result, values: { ...values, ...there }, ...(lacking.length > 0 ? { missing: lacking } : {}) },
  }
}

function isReference(r: RunRecord): boolean {
  return referenceNames.some((name) => r.point[REFERENCE] === name)
}

/** Returns the longest communication time of a rank; NaN if there is no run, or if one of its ranks has not ended. */
function longest(r: RunRecord | undefined): number {
  const values = r?.result.values ?? {}
  return values["jobs.ended"] === 1 ? (values["jobs.communication.max"] ?? Number.NaN) : Number.NaN
}

/** Returns the slowdowns that both sets of records have. */
export function slowdownsIn(a: readonly RunRecord[], b: readonly RunRecord[]): string[] {
  const of = (records: readonly RunRecord[]) => new Set(records.flatMap((r) => namesOf(r.result)))
  const [left, right] = [of(a), of(b)]
  return ["jobs.communication.max", "slowdown.idle", "slowdown.ideal"].filter(
    (v) => left.has(v) && right.has(v) && (left.has("slowdown.idle") || left.has("slowdown.ideal")),
  )
}
