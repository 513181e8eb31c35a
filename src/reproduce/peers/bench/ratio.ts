// The ratio of two speeds from pairs of measurements, with an interval that a few disturbed pairs do not spoil. It is
// the mean of the logarithms of the ratios, with a fifth trimmed at each end, and Student's t over the remaining ones.
// "Less vulnerable confidence and significance procedures for location based on a single sample:
// trimming/Winsorization", J. W. Tukey and D. H. McLaughlin, 1963.
import { studentQuantile } from "../../../core/student.ts"

export interface RatioInterval {
  readonly ratio: number
  readonly low: number
  readonly high: number
  readonly pairs: number
}

/** fewer leave nothing to estimate a spread from */
export const fewestPairs = 5
const CUT = 0.2

export function ratioInterval(ratios: readonly number[], confidence = 0.95): RatioInterval {
  const x = ratios.map(Math.log).sort((a, b) => a - b)
  const n = x.length
  const cut = Math.floor(CUT * n)
  const left = n - 2 * cut
  const mean = x.slice(cut, n - cut).reduce((sum, v) => sum + v, 0) / left
  // what is cut off counts for the spread as much as the last that is left
  const held = x.map((v) => Math.min(Math.max(v, x[cut]), x[n - cut - 1]))
  const middle = held.reduce((sum, v) => sum + v, 0) / n
  const variance = held.reduce((sum, v) => sum + (v - middle) ** 2, 0) / (left * (left - 1))
  const half = studentQuantile((1 - confidence) / 2, left - 1) * Math.sqrt(variance)
  return { ratio: Math.exp(mean), low: Math.exp(mean - half), high: Math.exp(mean + half), pairs: n }
}

/** Whether the ratio is above a bound: only what the whole interval says. */
export function against(bound: number, i: RatioInterval): "above" | "below" | "not decided" {
  return i.low > bound ? "above" : i.high < bound ? "below" : "not decided"
}
