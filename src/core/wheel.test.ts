import fc from "fast-check"
import { expect, test } from "vitest"
import { Wheel } from "./wheel.ts"

test("items come out in their cycle, whatever the turn, and never twice", () => {
  const wait = fc.record({ item: fc.nat(49), after: fc.nat(200) })
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 300 }),
      fc.array(fc.array(wait, { maxLength: 3 }), { minLength: 1, maxLength: 60 }),
      (turn, plan) => {
        const wheel = new Wheel(50, turn)
        const due = new Map<number, number>()
        const out = new Int32Array(50)
        for (let now = 0; now < 300; now++) {
          const expected = [...due].filter(([, t]) => t === now).map(([i]) => i)
          const first = due.size === 0 ? -1 : Math.min(...due.values())
          expect(wheel.earliest(now)).toBe(first)
          const n = wheel.drain(now, out)
          expect([...out.subarray(0, n)].sort((a, b) => a - b)).toEqual(expected.sort((a, b) => a - b))
          for (const i of expected) due.delete(i)
          for (const { item, after } of plan[now] ?? []) {
            expect(wheel.waits(item)).toBe(due.has(item))
            if (due.has(item)) expect(() => wheel.add(item, now + 1)).toThrow("waits already")
            else {
              wheel.add(item, now + 1 + after)
              due.set(item, now + 1 + after)
            }
          }
        }
        expect(wheel.earliest(300)).toBe(-1)
      },
    ),
    { numRuns: 25 },
  )
})

test("a copy of the columns goes on alike", () => {
  const a = new Wheel(4, 8)
  a.add(0, 3)
  a.add(1, 11)
  a.add(2, 3)
  const b = new Wheel(4, 8)
  b.head.set(a.head)
  b.link.set(a.link)
  b.when.set(a.when)
  const out = new Int32Array(4)
  for (let now = 0; now < 12; now++) {
    const n = a.drain(now, out)
    const got = [...out.subarray(0, n)]
    expect([...out.subarray(0, b.drain(now, out))]).toEqual(got)
    expect(n).toBe(now === 3 ? 2 : now === 11 ? 1 : 0)
  }
})
