import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { around, hopsAgree, made, refused, sound } from "../../test/contract/topology-checks.ts"
import fitfly from "./fitfly.ts"
import slimfly from "./slimfly.ts"

describe("algorithms.md 1.4: Slim Fly", () => {
  // N_r = 2 q², k' = (3q - d) / 2, diameter 2; (0,0) of each half stands for all others
  const table = [
    [3, 18, 5],
    [4, 32, 6],
    [5, 50, 7],
    [7, 98, 11],
    [8, 128, 12],
    [9, 162, 13],
    [11, 242, 17],
    [13, 338, 19],
    [16, 512, 24],
    [17, 578, 25],
    [19, 722, 29],
    [25, 1250, 37],
    [27, 1458, 41],
  ] as const
  it.each(table)("q = %i: %i routers of degree %i, diameter 2", (q, routers, degree) => {
    const t = made(slimfly, { q, p: 1 })
    sound(t)
    expect(t.graph.routers).toBe(routers)
    for (let r = 0; r < routers; r++) expect(new Set(around(t.graph, r)).size).toBe(degree)
    expect(hopsAgree(t, q <= 9 ? undefined : [0, q * q, q + 2])).toBe(2)
  })
  const sets = [
    [4, [1, 3], [2, 1]],
    [5, [1, 4], [2, 3]],
    [7, [1, 2, 6, 5], [3, 6, 4, 1]],
    [8, [1, 4, 7, 6], [2, 5, 3, 1]],
    [9, [1, 7, 2, 5], [3, 8, 6, 4]],
    [13, [1, 4, 3, 12, 9, 10], [2, 8, 6, 11, 5, 7]],
  ] as const
  it.each(sets)("q = %i: generator sets, closed under negation", (q, x, y) => {
    const { plane } = made(slimfly, { q, p: 1 })
    expect(plane.generators).toEqual([x, y])
    for (const set of plane.generators) expect(new Set(set.map((e) => plane.field.neg(e)))).toEqual(new Set(set))
  })
  it("q = 5: router (0,0,0) has neighbours 1, 4, 25, 30, 35, 40, 45", () => {
    expect(around(made(slimfly, { q: 5 }).graph, 0)).toEqual([1, 4, 25, 30, 35, 40, 45])
  })
  it("q = 13, p = 9: 3042 endpoints, 26 groups, radix 28, 3211 links", () => {
    const t = made(slimfly, { q: 13, p: 9 })
    expect(t.graph.ends).toBe(3042)
    expect(new Set(t.group).size).toBe(26)
    expect(t.graph.firstChan[1]).toBe(28)
    // 338 * 19 / 2
    expect((t.graph.chans - 3042) / 2).toBe(3211)
    // 26 columns of 13 * 6 / 2 local links; 13 * 13 * 13 global ones, 169 from each group
    const count = (cls: number) => t.graph.linkClass.reduce((n, c) => n + (c === cls ? 1 : 0), 0) / 2
    expect([count(1), count(2)]).toEqual([26 * 39, 2197])
  })
})

describe("golden: path lengths that INRFlow printed for a Slim Fly with its usual number of endpoints", () => {
  // endpoints 0, 1 and 2 links from endpoint 0 (itself included)
  it.each([
    [3, [3, 15, 36]],
    [5, [4, 28, 168]],
  ])("q = %i", (q, expected) => {
    const t = made(slimfly, { q })
    const at = [0, 0, 0]
    for (let e = 0; e < t.graph.ends; e++) at[t.hops(0, t.routerOf(e))]++
    expect(at).toEqual(expected)
  })
})

