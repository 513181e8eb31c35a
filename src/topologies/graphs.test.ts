import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { around, hopsAgree, made, refused, sound } from "../../test/contract/topology-checks.ts"
import cascade from "./cascade.ts"
import hypercube from "./hypercube.ts"
import jellyfish from "./jellyfish.ts"
import polarfly from "./polarfly.ts"

describe("hypercube", () => {
  it("any n and p: n neighbours that differ in one bit, diameter n", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 7 }), fc.integer({ min: 1, max: 3 }), (n, p) => {
        const t = made(hypercube, { n, p })
        sound(t)
        expect(hopsAgree(t)).toBe(n)
        expect(around(t.graph, 0)).toEqual(Array.from({ length: n }, (_, d) => 2 ** d))
        expect(t.label(1)).toBe("1".padStart(n, "0"))
      }),
    )
  })
  it("n = 25 is refused", () => expect(refused(hypercube, { n: 25 }).join()).toContain("at most 24"))
})

describe("polarfly", () => {
  it.each([2, 3, 4, 5, 7, 8, 9, 11])(
    "q = %i: q² + q + 1 routers, q + 1 quadrics of degree q, one common neighbour, diameter 2",
    (q) => {
      const t = made(polarfly, { q })
      sound(t)
      const n = q * q + q + 1
      expect(t.graph.routers).toBe(n)
      expect(hopsAgree(t)).toBe(2)
      let quadrics = 0
      for (let r = 0; r < n; r++) {
        const near = around(t.graph, r)
        expect(near.length).toBe(t.isQuadric(r) ? q : q + 1)
        if (t.isQuadric(r)) quadrics++
        near.forEach((v, i) => {
          expect(t.portTo(r, v)).toBe(t.p + i)
        })
        expect(t.portTo(r, r)).toBe(-1)
        for (let s = 0; s < n; s += 3) {
          if (t.hops(r, s) !== 2) continue
          expect(near.filter((v) => t.adjacent(v, s))).toEqual([t.common(r, s)])
        }
      }
      expect(quadrics).toBe(q + 1)
    },
  )
  it("q = 7: racks of the paper: the 8 quadrics and 7 racks of 7, no link between two quadrics", () => {
    const t = made(polarfly, { q: 7 })
    const sizes = new Map<number, number>()
    for (const g of t.group) sizes.set(g, (sizes.get(g) ?? 0) + 1)
    expect([...sizes].sort((a, b) => a[0] - b[0])).toEqual([[0, 8], ...[1, 2, 3, 4, 5, 6, 7].map((g) => [g, 7])])
    // a fan: the centre is next to all others of its rack, which are linked in pairs: 6 + 3 links in each of 7 racks
    expect(t.graph.linkClass.reduce((n, c) => n + (c === 1 ? 0.5 : 0), 0)).toBe(7 * 9)
  })
  it("representatives: quadrics 8, then 28 and 21 others at q = 7; nucleus 1, quadrics 5, others 15 at q = 4", () => {
    expect([...made(polarfly, { q: 7 }).classSizes].sort((a, b) => a - b)).toEqual([8, 21, 28])
    expect([...made(polarfly, { q: 4 }).classSizes].sort((a, b) => a - b)).toEqual([1, 5, 15])
  })
  it("q = 6 and 12 are refused", () => {
    expect(refused(polarfly, { q: 6 }).join()).toContain("choose q = 5 or 7")
    expect(refused(polarfly, { q: 12 }).join()).toContain("choose q = 11 or 13")
  })
})

