// Two sets of results, point by point: the difference of each value with its confidence interval (Welch's t over the seeds) and a verdict.
// "The generalization of Student's problem when several different population variances are involved", B. L. Welch, 1947.
// Limits: seeds are taken as independent in A and B although equal seeds share their draws, so intervals are wider than need be, never narrower.
import { type Checked, type Complaint, complain, nearest } from "../../core/complaint.ts"
import type { LoadState } from "../../core/saturation.ts"
import { studentQuantile } from "../../core/student.ts"
import { chosen, noneFix, unlike } from "./match.ts"
import { type Estimate, estimate, type Point, pointsOf } from "./points.ts"
import type { RunRecord } from "../record.ts"

export type Verdict = "better" | "worse" | "same" | "unsure"

export type Difference = {
  readonly point: RunRecord["point"]
  readonly value: string
  readonly a: number
  readonly b: number
  /** b - a, and the half width of its confidence interval (NaN: one seed on a side and no interval of its own) */
  readonly difference: number
  readonly half: number
  readonly verdict: Verdict
  /** why, where the numbers alone do not say it */
  readonly note: string
}

export type CompareOptions = {
  readonly values: readonly string[]
  readonly confidence: number
  /** a relative difference below this is "same" however sure */
  readonly tolerance: number
  /** swept keys that do not tell points apart */
  readonly without: readonly string[]
  /** swept keys of which one value is compared */
  readonly at: Readonly<Record<string, string>>
}

export type Comparison = {
  readonly rows: readonly Difference[]
  readonly matched: number
  readonly onlyA: readonly RunRecord["point"][]
  readonly onlyB: readonly RunRecord["point"][]
}

export const usual: CompareOptions = {
  values: ["accepted", "latency.mean", "latency.p99"],
  confidence: 0.95,
  tolerance: 0.01,
  without: [],
  at: {},
}

export function compare(a: readonly RunRecord[], b: readonly RunRecord[], options: CompareOptions): Checked<Comparison> {
  const known = [...new Set([...a, ...b].flatMap((r) => Object.keys(r.result.values)))]
  const unknown = options.values.filter((v) => !known.includes(v))
  if (unknown.length > 0) {
    return {
      bad: unknown.map((v) => {
        const near = nearest(v, known)
        return complain(v, "no run has this value", near === undefined ? `known values: ${known.join(", ")}` : `did you mean "${near}"?`)
      }),
    }
  }
  const bad: Complaint[] = []
  const [ours, theirs] = chosen([a, b], options.at, bad)
  bad.push(...unlike(ours, theirs, options.without))
  if (bad.length > 0) return { bad }
  const without = [...options.without, ...Object.keys(options.at)]
  const [left, right] = [pointsOf(ours, without), pointsOf(theirs, without)]
  const byKey = new Map(right.map((p) => [p.key, p]))
  const pairs = left.flatMap((p) => (byKey.has(p.key) ? [[p, byKey.get(p.key)!] as const] : []))
  if (pairs.length === 0) return { bad: [complain("compare", "no point is in both", noneFix(ours, theirs))] }
  const keysA = new Set(left.map((p) => p.key))
  return {
    ok: {
      rows: pairs.flatMap(([p, q]) => options.values.flatMap((v) => differ(p, q, v, options))),
      matched: pairs.length,
      onlyA: left.filter((p) => !byKey.has(p.key)).map((p) => p.point),
      onlyB: right.filter((p) => !keysA.has(p.key)).map((p) => p.point),
    },
  }
}

function differ(p: Point, q: Point, value: string, options: CompareOptions): Difference[] {
  const [a, b] = [estimate(p.runs, value), estimate(q.runs, value)]
  if (a === undefined || b === undefined) return []
  const half = welch(a, b, options.confidence)
  const { verdict, note } = judge(p, q, value, a, b, half, options)
  return [{ point: p.point, value, a: a.mean, b: b.mean, difference: b.mean - a.mean, half, verdict, note }]
}

/** Half width of the interval of b - a; NaN when neither seeds nor the runs tell their spread. */
export function welch(a: Estimate, b: Estimate, confidence: number): number {
  const sum = a.variance + b.variance
  if (Number.isNaN(sum)) return Number.NaN
  if (sum === 0) return 0
  const df = sum ** 2 / (part(a) + part(b))
  return studentQuantile((1 - confidence) / 2, Math.min(df, 1e6)) * Math.sqrt(sum)
}

function part({ variance, df }: Estimate): number {
  return df === Number.POSITIVE_INFINITY || variance === 0 ? 0 : variance ** 2 / df
}

const happened: Readonly<Record<LoadState, string>> = {
  deadlock: "deadlocked",
  starved: "starved",
  abandoned: "gave packets up",
  saturated: "saturated",
  carried: "carried its load",
}

type Judged = { readonly verdict: Verdict; readonly note: string }

function judge(p: Point, q: Point, value: string, a: Estimate, b: Estimate, half: number, options: CompareOptions): Judged {
  const sense = betterWhen(value)
  if (p.failed !== q.failed && sense !== "none")
    return { verdict: q.failed ? "worse" : "better", note: q.failed ? `B ${happened[q.state]} here` : `A ${happened[p.state]} here` }
  if (p.failed || q.failed) {
    const both = p.state === q.state ? `both ${happened[p.state]}` : `A ${happened[p.state]}, B ${happened[q.state]}`
    return { verdict: "unsure", note: `not comparable: ${both}` }
  }
  if (p.saturated !== q.saturated && sense === "low") {
    return { verdict: q.saturated ? "worse" : "better", note: `${q.saturated ? "B" : "A"} is saturated here` }
  }
  // beyond saturation latency grows with the length of the run and says nothing about the network
  if (p.saturated && sense === "low") return { verdict: "same", note: "both are saturated here" }
  const difference = b.mean - a.mean
  if (difference === 0) return { verdict: "same", note: "equal" }
  const small = Math.abs(difference) <= options.tolerance * Math.abs(a.mean)
  if (small) return { verdict: "same", note: "" }
  if (Number.isNaN(half)) return { verdict: "unsure", note: "one seed: run more to know" }
  if (Math.abs(difference) <= half) return { verdict: "same", note: "" }
  if (sense === "none") return { verdict: "unsure", note: `${difference > 0 ? "higher" : "lower"}, and neither is better` }
  return { verdict: difference < 0 === (sense === "low") ? "better" : "worse", note: "" }
}

/** Whether less of a value is better, more, or neither. Streams prefix the name ("victim.latency.p99"). */
export function betterWhen(value: string): "low" | "high" | "none" {
  if (/(^|\.)(latency|network)\.(mean|min|p[\d.]+|max)$/.test(value) || /(^|\.)(hops|links)\.mean$/.test(value)) return "low"
  return /(^|\.)accepted(\.min)?$/.test(value) ? "high" : "none"
}
