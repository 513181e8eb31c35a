import { describe, expect, it } from "vitest"
import { toEdges, toGraphml, toJson } from "../draw/topology/export.ts"
import { bundles } from "../draw/topology/links.ts"
import { draw } from "../draw/topology/svg.ts"
import type { Topology } from "../model/topology.ts"
import { measure } from "../proof/measures.ts"
import { type Built, buildTopology } from "./topology-build.ts"
import { commandOf, report, reportText } from "./topology-report.ts"

function built(name: string, raw: Record<string, unknown>, text?: string): Built {
  const got = buildTopology(name, raw, text === undefined ? {} : { read: () => text })
  if ("bad" in got) throw new Error(JSON.stringify(got.bad))
  return got.ok
}

describe("report", () => {
  it("has the keys that scripts rely on", () => {
    const got = report(built("slimfly", { q: 13, p: 9 }), { bisection: false })
    if ("bad" in got) throw new Error("refused")
    const r = got.ok
    expect(r).toMatchObject({ topology: "slimfly", endpoints: 3042, routers: 338, links: 3211, radix: 28, diameter: 2 })
    expect(r.meanHops).toBeCloseTo(2.93851, 5)
    expect(r.hops.length).toBe(4)
    expect(r.cost).toMatchObject({ price: 9_501_856, links: 6253, book: "fitfly-edr" })
    const text = reportText(r, "slimfly q=13 p=9", "about")
    expect(text).toContain("mean hops    2.93851 routers visited, 1.93851 links")
    expect(text).toContain("9,501,856 USD")
  })
  it("prices a radix above 36 by the book without a limit", () => {
    const got = report(built("clos", { leaves: 40, spines: 2, p: 4 }))
    expect("ok" in got && got.ok.cost.book).toBe("by-length")
  })
  it("writes parameters as they are typed", () =>
    expect(commandOf("torus", { sides: [8, 8], p: 1 })).toBe("torus sides=8x8 p=1"))
})

const samples: [string, Record<string, unknown>][] = [
  ["dragonfly", { p: 2, a: 4, h: 2 }],
  ["megafly", { groups: 3, leaves: 2, spines: 2, p: 3 }],
  ["cascade", { groups: 3, rows: 2, columns: 4, bundle: 2, p: 1 }],
  ["torus", { sides: "3x2", p: 1, trunk: 2 }],
  ["xgft", { m: "2x3", w: "1x2", links: "1x2" }],
]

describe("exports read back as the same network", () => {
  const same = (a: Topology, b: Topology) => {
    const [x, y] = [measure(a, { bisection: false }), measure(b, { bisection: false })]
    expect(y.linksByClass).toEqual(x.linksByClass)
    expect(y.degrees).toEqual(x.degrees)
    const best = x.shortest ?? x
    expect(y.meanHops).toBeCloseTo(best.meanHops, 12)
    expect(y.distances).toEqual(best.distances.map((s) => expect.closeTo(s, 12)))
  }
  it.each(samples)("%s", (name, raw) => {
    const { topology, params } = built(name, raw)
    same(topology, built("graph", { file: "net.txt", duplicates: true }, toEdges(topology, "x")).topology)
    same(topology, built("graph", { file: "net.json" }, toJson(topology, params)).topology)
    same(topology, built("graph", { file: "net.graphml" }, toGraphml(topology)).topology)
  })
  it("marks links of one direction", () => {
    expect(toGraphml(built("butterfly", { k: 2, n: 2 }).topology)).toContain('directed="true"')
    expect(JSON.parse(toJson(built("butterfly", { k: 2, n: 2 }).topology, {})).links[0].oneWay).toBe(true)
  })
})

describe("drawings", () => {
  const pictured: [string, Record<string, unknown>][] = [
    ...samples,
    ["fitfly", { q: 3, p: 1 }],
    ["tree", { k: 2, n: 3 }],
    ["hypercube", { n: 5 }],
    ["jellyfish", {}],
    ["crossbar", { n: 4 }],
    ["butterfly", { k: 2, n: 3 }],
    ["polarfly", { q: 4 }],
  ]
  it.each(pictured)(
    "%s: a dot for each router and endpoint rail, a line for each pair of linked routers, nothing that is not a number",
    (name, raw) => {
      const { topology } = built(name, raw)
      const got = draw(topology, `${name} <&>`)
      if ("bad" in got) throw new Error("refused")
      const svg = got.ok
      expect(svg).not.toMatch(/NaN|undefined|Infinity/)
      expect(svg).toContain(`${name} &lt;&amp;&gt;`)
      expect(svg.match(/<circle class="router/g)?.length).toBe(topology.graph.routers)
      expect(svg.match(/<circle class="end"/g)?.length ?? 0).toBe(topology.graph.ends * topology.graph.rails)
      const lines = svg.split("\n").filter((l) => l.startsWith('<path fill="none"'))
      expect(lines.join("").match(/M/g)?.length ?? 0).toBe(bundles(topology).length)
    },
  )
  it("no two routers of a drawing lie on the same spot", () => {
    for (const [name, raw] of pictured) {
      const got = draw(built(name, raw).topology, name)
      const spots =
        "ok" in got ? [...got.ok.matchAll(/<circle class="router[^"]*" (cx="\S+" cy="\S+")/g)].map((m) => m[1]) : []
      expect(new Set(spots).size, name).toBe(spots.length)
    }
  })
  it("draws groups as discs where there are too many links, and refuses a black square", () => {
    const got = draw(built("dragonfly", { p: 4, a: 16, h: 8 }).topology, "large")
    expect("ok" in got && got.ok.match(/<circle class="router/g)?.length).toBe(129)
    const refused = draw(built("hyperx", { sides: "16x16x16", p: 1 }).topology, "too large")
    expect("bad" in refused && refused.bad[0]?.fix).toContain("draw a smaller network")
  })
})
