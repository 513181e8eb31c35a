// Gaps between arrivals, drawn with one logarithm each instead of one coin per cycle.
// Processes answer whole cycles and keep what is left of a fraction in the source's own int, so a source's clock may be an integer column.
import type { Arrivals, Rng } from "../model/traffic.ts"

/** One cycle in the fixed-point fractions that `state` holds. */
export const ONE = 2 ** 31

/** 1 / ln(1 - p): what `trials` needs, computed once. */
export function perTrial(p: number): number {
  return 1 / Math.log1p(-p)
}

/** Failures before the first success of trials with probability p: P(k) = p (1 - p)^k, exact but for the 32 bits of the draw. p = 1 gives 0. */
export function failures(inverseLog: number, rng: Rng): number {
  return Math.floor(Math.log(rng.unit()) * inverseLog)
}

/** A stream of load 0: the first packet never comes. */
export class Never implements Arrivals {
  first(): number {
    return Number.POSITIVE_INFINITY
  }
  next(): number {
    return Number.POSITIVE_INFINITY
  }
}
