import { describe, expect, it } from "vitest"
import { place } from "../compile/floor/layout.ts"
import { bookFrom, bookNamed, type PriceBook } from "../compile/floor/pricebook.ts"
import type { Topology } from "../model/topology.ts"
import { type Cost, cost } from "./cost.ts"
import { buildTopology } from "./topology-build.ts"

function built(name: string, raw: Record<string, unknown>): Topology {
  const got = buildTopology(name, raw)
  if ("bad" in got) throw new Error(JSON.stringify(got.bad))
  return got.ok.topology
}
function book(raw: unknown): PriceBook {
  const got = typeof raw === "string" ? bookNamed(raw) : bookFrom(raw)
  if ("bad" in got) throw new Error(JSON.stringify(got.bad))
  return got.ok
}
function priced(t: Topology, raw: unknown): Cost {
  const got = cost(t, book(raw))
  if ("bad" in got) throw new Error(JSON.stringify(got.bad))
  return got.ok
}

describe("cost of a small Clos by hand: 2 leaves, 1 spine, 3 endpoints on each leaf", () => {
  const t = built("clos", { leaves: 2, spines: 1, p: 3 })
  it("flat book: 3 routers at 25,633, 8 cables at 134", () => {
    const c = priced(t, "fitfly-edr")
    expect(c.total).toMatchObject({
      price: 3 * 25_633 + 8 * 134,
      routerPrice: 76_899,
      linkPrice: 1072,
      links: 8,
      watts: undefined,
      cabinets: 1,
    })
  })
  it("by length: one router in a cabinet, so that cables between routers are 0.8 or 1.6 + 3 m and optical", () => {
    const own = { layout: { routers: 1, width: "0.8m", depth: "10m" }, router: { price: 100, perPort: 10, watts: 50 } }
    const c = priced(t, own)
    // 4 ports on each leaf, 2 on the spine
    expect(c.rows[0]).toMatchObject({ item: "router", count: 3, price: 300 + 100, watts: 150 })
    // 6 of 2 m: 60 + 2 * 20; leaf 0 - spine 1.6 + 3 m, leaf 1 - spine 0.8 + 3 m: 300 + 5 * m
    expect(c.rows[1]).toMatchObject({
      item: "end",
      medium: "electrical",
      count: 6,
      price: 600,
      watts: expect.closeTo(1.2, 9),
    })
    expect(c.rows[2]).toMatchObject({
      item: "link",
      medium: "optical",
      count: 2,
      price: expect.closeTo(600 + 5 * 8.4, 9),
      watts: 14,
    })
    expect(c.total.watts).toBeCloseTo(150 + 1.2 + 14, 9)
    expect(c.total.wattsPerEndpoint).toBeCloseTo(165.2 / 6, 9)
  })
})

describe("layout", () => {
  it("keeps a group of 13 in one cabinet of 16: 26 columns of a Slim Fly stand in 26 cabinets", () => {
    const t = built("slimfly", { q: 13, p: 9 })
    const placed = place(t, book("by-length").layout)
    expect(placed.cabinets).toBe(26)
    for (let r = 0; r < 338; r++) expect(placed.cabinet[r]).toBe(t.group![r])
    expect(placed.metres(0, 12)).toBe(2)
  })
  it("rails to other planes are as long as the distance", () => {
    const c = priced(built("fitfly", { q: 5, p: 2 }), "by-length")
    // Each endpoint has one cable of 2 m in its cabinet; the other goes to the mirrored router. Those of the last
    // column of plane 0 and the first of plane 1 share a cabinet (three columns of 5 in each), 5 routers of 2 endpoints
    expect(c.rows.filter((r) => r.item === "end").map((r) => [r.medium, r.count])).toEqual([
      ["electrical", 110],
      ["optical", 90],
    ])
  })
  it("puts two groups of 8 into a cabinet of 16, and one of 20 over two", () => {
    const t = built("clos", { leaves: 16, spines: 4, p: 1 })
    expect(place(t, book("by-length").layout).cabinets).toBe(2)
    const grouped: Topology = {
      name: "x",
      graph: t.graph,
      hops: () => 0,
      label: String,
      group: Int32Array.from({ length: 20 }, (_, r) => Math.floor(r / 8)),
    }
    expect([...place(grouped, book("by-length").layout).cabinet]).toEqual([...new Array(16).fill(0), 1, 1, 1, 1])
  })
})

describe("price books", () => {
  const says = (raw: unknown) => {
    const got = bookFrom(raw)
    return "bad" in got ? got.bad.map((c) => `${c.path}: ${c.says}; ${c.fix}`) : []
  }
  it("take what they leave out from their base", () => {
    const own = book({ base: "fitfly-fdr", name: "ours", router: { price: 1 } })
    expect(own).toMatchObject({ name: "ours", router: { price: 1, ports: 36 }, cables: [{ price: 86 }] })
  })
  it("complain about unknown keys, names, units and cables that are never used", () => {
    expect(says({ routr: {} })).toEqual(['book.routr: unknown key; did you mean "router"?'])
    expect(says({ base: "fitfly-ed" })).toEqual([
      'book.base: there is no price list "fitfly-ed"; did you mean "fitfly-edr"?',
    ])
    expect(says({ cables: [{ medium: "optical", upTo: 3, price: 1 }] })[0]).toContain("3 has no unit")
    expect(
      says({
        cables: [
          { medium: "optical", price: 1 },
          { medium: "electrical", price: 1 },
        ],
      })[0],
    ).toContain("never used")
    expect(says({ cables: [] })[0]).toContain("give at least 1")
  })
  it("a radix that no router of the book has, and a cable that is too long, are complaints", () => {
    const big = cost(built("clos", { leaves: 40, spines: 1, p: 1 }), book("fitfly-edr"))
    expect("bad" in big && big.bad[0]?.says).toBe(
      'The network needs routers with 40 ports, but those of "fitfly-edr" have 36.',
    )
    const short = cost(
      built("clos", { leaves: 40, spines: 1, p: 1 }),
      book({ cables: [{ medium: "electrical", upTo: "3m", price: 1 }] }),
    )
    expect("bad" in short && short.bad[0]?.says).toContain("the longest has 3 m")
  })
})

describe("building", () => {
  const says = (name: string, raw: Record<string, unknown>) => {
    const got = buildTopology(name, raw)
    return "bad" in got ? got.bad.map((c) => `${c.path}: ${c.says}; ${c.fix}`).join() : ""
  }
  it("refuses a thousand million endpoints by the memory they need", () => {
    expect(says("torus", { sides: "1000x1000x1000" })).toContain(
      "1,000,000,000 endpoints on 1,000,000,000 routers need about",
    )
    expect(says("slimfly", { q: 877 })).toContain("GiB are allowed")
    expect(says("xgft", { m: "1000x1000x1000", w: "1x1000x1000" })).toContain("GiB")
    expect(says("hypercube", { n: 24, p: 60 })).toContain("times smaller")
  })
  it("names what is wrong, and the nearest that is right", () => {
    expect(says("slimfly", { q: 6 })).toContain("topology.q: 6 is not a prime power above 2")
    expect(says("slimfly", { q: 12 })).toContain("choose q = 11 or 13")
    expect(says("slimfyl", {})).toContain('did you mean "slimfly"?')
    expect(says("torus", { k: 1, n: 2 })).toContain("topology.k: 1 is too small")
    expect(says("slimfly", { Q: 5 })).toContain('topology.Q: unknown key; did you mean "q"?')
  })
})
