import fc from "fast-check"
import { expect, test } from "vitest"
import { makeRequestsOverTime, UNKNOWN } from "./requests-over-time.ts"

test(
  "2 inputs for 60 of the last 100 cycles: 120; sums are those of a plain list where " +
    "no more than 8 changes are in it, and not known beyond",
  () => {
    const requesting = makeRequestsOverTime(2, 100)
    requesting.add(1, 2, 40)
    expect([requesting.sum(1, 100), requesting.sum(0, 100), requesting.value(1)]).toEqual([120, 0, 2])
    const change = fc.record({ after: fc.integer({ min: 0, max: 60 }), more: fc.boolean(), looks: fc.boolean() })
    fc.assert(
      fc.property(fc.array(change, { maxLength: 300 }), fc.constantFrom(10, 100), (changes, n) => {
        const counted = makeRequestsOverTime(1, n)
        const plain: number[] = []
        const at: number[] = []
        let value = 0
        for (const { after, more, looks } of changes) {
          for (let i = 0; i < after; i++) plain.push(value)
          const by = more || value === 0 ? 1 : -1
          if (looks) {
            const inside = new Set(at.filter((t) => t > plain.length - n)).size
            const known = plain.slice(-n).reduce((a, b) => a + b, 0)
            expect(inside < 8 ? [known] : [known, UNKNOWN]).toContain(counted.sum(0, plain.length))
          }
          at.push(plain.length)
          counted.add(0, by, plain.length)
          value += by
          expect(counted.value(0)).toBe(value)
        }
      }),
    )
  },
)
