import { describe, expect, test } from "vitest"
import { chiSquare, limit } from "../../test/support/chi-square.ts"
import { below, Draws, draw, streamOf, unit } from "./rng.ts"

/** The published inverse of lowbias32 (C. Wellons, 2018). */
function lowbias32Inverse(x: number): number {
  x ^= x >>> 16
  x = Math.imul(x, 0x43021123)
  x ^= (x >>> 15) ^ (x >>> 30)
  x = Math.imul(x, 0x1d69e2a5)
  return (x ^ (x >>> 16)) >>> 0
}

test("draws of word 0 are lowbias32: the published inverse leads back to the counter", () => {
  for (const n of [0, 1, 2, 3, 0x7fffffff, 0x80000000, 0xffffffff]) expect(lowbias32Inverse(draw(0, n))).toBe(n)
  for (let i = 0; i < 10000; i++)
    expect(lowbias32Inverse(draw(0, Math.imul(i, 0x9e3779b1)))).toBe(Math.imul(i, 0x9e3779b1) >>> 0)
})

// h = 3 + 2 = 5; 5 * 0x7feb352d = 0x7f9809e1; ^ >>> 15 (0xff30) = 0x7f98f6d1; ^ 0x00030000 (the word, halves exchanged)
// = 0x7f9bf6d1; * 0x846ca68b, ^ >>> 16
test("the word enters before and between the multiplications: one draw by hand", () => {
  const product = Number((0x7f9bf6d1n * 0x846ca68bn) & 0xffffffffn)
  expect(5 * 0x7feb352d - 2 * 2 ** 32).toBe(0x7f9809e1)
  expect(draw(3, 2) >>> 0).toBe((product ^ (product >>> 16)) >>> 0)
})

test("another seed, entity or counter is another draw, and every entity of a seed has a word of its own", () => {
  expect(new Set(Array.from({ length: 100_000 }, (_, e) => streamOf(7, e))).size).toBe(100_000)
  const rng = new Draws(7).at(5, 3)
  expect([rng.bits(), rng.bits()]).toEqual([draw(streamOf(7, 5), 3), draw(streamOf(7, 5), 4)])
})

const draws = 65_536
/** Ways to walk through (seed, entity, counter) on which neighbours should have nothing in common. */
const walks: Readonly<Record<string, (i: number) => number>> = {
  counters: (i) => draw(streamOf(1, 5), i),
  "counters with room of 8 and of 16": (i) => draw(streamOf(1, 5), (i >> 1) * 16 + (i & 1) * 8),
  entities: (i) => draw(streamOf(1, i), 0),
  seeds: (i) => draw(streamOf(i, 3), 0),
  "seeds under a salt": (i) => draw(streamOf(i ^ 0x2000, 3), 8),
  "seeds up, entities down: the sums of the fold repeat": (i) => draw(streamOf(i, 100_000 - i), 0),
  "entities and counters together": (i) => draw(streamOf(1, i & 255), i >> 8),
  "hops and choices of packets": (i) => draw(draw(streamOf(1, 7), i >> 4), (((i >> 2) & 3) << 8) | (i & 3)),
  "packets under two salts": (i) => draw(draw(streamOf(1, 7), i >> 1) ^ streamOf(1, 0x51f15e01 + (i & 1)), 0),
  "packets that answer packets": (i) => draw(draw(draw(streamOf(1, 7), i), -1), 0),
}

describe.each(Object.keys(walks))("%s", (name) => {
  const bits = Int32Array.from({ length: draws }, (_, i) => walks[name](i))

  test("uniform: chi-square of 64 and of 1,000 bins, by high and by low bits", () => {
    for (const n of [64, 1000]) {
      const [high, low] = [new Int32Array(n), new Int32Array(n)]
      for (const b of bits) {
        high[below(b, n)]++
        low[(b & 0xffff) % n]++
      }
      expect(chiSquare(high, new Float64Array(n).fill(draws / n))).toBeLessThan(limit(n - 1))
      const part = (i: number): number => (Math.floor((65_535 - i) / n) + 1) / 65_536
      expect(
        chiSquare(
          low,
          Float64Array.from({ length: n }, (_, i) => draws * part(i)),
        ),
      ).toBeLessThan(limit(n - 1))
    }
  })

  test("pairs of neighbours fill 32 x 32 bins evenly, 1, 2 and 256 apart; no serial correlation", () => {
    for (const lag of [1, 2, 256]) {
      const bins = new Int32Array(1024)
      let sum = 0
      for (let i = 0; i + lag < draws; i++) {
        const [a, b] = [bits[i], bits[i + lag]]
        bins[(below(a, 32) << 5) | below(b, 32)]++
        sum += (unit(a) - 0.5) * (unit(b) - 0.5)
      }
      const n = draws - lag
      expect(chiSquare(bins, new Float64Array(1024).fill(n / 1024))).toBeLessThan(limit(1023))
      // the product of two has a standard deviation of 1 / 12
      expect(Math.abs(sum) * 12).toBeLessThan(4.5 * Math.sqrt(n))
    }
  })

  test("every bit is set half the time, and differs half the time from the same bit of its neighbour", () => {
    const [set, changed] = [new Int32Array(32), new Int32Array(32)]
    for (let i = 1; i < draws; i++)
      for (let b = 0; b < 32; b++) {
        set[b] += (bits[i] >>> b) & 1
        changed[b] += ((bits[i] ^ bits[i - 1]) >>> b) & 1
      }
    // standard deviation: sqrt(n) / 2
    for (const count of [...set, ...changed])
      expect(Math.abs(count - (draws - 1) / 2)).toBeLessThan((4.5 * Math.sqrt(draws)) / 2)
  })
})

// each of 32 x 32 cells: 4,000 coins, standard deviation 31.6; over 1,024 cells none should be 5 away (once in 1,700
// such tables)
test.each([
  ["the counter", (w: number, n: number, bit: number) => draw(w, n) ^ draw(w, n ^ bit)],
  ["the word", (w: number, n: number, bit: number) => draw(w, n) ^ draw(w ^ bit, n)],
  ["the entity", (_: number, n: number, bit: number) => draw(streamOf(3, n), 0) ^ draw(streamOf(3, n ^ bit), 0)],
  ["the seed", (_: number, n: number, bit: number) => draw(streamOf(n, 2), 0) ^ draw(streamOf(n ^ bit, 2), 0)],
])("a changed bit of %s changes every bit of the draw half the time", (_, changed) => {
  const tries = 4000
  for (let b = 0; b < 32; b++) {
    const flips = new Int32Array(32)
    for (let i = 0; i < tries; i++) {
      const d = changed(streamOf(1, i), draw(i, 77), 1 << b)
      for (let o = 0; o < 32; o++) flips[o] += (d >>> o) & 1
    }
    for (const n of flips) expect(Math.abs(n / tries - 0.5)).toBeLessThan(5 * (0.5 / Math.sqrt(tries)))
  }
})

test("below and unit stay inside their ranges at the ends", () => {
  expect(below(-1, 10)).toBe(9)
  expect(below(0, 10)).toBe(0)
  expect(unit(0)).toBeGreaterThan(0)
  expect(unit(-1)).toBe(1)
})
