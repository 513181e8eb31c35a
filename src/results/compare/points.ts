// Combines the runs of one point with several seeds into one estimate: mean and confidence interval over the seeds.

import type { LoadState } from "../../core/saturation.ts"
import * as saturation from "../../core/saturation.ts"
import { studentQuantile } from "../../core/student.ts"
import { reasonMissing, valueIn } from "../../model/missing.ts"
import { pointKey } from "../order.ts"
import type { RunRecord } from "../record.ts"

/** Mean of a value over seeds. `half`: half width of its 95 % confidence interval, NaN when one run says nothing about
 *  it. */
export type Estimate = {
  readonly mean: number
  readonly half: number
  readonly runs: number
  readonly variance: number
  readonly df: number
}

export type Point = {
  readonly key: string
  readonly point: RunRecord["point"]
  readonly runs: readonly RunRecord[]
  readonly saturated: boolean
  /** the network made no progress or abandoned packets in one of its runs */
  readonly failed: boolean
  /** the worst of its runs */
  readonly state: LoadState
}

/** Runs grouped by point, in the order of the records. */
export function pointsOf(records: readonly RunRecord[], without: readonly string[] = []): Point[] {
  const groups = new Map<string, { point: RunRecord["point"]; runs: RunRecord[] }>()
  for (const run of records) {
    const point = Object.fromEntries(Object.entries(run.point).filter(([k]) => !without.includes(k)))
    const key = pointKey(point)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { point, runs: [run] })
    else group.runs.push(run)
  }
  return [...groups].map(([key, { point, runs }]) => ({
    key,
    point,
    runs,
    saturated: runs.some(isSaturated),
    failed: runs.some(hasFailed),
    state: stateOf(runs),
  }))
}

/** `saturated` and `failed` as core/saturation.ts defines them. */
export function isSaturated({ result }: RunRecord): boolean {
  return saturation.isSaturated(result.why, result.values)
}

export function hasFailed({ result }: RunRecord): boolean {
  return saturation.hasFailed(result.why, result.values)
}

/** The worst that became of a load in any of these runs. */
export function stateOf(runs: readonly RunRecord[]): LoadState {
  const found = new Set(runs.map((r) => saturation.loadState(r.result.why, r.result.values)))
  return saturation.loadStates.find((s) => found.has(s)) ?? "carried"
}

/** The network made no progress there: no number describes it. */
export function standsStill(p: Pick<Point, "state">): p is { readonly state: "deadlock" | "starved" } {
  return saturation.stoodStill(p.state)
}

/** What is offered there gets through: latency says something about the network. */
export function isCarried(p: Pick<Point, "saturated" | "failed">): boolean {
  return !p.saturated && !p.failed
}

/** Why the runs of a point have no such value together: nothing, or one text. */
export function reasonsOf(runs: readonly RunRecord[], name: string): string[] {
  const found = runs.flatMap((r) => reasonMissing(r.result, name) ?? [])
  const reasons = [...new Set(found)]
  if (reasons.length === 1 && found.length === runs.length) return reasons
  if (reasons.length === 0) return []
  return [`${reasons.join(", ")} in ${found.length} of ${runs.length} runs`]
}

/**
 * With several seeds: their spread. With one run: the interval that the run itself measured by batch means, which
 * exists for the mean latency and the accepted load. A value that is missing in one of the runs is undefined at the
 * point.
 */
export function estimate(runs: readonly RunRecord[], name: string, confidence = 0.95): Estimate | undefined {
  if (reasonsOf(runs, name).length > 0) return undefined
  const values = runs.map((r) => r.result.values[name])
  const n = values.length
  // around the first value, so that equal values have exactly that mean
  const mean = values[0] + values.reduce((sum, v) => sum + (v - values[0]), 0) / n
  if (n === 1) {
    const ci = name.endsWith("latency.mean")
      ? name.replace(/mean$/, "ci")
      : name === "accepted"
        ? "accepted.ci"
        : undefined
    const own = ci === undefined ? undefined : valueIn(runs[0].result, ci)
    // the run's own interval is 95 % of a normal distribution: 1.96 standard errors
    const variance = own === undefined ? Number.NaN : (own / 1.959963984540054) ** 2
    return { mean, half: own ?? Number.NaN, runs: 1, variance, df: own === undefined ? 0 : Number.POSITIVE_INFINITY }
  }
  const variance = values.reduce((sum, v) => sum + (v - mean) ** 2, 0) / (n - 1) / n
  return {
    mean,
    half: studentQuantile((1 - confidence) / 2, n - 1) * Math.sqrt(variance),
    runs: n,
    variance,
    df: n - 1,
  }
}
