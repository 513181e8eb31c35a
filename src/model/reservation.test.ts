import fc from "fast-check"
import { expect, test } from "vitest"
import { reserve } from "./reservation.ts"

test("128 flits requested in cycle 1200, free from 1000 on: 1200, then 1335, then 1470", () => {
  const next = Int32Array.of(1000)
  expect([reserve(next, 0, 1200, 128, 0.05), next[0]]).toEqual([1200, 1335])
  expect([reserve(next, 0, 1210, 128, 0.05), next[0]]).toEqual([1335, 1470])
})
test("24 flits in cycle 5000, free from 4800 on: 5000, the next gets 5026", () => {
  const next = Int32Array.of(4800)
  expect([reserve(next, 0, 5000, 24, 0.05), next[0]]).toEqual([5000, 5026])
  expect(reserve(next, 0, 5001, 24, 0.05)).toBe(5026)
})
test("grants never overlap", () => {
  const asks = fc.array(fc.record({ after: fc.nat(300), flits: fc.integer({ min: 1, max: 600 }) }), { minLength: 2 })
  fc.assert(
    fc.property(asks, fc.double({ min: 0, max: 1, noNaN: true }), (all, eps) => {
      const next = new Int32Array(1)
      let [now, free] = [0, 0]
      for (const { after, flits } of all) {
        now += after
        const at = reserve(next, 0, now, flits, eps)
        expect(at).toBeGreaterThanOrEqual(Math.max(now, free))
        free = at + flits
      }
    }),
  )
})
