import fc from "fast-check"
import { expect, test } from "vitest"
import { Ring } from "./ring.ts"

test("agrees with an array under appends, takes and drains", () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant("append" as const), a: fc.integer(), b: fc.integer() }),
    fc.record({ do: fc.constant("take" as const) }),
    fc.record({ do: fc.constant("drain" as const), capacity: fc.nat(20) }),
  )
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 12 }), fc.array(step, { maxLength: 100 }), (rows, steps) => {
      const ring = new Ring(rows, 2)
      const twin: [number, number][] = []
      for (const s of steps) {
        if (s.do === "append") {
          expect(ring.full).toBe(twin.length === ring.rows)
          if (ring.full) continue
          const at = ring.append()
          ring.data[at] = s.a
          ring.data[at + 1] = s.b
          twin.push([s.a | 0, s.b | 0])
        } else if (s.do === "take") {
          const at = ring.take()
          const row = twin.shift()
          expect(at < 0 ? undefined : [ring.data[at], ring.data[at + 1]]).toEqual(row)
        } else {
          const out = new Int32Array(s.capacity)
          const n = ring.drain(out)
          const gone = twin.splice(0, Math.floor(s.capacity / 2))
          expect(n).toBe(gone.length)
          expect([...out.subarray(0, 2 * n)]).toEqual(gone.flat())
        }
        expect(ring.size).toBe(twin.length)
      }
    }),
  )
})

test("rows are rounded up to a power of two; a full ring says what to do", () => {
  const ring = new Ring(3)
  expect(ring.rows).toBe(4)
  for (let i = 0; i < 4; i++) ring.data[ring.append()] = i
  expect(() => ring.append()).toThrow("check full first")
})
