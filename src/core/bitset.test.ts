import fc from "fast-check"
import { expect, test } from "vitest"
import { BitSet, lowest, lowestFrom, population } from "./bitset.ts"

test("bits of known words, the sign bit included", () => {
  expect([1, 2, 12, -1, 1 << 31, 0x40000000].map(lowest)).toEqual([0, 1, 2, 0, 31, 30])
  expect([0, 1, -1, 1 << 31, 0x0f0f0f0f, 0x7fffffff].map(population)).toEqual([0, 1, 32, 1, 16, 31])
})

test("lowestFrom goes round: 0b1001 from 0, 1, 3, 4", () => {
  expect([0, 1, 3, 4].map((from) => lowestFrom(0b1001, from))).toEqual([0, 3, 3, 0])
  expect(lowestFrom(1 << 31, 31)).toBe(31)
})

test("agrees with a Set under any additions and deletions", () => {
  const step = fc.tuple(fc.boolean(), fc.nat(199))
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
      const bits = new BitSet(200)
      const set = new Set<number>()
      for (const [add, i] of steps) {
        if (add) {
          bits.add(i)
          set.add(i)
        } else {
          bits.delete(i)
          set.delete(i)
        }
      }
      const met: number[] = []
      for (let i = bits.next(0); i >= 0; i = bits.next(i + 1)) met.push(i)
      expect(met).toEqual([...set].sort((a, b) => a - b))
      expect(bits.count()).toBe(set.size)
      expect(Array.from({ length: 200 }, (_, i) => i).filter((i) => bits.has(i))).toEqual(met)
      const words: number[] = []
      for (let w = 0; w < bits.words.length; w++)
        for (let m = bits.words[w]; m !== 0; m &= m - 1) words.push((w << 5) + lowest(m))
      expect(words).toEqual(met)
    }),
  )
})

test("next beyond the end is -1, also when the size is a multiple of 32", () => {
  const bits = new BitSet(64)
  bits.add(63)
  expect(bits.next(63)).toBe(63)
  expect(bits.next(64)).toBe(-1)
  bits.clear()
  expect(bits.next(0)).toBe(-1)
})
