import { describe, expect, test } from "vitest"
import { EXACT, makeDistinct } from "./distinct.ts"

const column = (n: number) => new Int32Array(n)

describe("distinct members", () => {
  test("are counted exactly up to EXACT possible members, however often they are added", () => {
    const d = makeDistinct(2, EXACT, column)
    for (let turn = 0; turn < 3; turn++) for (let m = 0; m < EXACT; m += 7) d.add(1, 11, m)
    expect([d.count(0), d.count(1)]).toEqual([0, Math.ceil(EXACT / 7)])
    // a bit each
    expect(d.column.length).toBe((2 * EXACT) / 32)
  })

  test.each([1, 10, 300, 20_000])("are estimated above it: %i in each of 400 sets, 64 bytes a set", (members) => {
    const sets = 400
    const d = makeDistinct(sets, 65_536, column)
    expect(d.column.byteLength).toBe(64 * sets)
    for (let row = 0; row < sets; row++) for (let m = 0; m < members; m++) d.add(row, 5000 + row, 3 * m)
    const counts = Array.from({ length: sets }, (_, row) => d.count(row))
    const mean = counts.reduce((a, b) => a + b, 0) / sets
    // 13 % of one set, so 0.65 % of the mean of 400; four of these, and the bias of a few registers
    expect(Math.abs(mean / members - 1)).toBeLessThan(0.03)
    for (const c of counts) expect(Math.abs(c / members - 1)).toBeLessThan(0.65)
  })

  test("of a set depend on its key, not on its row", () => {
    const d = makeDistinct(3, 10_000, column)
    for (let m = 0; m < 500; m++) for (const row of [0, 2]) d.add(row, 77, m)
    expect(d.count(0)).toBe(d.count(2))
    expect(d.count(1)).toBe(0)
  })
})
