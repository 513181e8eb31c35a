import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { around, hopsAgree, made, refused, sound } from "../../test/contract/topology-checks.ts"
import megafly from "./megafly.ts"

describe("algorithms.md 1.3: megafly", () => {
  const t = made(megafly, { groups: 10, leaves: 18, spines: 18, p: 18 })
  it("P1: 3240 endpoints, 360 routers, radix 36, 18 global ports on each spine", () => {
    sound(t)
    expect([t.graph.ends, t.graph.routers, t.h, t.globalsPerGroup]).toEqual([3240, 360, 18, 324])
    for (let r = 0; r < 360; r++) expect(t.graph.firstChan[r + 1] - t.graph.firstChan[r]).toBe(36)
  })
  it("spine 0 of group 0 goes to spine 17 of groups 1..9, twice", () => {
    const global = around(t.graph, t.spine(0, 0)).filter((r) => r >= 36)
    expect(global).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap((g) => [t.spine(g, 17), t.spine(g, 17)]))
  })
  it("8100 links in all: 3240 of endpoints, 3240 local, 1620 global (3240 directed)", () => {
    const count = [0, 1, 2].map((cls) => t.graph.linkClass.reduce((n, c) => n + (c === cls ? 1 : 0), 0))
    expect(count).toEqual([3240, 6480, 3240])
  })
  it("endpoints are numbered along the leaves", () => {
    expect(t.routerOf(17)).toBe(0)
    expect(t.routerOf(18)).toBe(1)
    expect(t.label(t.routerOf(18 * 18))).toBe("group 1 leaf 0")
    for (const e of [0, 17, 18, 400, 3239]) expect(t.graph.routerOf[t.graph.home[e]]).toBe(t.routerOf(e))
  })
})

describe("golden: megafly of switch radix N with (N/2)² + 1 groups (INRFlow's path lengths)", () => {
  // links between routers from endpoint 0: same leaf 0, same group 2, other groups 3
  it.each([
    [4, [2, 0, 2, 16]],
    [8, [4, 0, 12, 256]],
  ])("N = %i", (n, expected) => {
    const k = n / 2
    const t = made(megafly, { groups: k * k + 1, leaves: k, spines: k, p: k })
    const at = [0, 0, 0, 0]
    for (let e = 0; e < t.graph.ends; e++) at[t.hops(0, t.routerOf(e))]++
    expect(at).toEqual(expected)
  })
})

const legal = fc
  .record({
    leaves: fc.integer({ min: 1, max: 5 }),
    spines: fc.integer({ min: 1, max: 5 }),
    p: fc.integer({ min: 1, max: 3 }),
    h: fc.integer({ min: 1, max: 5 }),
    links: fc.integer({ min: 1, max: 2 }),
  })
  .chain((p) => fc.integer({ min: 1, max: p.spines * p.h + 1 }).map((groups) => ({ ...p, groups })))

describe("any legal parameters", () => {
  it("sound, every pair of groups linked equally often, ports found by portToward", () => {
    fc.assert(
      fc.property(legal, (p) => {
        const t = made(megafly, p)
        sound(t)
        hopsAgree(t)
        const between = new Map<string, number>()
        for (let g = 0; g < p.groups; g++) {
          for (let s = 0; s < p.spines; s++) {
            const spine = t.spine(g, s)
            for (let to = 0; to < p.groups; to++) {
              if (to === g) continue
              for (let port = t.portToward(spine, to); port >= 0 && port < t.lastPort(spine); port += p.groups - 1) {
                const far = t.graph.far[t.graph.firstChan[spine] + port]
                expect(t.group[t.graph.routerOf[far]]).toBe(to)
                between.set(`${g}-${to}`, (between.get(`${g}-${to}`) ?? 0) + 1)
              }
            }
          }
        }
        const each = p.groups === 1 ? 0 : Math.floor((p.spines * p.h) / (p.groups - 1))
        expect([...between.values()]).toEqual(new Array(p.groups * (p.groups - 1)).fill(each))
      }),
      { numRuns: 60 },
    )
  })
})

describe("bad input", () => {
  it("more groups than global ports", () => {
    expect(refused(megafly, { groups: 18, leaves: 4, spines: 4, p: 4 })).toEqual([
      "groups: 18 groups need 17 global links each, but 4 spines have 16 ports for them; choose groups = 17, or h = 5",
    ])
  })
})
