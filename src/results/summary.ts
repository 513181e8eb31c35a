// Summarises the seeds of one point: mean and 95 % confidence interval of every value, and how the runs ended.

import { canonical } from "../core/canonical.ts"
import type { LoadState } from "../core/saturation.ts"
import { Moments } from "../core/stats.ts"
import { stopText } from "../core/wording.ts"
import { type Expectation, holds } from "../experiment/expect.ts"
import { namesOf } from "../model/missing.ts"
import { hasFailed, isSaturated, reasonsOf, stateOf } from "./compare/points.ts"
import type { RunRecord } from "./record.ts"

export interface Estimate {
  readonly mean: number
  /** half width of the 95 % confidence interval over the seeds (Student's t); infinite for a single seed */
  readonly half: number
}

export interface PointSummary {
  readonly point: RunRecord["point"]
  readonly records: readonly RunRecord[]
  /** of the values that all its runs have */
  readonly values: Readonly<Record<string, Estimate>>
  /** why the others are missing: "saturated", or "saturated in 1 of 3 runs" */
  readonly missing: Readonly<Record<string, string>>
  /** "steady", or "2 saturated, 1 steady" */
  readonly state: string
  readonly saturated: boolean
  /** the network made no progress or abandoned packets in one of its runs */
  readonly failed: boolean
  /** the worst that became of its load */
  readonly worst: LoadState
}

/** One row for each point, in the order of the records. */
export function summarise(records: readonly RunRecord[]): PointSummary[] {
  const groups = new Map<string, RunRecord[]>()
  for (const r of records) {
    const key = canonical(r.point)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [r])
    else group.push(r)
  }
  return [...groups.values()].map(summary)
}

function summary(records: readonly RunRecord[]): PointSummary {
  const names = [...new Set(records.flatMap((r) => namesOf(r.result)))]
  const missing = Object.fromEntries(
    names.flatMap((name) => reasonsOf(records, name).map((reason) => [name, reason] as const)),
  )
  const there = names.filter((name) => !Object.hasOwn(missing, name))
  const values = Object.fromEntries(there.map((name) => [name, estimate(records, name)]))
  return {
    point: records[0].point,
    records,
    values,
    missing,
    state: endsText(records),
    saturated: records.some(isSaturated),
    failed: records.some(hasFailed),
    worst: stateOf(records),
  }
}

/** What ended the runs of a point: `steady`, or `2 steady, 1 limit reached`. */
export function endsText(records: readonly RunRecord[]): string {
  const ends = new Map<string, number>()
  for (const r of records) ends.set(endText(r), (ends.get(endText(r)) ?? 0) + 1)
  return ends.size === 1 ? endText(records[0]) : [...ends].map(([end, n]) => `${n} ${end}`).join(", ")
}

/** What ended a run, and what it was although something else ended it: `drained`, `deadlock`, `drained (saturated)`,
 *  `steady (12 abandoned)`. */
export function endText(r: RunRecord): string {
  const { why, values } = r.result
  const notes = [
    ...(isSaturated(r) && why !== "saturated" ? ["saturated"] : []),
    ...((values["abandoned"] ?? 0) > 0 ? [`${values["abandoned"]} abandoned`] : []),
  ]
  return notes.length > 0 ? `${stopText(why)} (${notes.join(", ")})` : stopText(why)
}

/** The report of a run without progress: of it the packets that wait for one another, one line each. */
export function packetsIn(explains: string): { readonly says: readonly string[]; readonly packets: readonly string[] } {
  const isPacket = (line: string) => /^packet \d+( of \d+)? from /.test(line)
  const lines = explains.split("\n")
  const word = /^(deadlock|starvation): /
  const said = lines.filter((l) => !isPacket(l))
  // the caller prints the word itself; the sentence that contains it comes first
  const says = [...said.filter((l) => word.test(l)), ...said.filter((l) => !word.test(l))].map((l) =>
    l.replace(word, ""),
  )
  return { says, packets: lines.filter(isPacket) }
}

function estimate(records: readonly RunRecord[], name: string): Estimate {
  const moments = new Moments().addAll(records.map((r) => r.result.values[name]))
  return { mean: moments.mean, half: moments.half() }
}

export interface Verdict {
  readonly expectation: Expectation
  readonly holds: boolean
  /** one sentence for each point that fails */
  readonly failures: readonly string[]
}

export function judge(expectations: readonly Expectation[], rows: readonly PointSummary[]): Verdict[] {
  return expectations.map((e) => {
    const points = rows.filter((row) => Object.entries(e.at).every(([k, v]) => row.point[k] === v))
    const failures = points.flatMap((row) => {
      const mean = row.values[e.value]?.mean
      if (mean !== undefined && holds(mean, e.operator, e.limit)) return []
      const at = Object.entries(row.point).map(([k, v]) => `${k}=${v}`)
      const is =
        mean === undefined ? `missing (${row.missing[e.value] ?? "not measured"})` : Number(mean.toPrecision(6))
      return [`${e.value} is ${is}${at.length > 0 ? ` at ${at.join(", ")}` : ""} (${row.state})`]
    })
    if (points.length === 0) failures.push("no run matches it")
    return { expectation: e, holds: failures.length === 0, failures }
  })
}
