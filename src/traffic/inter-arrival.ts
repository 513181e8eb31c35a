// Gaps between arrivals, drawn with one logarithm each (in integers: core/logarithm.ts) instead of one coin per cycle.
// The cost of a source then depends on its packets and not on the cycles. Processes return whole cycles and store the
// remaining fraction in an int of the source, so that the clock of a source can be an integer column.
import { Factor, minusLog2, minusLogOfRest } from "../core/logarithm.ts"
import type { Arrivals, Rng } from "../model/traffic.ts"

/** One cycle in the fixed-point fractions that `state` holds. */
export const ONE = 2 ** 31

/**
 * The constants that `failures` needs for the probability p, computed once: the number of additional trials for each
 * halving of the draw.
 */
export function perTrial(p: number): Factor {
  return new Factor(p < 1 ? Math.LN2 / minusLogOfRest(p) : 0)
}

/** Failures before the first success of trials: P(k) = p (1 - p)^k, exact but for the 32 bits of the draw and the table
 *  of the logarithm. p = 1 gives 0. */
export function failures(trials: Factor, rng: Rng): number {
  return trials.times(minusLog2(rng.bits()))
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
