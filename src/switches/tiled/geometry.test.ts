import { describe, expect, test } from "vitest"
import { checkGeometry, columnOf, geometryOf, outputOf, overprovision, rowOf, slotOf } from "./geometry.ts"

describe("P = R * I = C * O", () => {
  test("the 20-port switch of the paper: input 7 to output 18", () => {
    const g = geometryOf(20, 4, 4)
    expect([g.inputs, g.outputs]).toEqual([5, 5])
    // row 7 div 5, tile input 7 mod 5, column 18 div 5, tile output 18 mod 5
    expect([rowOf(g, 7), slotOf(g, 7), columnOf(g, 18), outputOf(g, 18)]).toEqual([1, 2, 3, 3])
  })
  test("the drawing of the paper: 12 ports as 2 x 3 tiles of 6 x 4", () => {
    const g = geometryOf(12, 2, 3)
    expect([g.inputs, g.outputs]).toEqual([6, 4])
    expect(Array.from({ length: 12 }, (_, p) => rowOf(g, p))).toEqual([0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1])
    expect(Array.from({ length: 12 }, (_, p) => columnOf(g, p))).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2])
    // R x C x O column channels for P ports: R times as many
    expect(overprovision(g)).toBe(2)
  })
  test("what does not divide is refused with what does", () => {
    expect(checkGeometry(20, 3, 4)).toEqual([
      { path: "rows", says: "20 ports are not 3 rows of equal size", fix: "choose one of 1, 2, 4, 5, 10, 20" },
    ])
    expect(checkGeometry(64, 8, 8)).toEqual([])
    expect(checkGeometry(64, 1, 8).map((c) => c.says)).toEqual(["one tile has 64 inputs"])
  })
})
