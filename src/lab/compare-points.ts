// Runs of one point with several seeds as one estimate: mean and confidence interval over the seeds.
import { studentQuantile } from "../core/student.ts"
import type { RunRecord } from "./record.ts"
import { pointKey } from "./store-order.ts"

/** Mean of a value over seeds. `half`: half width of its 95 % confidence interval, NaN when one run says nothing about it. */
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
  return [...groups].map(([key, { point, runs }]) => ({ key, point, runs, saturated: runs.some(isSaturated) }))
}

/** A run of a fixed window need not notice that it is saturated: it is when clearly less was accepted than offered. */
const SHORTFALL = 0.05

export function isSaturated({ result }: RunRecord): boolean {
  const { saturated, offered, accepted, packets } = result.values
  if (result.why === "saturated" || saturated === 1) return true
  if (offered === undefined || accepted === undefined) return false
  // four standard deviations of a count of packets, so that a short window does not make a point look saturated
  const noise = packets === undefined ? 0 : 4 / Math.sqrt(packets)
  return accepted < offered * (1 - Math.max(SHORTFALL, noise))
}

/** Several seeds: their spread. One run: the interval that the run itself measured (batch means), known for the mean latency. */
export function estimate(runs: readonly RunRecord[], name: string, confidence = 0.95): Estimate | undefined {
  const values = runs.map((r) => r.result.values[name]).filter((v) => v !== undefined)
  if (values.length === 0) return undefined
  const n = values.length
  // around the first value, so that equal values have exactly that mean
  const mean = values[0]! + values.reduce((sum, v) => sum + (v - values[0]!), 0) / n
  if (n === 1) {
    const own = name.endsWith("latency.mean") ? runs[0]!.result.values[name.replace(/mean$/, "ci")] : undefined
    // the run's own interval is 95 % of a normal distribution: 1.96 standard errors
    const variance = own === undefined ? Number.NaN : (own / 1.959963984540054) ** 2
    return { mean, half: own ?? Number.NaN, runs: 1, variance, df: own === undefined ? 0 : Number.POSITIVE_INFINITY }
  }
  const variance = values.reduce((sum, v) => sum + (v - mean) ** 2, 0) / (n - 1) / n
  return { mean, half: studentQuantile((1 - confidence) / 2, n - 1) * Math.sqrt(variance), runs: n, variance, df: n - 1 }
}
