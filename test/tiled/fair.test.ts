// Inputs of a tiled switch that request one output all the time get equal shares of it, whatever the seed.
import { describe, expect, test } from "vitest"
import { stream } from "../../src/reproduce/papers/stashing/network.ts"
import { engineOf, one } from "../support/tiled.ts"

const ASKERS = [0, 1, 2, 3, 4, 5, 6]
const [WARM, END] = [8000, 28_000]

/** Packets of each input that reach output 7 of one switch in 20,000 cycles, as a part of their mean. */
function shares(params: Record<string, unknown>, seed: number): number[] {
  const traffic = ASKERS.map((e) =>
    stream(`s${e}`, 1, { pattern: { name: "to-set", set: [7] }, from: [e], packet: { name: "fixed", size: "4flits" } }),
  )
  const engine = engineOf({ ...one(8, { vcs: 2, ...params }, traffic), seed }, 1)
  const accepted = () => ASKERS.map((s) => 4 * engine.stat("delivered", s))
  engine.advance(WARM)
  const before = accepted()
  engine.advance(END)
  const got = accepted().map((x, i) => x - before[i])
  expect(engine.audit()).toEqual([])
  const sum = got.reduce((a, b) => a + b, 0)
  // the output is never idle
  expect(sum).toBeGreaterThan(0.98 * (END - WARM))
  return got.map((x) => (7 * x) / sum)
}

describe("seven inputs that request one output", () => {
  const small = { buffer: "64flits", packet: "4flits", reserve: "4flits" }
  for (const [name, params] of Object.entries({ "large buffers": {}, "small buffers": small }))
    test(`of one tile with ${name} get a seventh each, in every one of 12 seeds`, () => {
      const least = Array.from({ length: 12 }, (_, i) => Math.min(...shares({ rows: 1, columns: 1, ...params }, i + 1)))
      // packets draw one of two VCs on the last link, so demands on a VC are equal on average only: some per cent in
      // 700 packets of an input
      for (const x of least) expect(x).toBeGreaterThan(0.9)
      expect(least.reduce((a, b) => a + b, 0) / 12).toBeGreaterThan(0.95)
    })

  test("on one VC get exactly a seventh each", () => {
    for (const seed of [5, 6, 8, 11])
      for (const x of shares({ rows: 1, columns: 1, eject: "last" }, seed)) expect(Math.abs(x - 1)).toBeLessThan(0.01)
  })

  test("in two rows of tiles share what their row gets: rows take turns", () => {
    // 4 askers in the first row, 3 in the second: 7 / 8 and 7 / 6 of an equal share
    const got = shares({ rows: 2, columns: 2, eject: "last" }, 5)
    for (const e of ASKERS) expect(Math.abs(got[e] - (e < 4 ? 7 / 8 : 7 / 6))).toBeLessThan(0.01)
  })
})