describe("jellyfish", () => {
  const legal = fc
    .tuple(fc.integer({ min: 2, max: 40 }), fc.integer({ min: 1, max: 12 }), fc.nat(1000))
    .filter(([n, r]) => r < n && (n * r) % 2 === 0 && (r > 1 || n === 2))
  it("is regular, simple and connected for any legal n and r", () => {
    fc.assert(
      fc.property(legal, ([routers, r, seed]) => {
        const t = made(jellyfish, { routers, r, p: 1, seed })
        sound(t)
        expect(Number.isFinite(hopsAgree(t))).toBe(true)
        for (let v = 0; v < routers; v++) {
          expect(new Set(around(t.graph, v)).size).toBe(r)
          expect(t.hops(0, v)).toBeLessThan(routers)
        }
      }),
      { numRuns: 150 },
    )
  })
  it("the same seed gives the same graph, another seed another", () => {
    const far = (seed: number) => [...made(jellyfish, { routers: 30, r: 5, seed }).graph.far]
    expect(far(7)).toEqual(far(7))
    expect(far(7)).not.toEqual(far(8))
  })
  it("all 3-regular graphs on 6 vertices occur: prism and K3,3 in the ratio of 60 to 10 labelled ones", () => {
    let withTriangle = 0
    for (let seed = 0; seed < 600; seed++) {
      const t = made(jellyfish, { routers: 6, r: 3, seed })
      if (around(t.graph, 0).some((a) => around(t.graph, 0).some((b) => around(t.graph, a).includes(b)))) withTriangle++
    }
    // 60 / 70 of 600 = 514, standard deviation 8.6
    expect(Math.abs(withTriangle - 514)).toBeLessThan(35)
  })
  it("refuses odd sums and too many links", () => {
    expect(refused(jellyfish, { routers: 5, r: 3 }).join()).toContain("choose r = 2 or routers = 6")
    expect(refused(jellyfish, { routers: 5, r: 5 }).join()).toContain("choose r = 4")
    expect(refused(jellyfish, { routers: 6, r: 1 }).join()).toContain("choose r = 2")
  })
})

describe("cascade", () => {
  it("Theta: 9 groups of 6 x 16, 34 network ports: 15 green, 5 x 3 black, 2 x 2 blue", () => {
    const t = made(cascade, { groups: 9 })
    sound(t)
    expect(t.graph.routers).toBe(864)
    expect(t.graph.firstChan[1] - 4).toBe(34)
    // router 0 goes to router 0 of groups 1 and 5, router 4 to that of groups 2 and 6
    expect(new Set(around(t.graph, 0).filter((r) => r >= 96))).toEqual(new Set([96, 5 * 96]))
    expect(new Set(around(t.graph, 4).filter((r) => r >= 96))).toEqual(new Set([2 * 96, 6 * 96]))
    // group 1, router 0: back to group 0, and to bundle 1 of group 5
    expect(new Set(around(t.graph, 96).filter((r) => r < 96 || r >= 192))).toEqual(new Set([0, 5 * 96 + 4]))
  })
  it("spread over the whole group reaches 241 groups with one bundle of links to each and 10 blue ports", () => {
    const t = made(cascade, { groups: 241, spread: "group", blue: 1, p: 1 })
    expect(t.graph.firstChan[1] - 1 - 30).toBe(10)
  })
  const small = fc.record({
    groups: fc.integer({ min: 1, max: 6 }),
    rows: fc.integer({ min: 1, max: 3 }),
    columns: fc.constantFrom(2, 4),
    bundle: fc.constantFrom(1, 2),
    spread: fc.constantFrom("row", "group"),
    p: fc.integer({ min: 1, max: 2 }),
  })
  it("any legal sizes: sound, connected, at most 5 links apart", () => {
    fc.assert(
      fc.property(small, (p) => {
        const t = made(cascade, p)
        sound(t)
        expect(hopsAgree(t)).toBeLessThanOrEqual(5)
        expect(t.label(0)).toBe("group 0 row 0 column 0")
      }),
      { numRuns: 40 },
    )
  })
  it("refuses bundles that do not divide the row", () => {
    expect(refused(cascade, { bundle: 5 })).toEqual([
      "bundle: 16 columns cannot be divided into bundles of 5; choose bundle = 4",
    ])
  })
})
