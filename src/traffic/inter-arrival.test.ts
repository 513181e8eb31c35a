import { describe, expect, test } from "vitest"
import { chiSquare, limit } from "../../test/support/chi-square.ts"
import { Draws } from "../core/rng.ts"
import type { Rng } from "../model/traffic.ts"
import { failures, perTrial } from "./inter-arrival.ts"

/** One draw, of the bits that are asked for. */
class Given implements Rng {
  given = 0
  bits(): number {
    return this.given
  }
  below(): number {
    throw new Error("bits are enough")
  }
  unit(): number {
    throw new Error("bits are enough")
  }
}

/** How many of all 2^32 draws give at least k failures. They fall with the bits, so halving finds the last that does.
 *  */
function atLeast(p: number): (k: number) => number {
  const trials = perTrial(p)
  const rng = new Given()
  return (k) => {
    let [low, high] = [0, 2 ** 32]
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      rng.given = middle | 0
      if (failures(trials, rng) >= k) low = middle + 1
      else high = middle
    }
    return low
  }
}

describe("failures before a success", () => {
  // sum of P(failures >= k) over k >= 1: the mean, 1/p - 1
  test.each([0.003, 0.02, 0.1, 0.25, 0.3, 1 / 3, 0.5, 0.7, 0.9, 0.999])(
    "over all 2^32 draws the mean rate is %f, within 10^-6 of itself",
    (p) => {
      const count = atLeast(p)
      let sum = 0
      for (let k = 1, n = count(1); n > 0; n = count(++k)) sum += n
      expect(Math.abs(1 / (1 + sum / 2 ** 32) / p - 1)).toBeLessThan(1e-6)
    },
  )

  test.each([0.02, 0.3, 0.9])("P(k) = p (1 - p)^k at p = %f, to 10^-6 and the 2^-32 of a draw", (p) => {
    const count = atLeast(p)
    for (let k = 1; (1 - p) ** k > 1e-4; k++) {
      const law = (1 - p) ** k
      expect(Math.abs(count(k) / 2 ** 32 - law)).toBeLessThan(1e-6 * law + 2 ** -31)
    }
  })

  test("what is drawn follows the law: chi-square", () => {
    const rng = new Draws(3)
    for (const p of [0.05, 0.4]) {
      const trials = perTrial(p)
      const [n, bins] = [100_000, Math.ceil(6 / p)]
      const seen = new Int32Array(bins + 1)
      for (let i = 0; i < n; i++) seen[Math.min(bins, failures(trials, rng.at(i, 0)))]++
      const expected = Array.from(seen, (_, k) => n * (k === bins ? (1 - p) ** k : p * (1 - p) ** k))
      expect(chiSquare(seen, expected)).toBeLessThan(limit(bins))
    }
  })

  test("rate 1 fails never; at 1e-9 the median is ln 2 / p and the longest 32 ln 2 / p", () => {
    const rng = new Given()
    for (const bits of [0, 1, 12345, -1]) {
      rng.given = bits
      expect(failures(perTrial(1), rng)).toBe(0)
    }
    const tiny = perTrial(1e-9)
    const of = (bits: number): number => {
      rng.given = bits
      return failures(tiny, rng)
    }
    expect(of(-1)).toBe(0)
    expect(Math.abs(of(2 ** 31 - 1) / (Math.LN2 * 1e9) - 1)).toBeLessThan(2e-9)
    expect(Math.abs(of(0) / (32 * Math.LN2 * 1e9) - 1)).toBeLessThan(2e-9)
  })
})
