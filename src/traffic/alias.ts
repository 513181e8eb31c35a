// A draw from fixed weights in constant time.
// A. J. Walker, "An efficient method for generating discrete random variables with general distributions", 1977; set-up in linear time after M. D. Vose, 1991.
import type { Rng } from "../model/traffic.ts"

/** Tables of one or more distributions, side by side in two columns: row r has the outcomes first[r] .. first[r + 1] - 1. */
export class Alias {
  readonly keep: Float64Array
  readonly other: Int32Array
  constructor(room: number) {
    this.keep = new Float64Array(room)
    this.other = new Int32Array(room)
  }

  /** Fills outcomes at .. at + weights.length - 1; answers the sum of the weights (0: nothing to draw from). */
  set(at: number, weights: ArrayLike<number>): number {
    const n = weights.length
    let sum = 0
    for (let i = 0; i < n; i++) sum += weights[i]!
    if (sum === 0) return 0
    const small: number[] = []
    const large: number[] = []
    for (let i = 0; i < n; i++) {
      this.keep[at + i] = (weights[i]! * n) / sum
      this.other[at + i] = i
      if (this.keep[at + i]! < 1) small.push(i)
      else large.push(i)
    }
    while (small.length > 0 && large.length > 0) {
      const s = small.pop()!
      const l = large[large.length - 1]!
      this.other[at + s] = l
      this.keep[at + l]! -= 1 - this.keep[at + s]!
      if (this.keep[at + l]! < 1) small.push(large.pop()!)
    }
    // what is left differs from 1 by rounding alone; an outcome of weight 0 must not be kept, so it defers to the heaviest
    let top = 0
    for (let i = 1; i < n; i++) if (weights[i]! > weights[top]!) top = i
    for (const i of [...small, ...large]) {
      this.keep[at + i] = weights[i]! > 0 ? 1 : 0
      if (weights[i] === 0) this.other[at + i] = top
    }
    return sum
  }

  /** One of the n outcomes at `at`, numbered from 0. */
  draw(at: number, n: number, rng: Rng): number {
    const i = rng.below(n)
    return rng.unit() <= this.keep[at + i]! ? i : this.other[at + i]!
  }
}
