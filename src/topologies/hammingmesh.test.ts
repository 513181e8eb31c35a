// Closed forms of HammingMesh and of a torus of blocks, and their routings proved free of deadlock.
import { describe, expect, it, test } from "vitest"
import { made, refused } from "../../test/contract/topology-checks.ts"
import { Draws } from "../core/rng.ts"
import type { RoutingPlugin } from "../model/plugin.ts"
import type { Topology } from "../model/topology.ts"
import { measure } from "../proof/measures.ts"
import { prove } from "../proof/prove.ts"
import hammingOrder from "../routing/hammingmesh/dimension-order.ts"
import torusOrder from "../routing/torus/dimension-order.ts"
import hammingmesh from "./hammingmesh.ts"
import torus from "./torus.ts"

function proofOf<P, T extends Topology>(topology: T, plugin: RoutingPlugin<P, T>, vcs: number) {
  const params = plugin.params.parse({}, "")
  if ("bad" in params) throw new Error(JSON.stringify(params.bad))
  const routing = plugin.make(params.ok as P, { topology, vcs, rng: new Draws(1) })
  return prove({ topology, routing, vcs, scratch: 4, candidates: 4, fold: vcs < 2 })
}

/**
 * Links between the two farthest accelerators in a line of `boards` boards with `side` accelerators: over the mesh of a
 * board, or from the nearer edge of a board to the switch and on to the nearer edge of another one.
 */
function reach(side: number, boards: number): number {
  const edge = Math.floor((side - 1) / 2)
  const between = 2 * edge + 2
  if (boards > 1) return between
  // One board: the line and the switch close a ring of side + 1 routers.
  return Math.floor((side + 1) / 2)
}

describe("HammingMesh", () => {
  const sizes = [
    { a: 2, b: 2, x: 4, y: 4 },
    { a: 4, b: 4, x: 3, y: 2 },
    { a: 3, b: 5, x: 2, y: 2 },
    { a: 1, b: 1, x: 5, y: 4 },
    { a: 5, b: 2, x: 1, y: 3 },
  ]
  it.each(sizes)("diameter, degrees and links of %o", (size) => {
    const { a, b, x, y } = size
    const t = made(hammingmesh, size)
    const [columns, rows] = [a * x, b * y]
    const accelerators = columns * rows
    let diameter = 0
    for (let e = 0; e < accelerators; e++) diameter = Math.max(diameter, t.hops(0, e))
    let farthest = 0
    for (let i = 0; i < accelerators; i++)
      for (let j = 0; j < accelerators; j++) farthest = Math.max(farthest, t.hops(i, j))
    // Rows and columns are independent, so the lengths of both dimensions add up.
    expect(farthest).toBe(reach(a, x) + reach(b, y))
    expect(diameter).toBeLessThanOrEqual(farthest)
    // An accelerator has four links, the switch of a row two for each board, that of a column likewise.
    const degree = (r: number) => {
      let n = 0
      for (let c = t.graph.firstChan[r]; c < t.graph.firstChan[r + 1]; c++) if (t.graph.far[c] >= 0) n++
      return n
    }
    for (let r = 0; r < t.graph.routers; r++)
      expect(degree(r)).toBe(t.isAccelerator(r) ? 4 : t.dimensionOf(r) === 0 ? 2 * x : 2 * y)
    expect(t.graph.routers).toBe(accelerators + rows + columns)
  })
  it("bisection: each switch of a row is cut from half of its boards, two links to each", () => {
    // 8 rows and 8 columns of 4 boards: 8 x 2 x 4 / 2 links, whichever dimension is cut.
    const { bisection } = measure(made(hammingmesh, { a: 2, b: 2, x: 4, y: 4 }))
    expect(bisection?.links).toBe((8 * 2 * 4) / 2)
    // Rows of 6 boards are longer than columns of 2, so columns are cut: 12 columns with 2 boards.
    expect(measure(made(hammingmesh, { a: 2, b: 2, x: 6, y: 2 })).bisection?.links).toBe((12 * 2 * 2) / 2)
  })
  it.each(sizes)("dimension order is free of deadlock with two VCs on %o", (size) => {
    expect(proofOf(made(hammingmesh, size), hammingOrder, 2)).toMatchObject({ free: true, by: "order", faults: [] })
  })
})

describe("a torus of blocks", () => {
  const size = { sides: "8x8x4", p: 1, blocks: "4x4x4" }
  test("a block of 4 x 4 x 4 has 96 optical ports: each ring has one optical link for each block", () => {
    const t = made(torus, size)
    const of = (name: string) => {
      const kind = t.graph.classes.indexOf(name)
      return t.graph.linkClass.filter((k, c) => k === kind && t.graph.far[c] >= 0).length / 2
    }
    // Four blocks; in each dimension, a block has 16 rings, and each ring crosses its far side once.
    expect(of("optical")).toBe(4 * 3 * 16)
    expect(of("optical") + of("link")).toBe(3 * 256)
  })
  test("the routing of the torus stays free of deadlock, and distances stay", () => {
    const [with_, without] = [made(torus, size), made(torus, { sides: "8x8x4", p: 1 })]
    expect(proofOf(with_, torusOrder, 2)).toMatchObject({ free: true, by: "order", faults: [] })
    for (let r = 0; r < 256; r++) expect(with_.hops(0, r)).toBe(without.hops(0, r))
  })
  test("blocks divide each side", () => {
    for (const blocks of ["3x4x4", "4x4"])
      expect(refused(torus, { ...size, blocks })).toEqual([expect.stringContaining("does not divide")])
  })
})
