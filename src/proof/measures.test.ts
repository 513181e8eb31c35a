import { describe, expect, it } from "vitest"
import { made } from "../../test/contract/topology-checks.ts"
import type { Topology } from "../model/topology.ts"
import butterfly from "../topologies/butterfly.ts"
import cascade from "../topologies/cascade.ts"
import clos from "../topologies/clos.ts"
import dragonfly from "../topologies/dragonfly.ts"
import fitfly from "../topologies/fitfly.ts"
import hypercube from "../topologies/hypercube.ts"
import hyperx from "../topologies/hyperx.ts"
import jellyfish from "../topologies/jellyfish.ts"
import megafly from "../topologies/megafly.ts"
import oft from "../topologies/oft.ts"
import polarfly from "../topologies/polarfly.ts"
import slimfly from "../topologies/slimfly.ts"
import torus from "../topologies/torus.ts"
import tree from "../topologies/tree.ts"
import xgft from "../topologies/xgft.ts"
import { measure } from "./measures.ts"

const graphOnly = { bisection: false }

describe("algorithms.md 1.5: mean routers visited on shortest paths", () => {
  it("Slim Fly q = 13, p = 9: 2.93851; shares 0.263, 5.623, 94.114 %", () => {
    const m = measure(made(slimfly, { q: 13, p: 9 }), graphOnly)
    expect(m.meanHops).toBeCloseTo(2.93851, 5)
    expect(m.hops.map((s) => (100 * s).toFixed(3))).toEqual(["0.000", "0.263", "5.623", "94.114"])
    expect(m).toMatchObject({
      endpoints: 3042,
      routers: 338,
      links: 3211,
      radix: 28,
      diameter: 2,
      groups: 26,
      error: 0,
    })
    expect(m.linksByClass).toEqual({ end: 3042, local: 1014, global: 2197 })
  })
  it("Fit Fly of two planes: best of both 2.88524, 10.950 % of pairs at one link", () => {
    const m = measure(made(fitfly, { q: 13, p: 9 }), graphOnly)
    expect(m.meanHops).toBeCloseTo(2.88524, 5)
    expect((100 * m.hops[2]).toFixed(3)).toBe("10.950")
    expect(m).toMatchObject({ endpoints: 3042, routers: 676, links: 6422, rails: 2, connected: true })
  })
  it("algorithms.md 9: megafly of P1, minimal 3.89", () => {
    const m = measure(made(megafly, { groups: 10, leaves: 18, spines: 18, p: 18 }), graphOnly)
    // same leaf 1, same group 3, other groups 4
    const expected = (17 * 1 + 17 * 18 * 3 + 9 * 324 * 4) / 3239
    expect(m.meanHops).toBeCloseTo(expected, 10)
    expect(m.meanHops.toFixed(2)).toBe("3.89")
  })
})

describe("algorithms.md 1.1: dragonfly 11 x 56 x 5", () => {
  it.each(["palmtree", "absolute", "relative"])(
    "%s: distances 0.16, 2.44, 16.23, 81.17 %, mean 2.784 links",
    (arrangement) => {
      const m = measure(made(dragonfly, { p: 5, a: 11, h: 5, arrangement }), graphOnly)
      expect(m.distances.map((s) => (100 * s).toFixed(2))).toEqual(["0.16", "2.44", "16.23", "81.17"])
      expect(m.distances.reduce((sum, s, d) => sum + s * d, 0).toFixed(3)).toBe("2.784")
      expect(m).toMatchObject({ endpoints: 3080, routers: 616, radix: 20, groups: 56 })
    },
  )
})

