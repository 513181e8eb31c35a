import { describe, expect, it } from "vitest"
import { packaged } from "../data/packaged.ts"
import { type PaperFigure, type Row, readerOf, wordOf } from "../paper.ts"

const [table2, table4] = [packaged("fitfly/table2"), packaged("fitfly/table4")]

const rowsOf = (figure: PaperFigure): readonly Row[] => figure.rows({}, "full", readerOf(figure.inspect?.() ?? {}))

describe("algorithms.md 9, P1: tables of the Fit Fly paper", () => {
  it("Table 2 is exact but for the global connections of Slim Fly and Fit Fly", () => {
    const rows = rowsOf(table2)
    expect(rows.length).toBe(36)
    expect(rows.filter((r) => r.pass !== true)).toEqual([])
    const wrong = rows.filter((r) => r.value !== r.paper)
    // 26 x 169 and 52 x 169; and a dragonfly that uses 35 of 36 ports
    expect(wrong.map((r) => [r.paper, r.value])).toEqual([
      [4732, 4394],
      [9464, 8788],
      [36, 35],
    ])
    expect(wrong.map(wordOf)).toEqual(["misprint", "misprint", "definition"])
    expect(rows.filter((r) => wordOf(r) === "agrees").length).toBe(33)
  })
  it("Table 4 is exact but for two products: 676 x 19,803 and 360 x 25,633", () => {
    const rows = rowsOf(table4)
    expect(rows.length).toBe(36)
    expect(rows.filter((r) => r.pass !== true)).toEqual([])
    const wrong = rows.filter((r) => typeof r.paper === "number" && r.value !== r.paper)
    expect(wrong.map((r) => [r.paper, r.value])).toEqual([
      [13868828, 676 * 19803],
      [9277880, 360 * 25633],
    ])
    expect(wrong.map(wordOf)).toEqual(["misprint", "misprint"])
    expect(rows.filter((r) => wordOf(r) === "agrees").length).toBe(34)
  })
  it("a wrong network fails: the rows compare with what was printed", () => {
    const row = table2.rows({}, "full", () => 3042).find((r) => r.claim === "Slim Fly: nodes")!
    expect(row).toEqual({ claim: "Slim Fly: nodes", paper: 3042, value: 3042, low: 3042, high: 3042, pass: true })
  })
})
