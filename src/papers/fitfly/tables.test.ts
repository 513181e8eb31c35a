import { describe, expect, it } from "vitest"
import table2 from "./table2.ts"
import table4 from "./table4.ts"

describe("algorithms.md 9, P1: tables of the Fit Fly paper", () => {
  it("Table 2 is exact but for the global connections of Slim Fly and Fit Fly", () => {
    const rows = table2.rows()
    expect(rows.length).toBe(36)
    expect(rows.filter((r) => r.pass !== true)).toEqual([])
    const wrong = rows.filter((r) => r.value !== r.paper)
    // 26 x 169 and 52 x 169; and a dragonfly that uses 35 of 36 ports
    expect(wrong.map((r) => [r.paper, r.value])).toEqual([
      [4732, 4394],
      [9464, 8788],
      [36, 35],
    ])
    for (const r of wrong.slice(0, 2)) expect(r.note).toContain("misprint")
  })
  it("Table 4 is exact but for two products: 676 x 19,803 and 360 x 25,633", () => {
    const rows = table4.rows()
    expect(rows.length).toBe(36)
    expect(rows.filter((r) => r.pass !== true)).toEqual([])
    const wrong = rows.filter((r) => typeof r.paper === "number" && r.value !== r.paper)
    expect(wrong.map((r) => [r.paper, r.value])).toEqual([
      [13868828, 676 * 19803],
      [9277880, 360 * 25633],
    ])
    for (const r of wrong) expect(r.note).toContain("misprint")
  })
  it("a wrong network fails: the rows compare with what was printed", () => {
    const row = table2.rows().find((r) => r.claim === "Slim Fly: nodes")!
    expect(row).toEqual({ claim: "Slim Fly: nodes", paper: 3042, value: 3042, low: 3042, high: 3042, pass: true })
  })
})
