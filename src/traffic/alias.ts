// Draws from fixed weights in constant time. A. J. Walker, "An efficient method for generating discrete random
// variables with general distributions", 1977; set-up in linear time after M. D. Vose, 1991. The pattern `matrix` and
// the weighted sizes use it.
import type { Rng } from "../model/traffic.ts"

/**
 * Tables of one or more distributions in two shared columns. Outcome i of n is drawn uniformly, then kept with
 * probability keep[i], otherwise replaced by other[i].
 */
export class Alias {
  readonly keep: Float64Array
  readonly other: Int32Array
  constructor(capacity: number) {
    this.keep = new Float64Array(capacity)
    this.other = new Int32Array(capacity)
  }

  /** Fills outcomes at .. at + weights.length - 1. Returns the sum of the weights; 0 means that there is no outcome. */
  set(at: number, weights: ArrayLike<number>): number {
    const n = weights.length
    let sum = 0
    for (let i = 0; i < n; i++) sum += weights[i]
    if (sum === 0) return 0
    // each outcome has n times its probability; those below 1 fill up with a part of one above 1
    const small: number[] = []
    const large: number[] = []
    for (let i = 0; i < n; i++) {
      this.keep[at + i] = (weights[i] * n) / sum
      this.other[at + i] = i
      if (this.keep[at + i] < 1) small.push(i)
      else large.push(i)
    }
    while (small.length > 0 && large.length > 0) {
      const s = small.pop()!
      const l = large[large.length - 1]
      this.other[at + s] = l
      this.keep[at + l] -= 1 - this.keep[at + s]
      if (this.keep[at + l] < 1) small.push(large.pop()!)
    }
    // the remaining ones differ from 1 only by rounding; an outcome of weight 0 must never be drawn, so the heaviest
    // one replaces it
    let top = 0
    for (let i = 1; i < n; i++) if (weights[i] > weights[top]) top = i
    for (const i of [...small, ...large]) {
      this.keep[at + i] = weights[i] > 0 ? 1 : 0
      if (weights[i] === 0) this.other[at + i] = top
    }
    return sum
  }

  /** Returns one of the n outcomes at `at`, numbered from 0. It always takes two draws. */
  draw(at: number, n: number, rng: Rng): number {
    const i = rng.below(n)
    return rng.unit() <= this.keep[at + i] ? i : this.other[at + i]
  }
}
