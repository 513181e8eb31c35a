import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { around, hopsAgree, made, refused, sound } from "../../test/contract/topology-checks.ts"
import clos from "./clos.ts"
import oft from "./oft.ts"
import xgft from "./xgft.ts"

const three = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 3, maxLength: 3 })

describe("xgft", () => {
  it("a 4-ary 3-tree is XGFT(3; 4,4,4; 1,4,4): 64 endpoints, 3 levels of 16 routers (algorithms.md 1.6)", () => {
    const t = made(xgft, { m: "4x4x4", w: "1x4x4" })
    sound(t)
    expect([t.graph.ends, t.graph.routers]).toEqual([64, 48])
    expect([0, 16, 32].map((r) => t.levelOf(r))).toEqual([1, 2, 3])
    // leaf to leaf: 0, 2 or 4 links; leaf 0 shares level 2 with leaves 1..3
    expect([1, 3, 4, 15].map((leaf) => t.hops(0, leaf))).toEqual([2, 2, 4, 4])
  })
  it("slimmed: 24 endpoints, 6 leaves, 2 routers above instead of 4", () => {
    const t = made(xgft, { m: "4x6", w: "1x2" })
    expect(around(t.graph, 0)).toEqual([6, 7])
    expect(t.graph.ends / (around(t.graph, 0).length * 6)).toBe(2)
  })
  it("ports lead where they say, for every router and endpoint", () => {
    fc.assert(
      fc.property(three, three, three, fc.integer({ min: 1, max: 3 }), (m, w, links, levels) => {
        const t = made(xgft, { m: m.slice(0, levels), w: w.slice(0, levels), links: [1, ...links.slice(1, levels)] })
        sound(t)
        hopsAgree(t)
        const { graph } = t
        for (let r = 0; r < graph.routers; r++) {
          const level = t.levelOf(r)
          const toward = (port: number, k: number) => graph.routerOf[graph.far[graph.firstChan[r] + port + k]]
          for (let e = 0; e < graph.ends; e++) {
            if (!t.isAbove(r, e)) continue
            if (level === 1) expect(graph.far[graph.firstChan[r] + t.downPort(r, e)]).toBe(-2 - e)
            else for (let k = 0; k < t.links[level]; k++) expect(t.isAbove(toward(t.downPort(r, e), k), e)).toBe(true)
          }
          if (level === t.levels) continue
          const parents = Array.from({ length: t.w[level + 1] }, (_, b) => toward(t.upPort(r, b), 0))
          expect(new Set(parents).size).toBe(t.w[level + 1])
          for (const parent of parents) expect(t.levelOf(parent)).toBe(level + 1)
        }
      }),
      { numRuns: 40 },
    )
  })
  it("w_1 = 2: every endpoint has a rail in each of two separate trees", () => {
    const t = made(xgft, { m: "2x2", w: "2x2" })
    sound(t)
    expect(t.graph.rails).toBe(2)
    expect([t.routerOf(3, 0), t.routerOf(3, 1)]).toEqual([2, 3])
    expect(t.hops(2, 3)).toBe(Number.POSITIVE_INFINITY)
  })
  it("refuses lists of different lengths", () => {
    expect(refused(xgft, { m: "4x4", w: "1" })).toEqual(["w: has 1 levels, m has 2; give 2 numbers of parents"])
    expect(refused(xgft, { m: "4x4", w: "1x4", links: "2x1" }).join()).toContain("set it to 1")
    expect(refused(xgft, { m: "4x0", w: "1x4" }).join()).toContain("m.1: 0 is too small")
  })
})

describe("clos", () => {
  it("any legal sizes: every leaf meets every spine `links` times", () => {
    const n = fc.integer({ min: 1, max: 6 })
    fc.assert(
      fc.property(n, n, n, n, (leaves, spines, p, links) => {
        const t = made(clos, { leaves, spines, p, links })
        sound(t)
        hopsAgree(t)
        const spine = (s: number) => new Array<number>(links).fill(leaves + s)
        expect(around(t.graph, 0)).toEqual(Array.from({ length: spines }, (_, s) => spine(s)).flat())
      }),
      { numRuns: 40 },
    )
  })
  it("24-ary 2-tree of the QoS paper: 576 endpoints, 48 routers of 48 ports (algorithms.md 1.6)", () => {
    const t = made(clos, { leaves: 24, spines: 24, p: 24, links: 1 })
    expect([t.graph.ends, t.graph.routers, t.graph.firstChan[1]]).toEqual([576, 48, 48])
    const full = made(clos, { leaves: 48, spines: 24, p: 24, links: 1 })
    expect(full.graph.firstChan[49] - full.graph.firstChan[48]).toBe(48)
  })
})

describe("orthogonal fat tree", () => {
  it.each([2, 3, 4, 5])(
    "q = %i: 2 (q+1)(q²+q+1) endpoints on routers of 2 (q+1) ports, two leaves share one spine",
    (q) => {
      const t = made(oft, { q })
      sound(t)
      hopsAgree(t)
      const lines = q * q + q + 1
      expect(t.graph.ends).toBe(2 * (q + 1) * lines)
      for (let r = 0; r < t.graph.routers; r++)
        expect(t.graph.firstChan[r + 1] - t.graph.firstChan[r]).toBe(2 * (q + 1))
      for (let leaf = 1; leaf < t.leaves; leaf++) {
        const both = around(t.graph, 0).filter((s) => around(t.graph, leaf).includes(s))
        expect(both.length).toBe(leaf === lines ? q + 1 : 1)
        expect(both[0]).toBe(t.common(0, leaf))
      }
    },
  )
  it("q = 6 has no plane", () => expect(refused(oft, { q: 6 }).join()).toContain("choose q = 5 or 7"))
})
