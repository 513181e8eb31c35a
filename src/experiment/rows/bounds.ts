// The bounds of a row as an interval that includes both ends. An end that is left out moves to the next number.
import { evaluateNumber, type Scope } from "./evaluate.ts"
import type { Bounds } from "./syntax.ts"

export interface Interval {
  readonly low: number
  readonly high: number
}

const step = (x: number): number => Number.EPSILON * Math.max(1, Math.abs(x))
const above = (x: number): number => (x === 0 ? Number.MIN_VALUE : x + step(x))
const below = (x: number): number => (x === 0 ? -Number.MIN_VALUE : x - step(x))

/** Returns the interval; bounds never depend on runs, because they are evaluated without any. */
export function intervalOf(bounds: Bounds, scope: Omit<Scope, "runs">): Interval {
  const of = { ...scope, runs: {} }
  if (bounds.kind === "within") {
    const [low, high] = [evaluateNumber(bounds.low, of), evaluateNumber(bounds.high, of)]
    return { low: bounds.sign === "<.." ? above(low) : low, high: bounds.sign === "..<" ? below(high) : high }
  }
  const limit = evaluateNumber(bounds.limit, of)
  if (bounds.sign === "==") return { low: limit, high: limit }
  if (bounds.sign === "<" || bounds.sign === "<=")
    return { low: Number.NEGATIVE_INFINITY, high: bounds.sign === "<" ? below(limit) : limit }
  return { low: bounds.sign === ">" ? above(limit) : limit, high: Number.POSITIVE_INFINITY }
}
