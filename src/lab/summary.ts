// What the seeds of one point say together: mean and 95 % interval of every value, and how the runs ended.
import { Moments } from "../core/stats.ts"
import type { StopReason } from "../model/experiment.ts"
import { type Expectation, holds } from "./expect.ts"
import { canonical } from "./identity.ts"
import type { RunRecord } from "./record.ts"

export interface Estimate {
  readonly mean: number
  /** half width of the 95 % confidence interval over the seeds (Student's t); infinite for a single seed */
  readonly half: number
}

export interface PointSummary {
  readonly point: RunRecord["point"]
  readonly records: readonly RunRecord[]
  readonly values: Readonly<Record<string, Estimate>>
  /** "steady", or "2 of 3 saturated" */
  readonly state: string
  readonly saturated: boolean
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
  const names = [...new Set(records.flatMap((r) => Object.keys(r.result.values)))]
  const values = Object.fromEntries(names.map((name) => [name, estimate(records, name)]))
  const whys = new Map<StopReason, number>()
  for (const r of records) whys.set(r.result.why, (whys.get(r.result.why) ?? 0) + 1)
  const state = whys.size === 1 ? records[0]!.result.why : [...whys].map(([why, n]) => `${n} ${why}`).join(", ")
  return { point: records[0]!.point, records, values, state, saturated: whys.has("saturated") }
}

function estimate(records: readonly RunRecord[], name: string): Estimate {
  const moments = new Moments()
  for (const r of records) {
    const value = r.result.values[name]
    if (value !== undefined && Number.isFinite(value)) moments.add(value)
  }
  return { mean: moments.n > 0 ? moments.mean : Number.NaN, half: moments.half() }
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
      return [
        `${e.value} is ${mean === undefined ? "not there" : Number(mean.toPrecision(6))}${at.length > 0 ? ` at ${at.join(", ")}` : ""} (${row.state})`,
      ]
    })
    if (points.length === 0) failures.push("no point of it was run")
    return { expectation: e, holds: failures.length === 0, failures }
  })
}