describe("algorithms.md 2.6: what routing asks of a Slim Fly", () => {
  it("q = 13: 312 routers share exactly 1 common neighbour with router 0, and 6 share 3", () => {
    const t = made(slimfly, { q: 13, p: 1 })
    const out = new Int32Array(t.plane.degree)
    const shares: Record<number, number> = {}
    for (let b = 1; b < 338; b++) {
      if (t.hops(0, b) !== 2) continue
      const n = t.commons(0, b, out)
      shares[n] = (shares[n] ?? 0) + 1
    }
    expect(shares).toEqual({ 1: 312, 3: 6 })
  })
  it.each([3, 4, 5, 7, 8, 9])("q = %i: ports, neighbours and common neighbours agree with the graph", (q) => {
    const t = made(slimfly, { q, p: 2 })
    const { routers } = t.graph
    const near = Array.from({ length: routers }, (_, r) => new Set(around(t.graph, r)))
    const out = new Int32Array(t.plane.degree)
    for (let a = 0; a < routers; a += q > 5 ? q - 2 : 1) {
      for (let port = 2; port < 2 + t.plane.degree; port++) {
        const b = t.neighbour(a, port)
        expect(t.portTo(a, b)).toBe(port)
        expect(t.graph.routerOf[t.graph.far[t.graph.firstChan[a] + port]]).toBe(b)
      }
      for (let b = 0; b < routers; b++) {
        if (a === b) continue
        expect(t.adjacent(a, b)).toBe(near[a].has(b))
        const both = [...near[a]].filter((c) => near[b].has(c)).sort((x, y) => x - y)
        expect([...out.subarray(0, t.commons(a, b, out))].sort((x, y) => x - y)).toEqual(both)
        expect(t.common(a, b)).toBe(both[0] ?? -1)
      }
    }
  })
})

describe("algorithms.md 1.5: Fit Fly", () => {
  it("mirrors the odd planes: endpoints 0, 13 and 3041 of q = 13", () => {
    const t = made(fitfly, { q: 13, p: 9 })
    const homes = (e: number) => [0, 1].map((rail) => t.graph.routerOf[t.graph.home[e * 2 + rail]] - rail * 338)
    expect(homes(0)).toEqual([0, 337])
    expect(homes(3041)).toEqual([337, 0])
    expect(homes(13)).toEqual([1, 336])
    // router 0 = (0,0,0), router 337 = (1,12,12)
    expect(t.label(338 + 337)).toBe("plane 1 (1,12,12)")
    expect([t.routerOf(13, 0), t.routerOf(13, 1)]).toEqual([1, 338 + 336])
  })
  it("has 2 planes with no link between them, twice the routers and channels, as many endpoints", () => {
    const t = made(fitfly, { q: 5, p: 3 })
    sound(t)
    expect(t.graph.routers).toBe(100)
    expect(t.graph.ends).toBe(150)
    expect(hopsAgree(t)).toBe(2)
    expect(t.hops(0, 50)).toBe(Number.POSITIVE_INFINITY)
    expect(t.portTo(0, 51)).toBe(-1)
    expect(t.common(50, 52)).toBe(t.common(0, 2) + 50)
  })
  it("three planes: 0 and 2 alike, 1 mirrored", () => {
    const t = made(fitfly, { q: 4, p: 1, rails: 3 })
    sound(t)
    expect([0, 1, 2].map((plane) => t.routerOf(5, plane) - plane * 32)).toEqual([5, 26, 5])
  })
})

describe("any legal q and p", () => {
  it("is sound, of degree (3q - d) / 2 and diameter 2", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(3, 4, 5, 7, 8, 9),
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 3 }),
        (q, p, rails) => {
          const t = made(fitfly, { q, p, rails })
          sound(t)
          expect(hopsAgree(t, [0, q * q, q * q * 2 * (rails - 1) + 1])).toBe(2)
        },
      ),
      { numRuns: 25 },
    )
  })
})

describe("bad input", () => {
  it.each([
    [6, "choose q = 5 or 7"],
    [12, "choose q = 11 or 13"],
    [2, "choose q = 3"],
    [1, "too small"],
    [100, "choose q = 101 or 97"],
  ])("q = %i", (q, fix) => expect(refused(slimfly, { q }).join()).toContain(fix))
  it("no endpoints", () => expect(refused(slimfly, { q: 5, p: 0 }).join()).toContain("p: 0 is too small"))
})