describe("closed forms", () => {
  it("2-ary 3-fly, one way: every pair visits 3 routers, 8 one-way links from stage to stage", () => {
    const m = measure(made(butterfly, { k: 2, n: 3 }))
    expect(m.hops).toEqual([0, 0, 0, 1])
    expect(m).toMatchObject({ meanHops: 3, links: 16, connected: true })
  })
  it("torus 8 x 8: bisection 2 * 8, mean links 4 * 64 / 63", () => {
    const m = measure(made(torus, { sides: "8x8", p: 1 }))
    expect(m.bisection?.links).toBe(16)
    expect(m.meanLinks).toBeCloseTo((4 * 64) / 63, 12)
  })
  it("HyperX 8 x 8: bisection 8 * 4 * 4 (algorithms.md 1.7: 448 links)", () => {
    const m = measure(made(hyperx, { sides: "8x8", p: 8 }))
    expect(m).toMatchObject({ links: 448, diameter: 2, radix: 22, endpoints: 512 })
    expect(m.bisection?.links).toBe(128)
  })
  it("hypercube n = 4, p = 1: mean 1 + 4 * 8 / 15, distances 1 4 6 4 1 of 16", () => {
    const m = measure(made(hypercube, { n: 4, p: 1 }))
    expect(m.meanHops).toBeCloseTo(1 + 32 / 15, 12)
    expect(m.meanLinks).toBeCloseTo(32 / 15, 12)
    expect(m.distances.map((s) => s * 16)).toEqual([1, 4, 6, 4, 1])
    expect(m.bisection?.links).toBe(8)
  })
  it("bisections: n-cube 2^(n-1); full trees half of the endpoints; tapered 2:1 half of that", () => {
    expect(measure(made(hypercube, { n: 7, p: 3 })).bisection?.links).toBe(64)
    expect(measure(made(xgft, { m: "4x4x4", w: "1x4x4" })).bisection).toMatchObject({ links: 32, perEndpoint: 1 })
    expect(measure(made(clos, { leaves: 8, spines: 4, p: 4, links: 1 })).bisection?.perEndpoint).toBe(1)
    expect(measure(made(clos, { leaves: 8, spines: 2, p: 4, links: 1 })).bisection?.perEndpoint).toBe(0.5)
  })
  it("bisection of two planes cuts both at the same endpoints", () => {
    const one = measure(made(slimfly, { q: 5, p: 2 })).bisection!.links
    expect(measure(made(fitfly, { q: 5, p: 9 })).bisection!.links).toBeGreaterThanOrEqual(2 * one)
    // two endpoints on each router: it is cheaper to cut the 50 rails of one half than the second plane
    expect(measure(made(fitfly, { q: 5, p: 2 })).bisection!.links).toBe(one + 50)
  })
})

describe("symmetry and sampling", () => {
  const symmetric: [string, Topology][] = [
    ["slimfly 7", made(slimfly, { q: 7, p: 2 })],
    ["slimfly 8", made(slimfly, { q: 8, p: 2 })],
    ["fitfly 5", made(fitfly, { q: 5, p: 2 })],
    ["fitfly 9, 3 planes", made(fitfly, { q: 9, p: 1, rails: 3 })],
    ["megafly", made(megafly, { groups: 7, leaves: 3, spines: 4, p: 2, h: 2 })],
    ["polarfly 7", made(polarfly, { q: 7 })],
    ["polarfly 8", made(polarfly, { q: 8 })],
    ["hypercube", made(hypercube, { n: 6, p: 2 })],
    ["xgft", made(xgft, { m: "3x2x4", w: "1x3x2" })],
    ["xgft of two rails", made(xgft, { m: "3x2", w: "2x2" })],
    ["clos", made(clos, { leaves: 5, spines: 3, p: 2, links: 2 })],
    ["oft", made(oft, { q: 3 })],
    ["torus", made(torus, { sides: "3x4x5", p: 2, trunk: 2 })],
    ["tree", made(tree, { k: 3, n: 3 })],
    ["hyperx", made(hyperx, { sides: "3x4", p: 2 })],
    ["dragonfly", made(dragonfly, { p: 2, a: 4, h: 2 })],
    ["dragonfly of CODES", made(dragonfly, { p: 2, a: 6, h: 3, g: 10, arrangement: "codes" })],
  ]
  it.each(symmetric)("%s: representatives give what all routers give", (_, t) => {
    const all = measure(t, graphOnly)
    const few = measure(t, { ...graphOnly, all: 0 })
    expect(all.from).toBe("every router")
    expect(few.from).toContain("symmetry")
    expect(few.meanHops).toBeCloseTo(all.meanHops, 12)
    expect(few.hops).toEqual(all.hops.map((s) => expect.closeTo(s, 12)))
    expect(few.distances).toEqual(all.distances.map((s) => expect.closeTo(s, 12)))
  })
  it("classes that do not add up are not used", () => {
    const t = made(megafly, { groups: 5, leaves: 3, spines: 4, p: 4 })
    const wrong: Topology = { name: t.name, graph: t.graph, hops: () => 0, label: String, representatives: [0, 3] }
    expect(measure(wrong, { ...graphOnly, all: 0, sample: 1e5 }).from).toContain("sample")
  })
  it("a sample of a random graph comes within four standard errors", () => {
    const t = made(jellyfish, { routers: 400, r: 5, p: 1 })
    const all = measure(t, graphOnly)
    const some = measure(t, { ...graphOnly, all: 0, sample: 40 * (t.graph.chans + 4000) })
    expect(some.from).toBe("sample: 40 of 400 routers, drawn at random")
    expect(some.error).toBeGreaterThan(0)
    expect(Math.abs(some.meanHops - all.meanHops)).toBeLessThan(4 * some.error)
  })
  it("counts parallel links and says where a network falls apart", () => {
    const m = measure(made(cascade, { groups: 2, rows: 2, columns: 4, bundle: 2, p: 1 }), graphOnly)
    // in each group 2 rows of 6 green, 4 columns of 3 black; 2 rows x 2 routers x 2 blue
    expect(m.linksByClass).toEqual({ end: 16, green: 24, black: 24, blue: 8 })
    expect(m.degrees).toEqual({ 6: 8, 8: 8 })
    expect(m.connected).toBe(true)
  })
})
