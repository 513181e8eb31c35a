// The saturation loads that a search found, computed from its runs. The bisection is repeated, and each step takes its
// result from the recorded runs, so a report needs nothing else.

import { canonical } from "../../core/canonical.ts"
import { Moments } from "../../core/stats.ts"
import { type Beyond, Bisection, type SaturationSearch } from "../../experiment/search.ts"
import type { RunRecord } from "../record.ts"
import type { Estimate } from "../summary.ts"

export interface Saturation {
  /** the point without its load */
  readonly point: RunRecord["point"]
  readonly seed: number
  /** carried at `low`, not at `high`, because of `why`; equal when everything was carried */
  readonly low: number
  readonly high: number
  readonly why?: Beyond
  readonly runs: number
}

/** One for each point and seed whose search is complete. */
export function saturationsOf(records: readonly RunRecord[], search: SaturationSearch): Saturation[] {
  const groups = new Map<string, RunRecord[]>()
  for (const r of records) {
    const key = canonical([withoutLoad(r.point), r.seed])
    groups.set(key, [...(groups.get(key) ?? []), r])
  }
  return [...groups.values()].flatMap((group) => {
    const bisection = new Bisection(search)
    let runs = 0
    for (let load = bisection.next(); load !== undefined; load = bisection.next()) {
      const known = group.find((r) => r.point["load"] === load)
      if (known === undefined) return []
      bisection.tell(load, known.result)
      runs++
    }
    return [{ point: withoutLoad(group[0].point), seed: group[0].seed, ...bisection.interval, runs }]
  })
}

export function withoutLoad({ load: _, ...point }: RunRecord["point"]): RunRecord["point"] {
  return point
}

/** The saturation load of one point over its seeds. */
export interface SaturationRow {
  readonly point: Saturation["point"]
  readonly value: Estimate
  readonly low: number
  readonly high: number
  /** what happened beyond it, in any of the seeds; a failure of the network first */
  readonly why?: Beyond
  readonly runs: number
}

const worst: readonly Beyond[] = ["deadlock", "starved", "abandoned", "saturated", "latency"]

export function saturationRows(knees: readonly Saturation[]): SaturationRow[] {
  const groups = new Map<string, Saturation[]>()
  for (const k of knees) groups.set(canonical(k.point), [...(groups.get(canonical(k.point)) ?? []), k])
  return [...groups.values()].map((group) => {
    const moments = new Moments().addAll(group.map((k) => (k.low + k.high) / 2))
    const why = worst.find((w) => group.some((k) => k.why === w))
    return {
      point: group[0].point,
      value: { mean: moments.mean, half: moments.half() },
      low: Math.min(...group.map((k) => k.low)),
      high: Math.max(...group.map((k) => k.high)),
      ...(why === undefined ? {} : { why }),
      runs: group.reduce((n, k) => n + k.runs, 0),
    }
  })
}

/** Where it lies in words: `not reached at 1`, `0.31 and 0.32, deadlock beyond it`. */
export function saturationText(r: SaturationRow, number: (x: number) => string): string {
  if (r.low === r.high) return `not reached at ${number(r.high)}`
  const beyond =
    r.why === undefined || r.why === "saturated"
      ? ""
      : r.why === "latency"
        ? ", above the latency limit beyond it"
        : `, ${r.why} beyond it`
  return `${number(r.low)} and ${number(r.high)}${beyond}`
}
