// Two sets of results, point by point: the difference of each value with its confidence interval (Welch's t over the
// seeds) and a verdict. "The generalization of Student's problem when several different population variances are
// involved", B. L. Welch, 1947. Limits: seeds are taken as independent in A and B although equal seeds share their
// draws, so intervals are wider than need be, never narrower.
import { type Checked, type Complaint, complain, nearest } from "../../core/complaint.ts"
import type { LoadState } from "../../core/saturation.ts"
import { studentQuantile } from "../../core/student.ts"
import { namesOf } from "../../model/missing.ts"
import { newValueName } from "../../model/renamed.ts"
import type { RunRecord } from "../record.ts"
import { chosen, noneFix, unlike } from "./match.ts"
import { type Estimate, estimate, type Point, pointsOf, reasonsOf } from "./points.ts"

export type Verdict = "better" | "worse" | "same" | "unsure"

export type Difference = {
  readonly point: RunRecord["point"]
  readonly value: string
  /** null where the value is missing */
  readonly a: number | null
  readonly b: number | null
  /** why it is missing on a side */
  readonly missing?: { readonly a?: string; readonly b?: string }
  /** b - a, and the half width of its confidence interval; null where either is not known */
  readonly difference: number | null
  readonly half: number | null
  readonly verdict: Verdict
  /** why, where the numbers alone do not say it */
  readonly note: string
}

export type CompareOptions = {
  readonly values: readonly string[]
  readonly confidence: number
  /** a relative difference below this is "same" however sure */
  readonly tolerance: number
  /** swept keys that do not distinguish points */
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

export function compare(a: readonly RunRecord[], b: readonly RunRecord[], given: CompareOptions): Checked<Comparison> {
  const options = { ...given, values: given.values.map(newValueName) }
  const known = [...new Set([...a, ...b].flatMap((r) => namesOf(r.result)))]
  const unknown = options.values.filter((v) => !known.includes(v))
  if (unknown.length > 0) {
    return {
      bad: unknown.map((v) => {
        const near = nearest(v, known)
        return complain(
          v,
          "No run has this value.",
          near === undefined ? `known values: ${known.join(", ")}` : `did you mean "${near}"?`,
        )
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
  if (pairs.length === 0) return { bad: [complain("compare", "No point is in both folders.", noneFix(ours, theirs))] }
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
  const gives = (of: Point) => of.runs.some((r) => namesOf(r.result).includes(value))
  if (!gives(p) && !gives(q)) return []
  const [a, b] = [estimate(p.runs, value), estimate(q.runs, value)]
  if (a === undefined || b === undefined) {
    const [ofA] = reasonsOf(p.runs, value)
    const [ofB] = reasonsOf(q.runs, value)
    const missing = { ...(ofA === undefined ? {} : { a: ofA }), ...(ofB === undefined ? {} : { b: ofB }) }
    const numbers = { a: a?.mean ?? null, b: b?.mean ?? null, difference: null, half: null }
    return [{ point: p.point, value, ...numbers, missing, ...(failure(p, q, value) ?? withoutValue(value, ofA, ofB)) }]
  }
  const half = welch(a, b, options.confidence)
  const { verdict, note } = failure(p, q, value) ?? judge(value, a, b, half, options)
  const difference = { difference: b.mean - a.mean, half: Number.isNaN(half) ? null : half }
  return [{ point: p.point, value, a: a.mean, b: b.mean, ...difference, verdict, note }]
}

/** Half width of the interval of b - a; NaN if neither the seeds nor the runs have a known spread. */
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
  abandoned: "lost packets",
  saturated: "saturated",
  carried: "was below saturation",
}

type Judged = { readonly verdict: Verdict; readonly note: string }

function failure(p: Point, q: Point, value: string): Judged | undefined {
  if (p.failed !== q.failed && betterWhen(value) !== "none")
    return {
      verdict: q.failed ? "worse" : "better",
      note: q.failed ? `B ${happened[q.state]} here` : `A ${happened[p.state]} here`,
    }
  if (!p.failed && !q.failed) return undefined
  const both = p.state === q.state ? `both ${happened[p.state]}` : `A ${happened[p.state]}, B ${happened[q.state]}`
  return { verdict: "unsure", note: `not comparable: ${both}` }
}

/** Reasons that say something bad about the network itself. */
const poor = /^(saturated|did not end)/

/** At least one side has no value. */
function withoutValue(value: string, a: string | undefined, b: string | undefined): Judged {
  if (a !== undefined && b !== undefined) {
    const same = a === b && poor.test(a)
    return {
      verdict: same ? "same" : "unsure",
      note: a === b ? `missing in both: ${a}` : `missing in A: ${a}, in B: ${b}`,
    }
  }
  const [side, reason] = a === undefined ? ["B", b ?? ""] : ["A", a]
  const counts = poor.test(reason) && betterWhen(value) !== "none"
  return { verdict: !counts ? "unsure" : side === "B" ? "worse" : "better", note: `missing in ${side}: ${reason}` }
}

function judge(value: string, a: Estimate, b: Estimate, half: number, options: CompareOptions): Judged {
  const sense = betterWhen(value)
  const difference = b.mean - a.mean
  if (difference === 0) return { verdict: "same", note: "equal" }
  const small = Math.abs(difference) <= options.tolerance * Math.abs(a.mean)
  if (small) return { verdict: "same", note: "" }
  if (Number.isNaN(half)) return { verdict: "unsure", note: "one seed; run more seeds to decide" }
  if (Math.abs(difference) <= half) return { verdict: "same", note: "" }
  if (sense === "none")
    return { verdict: "unsure", note: `${difference > 0 ? "higher" : "lower"}, but neither direction is better` }
  return { verdict: difference < 0 === (sense === "low") ? "better" : "worse", note: "" }
}

/** Whether less of a value is better, more, or neither. Streams prefix the name ("victim.latency.p99"). */
export function betterWhen(value: string): "low" | "high" | "none" {
  if (/(^|\.)(latency|network)\.(mean|min|p[\d.]+|max)$/.test(value) || /(^|\.)(hops|links)\.mean$/.test(value))
    return "low"
  if (/^(jobs\.(time|communication\.(mean|max|share))|slowdown\.(idle|ideal))$/.test(value)) return "low"
  return /(^|\.)accepted(\.min)?$/.test(value) ? "high" : "none"
}
