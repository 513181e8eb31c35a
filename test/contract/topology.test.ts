// Every topology over random legal parameters: counts as promised, links that lead back, degrees, distances equal to a
// search of the graph.
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { type Family, topologyContract } from "../../src/inspect/contract/topology.ts"
import { topologies } from "../../src/library.ts"
import { build, parsed, type Raw, site, topologyNamed } from "./cases.ts"

const int = (min: number, max: number) => fc.integer({ min, max })
const sides = fc.array(int(2, 5), { minLength: 1, maxLength: 3 })

/** [name] -> random raw parameters; what check() refuses is skipped. */
const random: Readonly<Record<string, fc.Arbitrary<Raw>>> = {
  mesh: fc.record({ sides, p: int(1, 3), trunk: int(1, 3) }),
  torus: fc.record({ sides, p: int(1, 3), trunk: int(1, 3) }),
  cmesh: fc.record({ k: int(2, 6), express: fc.boolean() }),
  butterfly: fc.record({ k: int(2, 4), n: int(1, 3) }),
  tree: fc.record({ k: int(2, 4), n: int(1, 4) }),
  hyperx: fc.record({
    sides,
    p: int(1, 3),
    links: int(1, 2).map((k) => [k]),
    latency: fc.constantFrom("unit", "distance"),
  }),
  dragonfly: fc.record({
    p: int(1, 3),
    a: int(1, 4),
    h: int(1, 3),
    g: fc.option(int(2, 9), { nil: undefined }),
    arrangement: fc.constantFrom("absolute", "palmtree", "relative", "circulant", "codes"),
    roles: fc.constantFrom("fixed", "random"),
  }),
  crossbar: fc.record({ n: int(2, 9) }),
  slimfly: fc.record({ q: fc.constantFrom(3, 4, 5, 7), p: int(1, 3) }),
  fitfly: fc.record({ q: fc.constantFrom(3, 4, 5), p: int(1, 2), rails: int(1, 3) }),
  megafly: fc.record({ groups: int(1, 5), leaves: int(1, 4), spines: int(1, 4), p: int(1, 2), links: int(1, 2) }),
  "rail-optimised": fc.record({
    islands: fc.constantFrom(2, 4),
    gpus: int(1, 4),
    reach: fc.constantFrom(2, undefined),
    spines: int(1, 3),
    links: int(1, 2),
    wiring: fc.constantFrom("rails", "islands"),
  }),
  hammingmesh: fc.record({ a: int(1, 4), b: int(1, 3), x: int(1, 3), y: int(1, 3) }),
  cascade: fc.record({
    groups: int(1, 3),
    rows: int(1, 3),
    columns: int(1, 4),
    bundle: int(1, 2),
    green: int(1, 2),
    black: int(1, 2),
    blue: int(1, 2),
    p: int(1, 2),
  }),
  hypercube: fc.record({ n: int(1, 6), p: int(1, 2) }),
  xgft: fc.constantFrom(
    { m: "4x4", w: "1x4" },
    { m: "3x2x2", w: "1x2x2" },
    { m: "4x3", w: "1x2", links: "1x2" },
    { m: "2x2x3", w: "1x1x2" },
  ),
  clos: fc.record({ leaves: int(1, 6), spines: int(1, 4), p: int(1, 3), links: int(1, 2) }),
  oft: fc.record({ q: fc.constantFrom(2, 3), p: int(1, 3), copies: int(1, 2) }),
  polarfly: fc.record({ q: fc.constantFrom(2, 3, 4, 5), p: int(1, 2) }),
  jellyfish: fc.record({ routers: int(2, 24), r: int(1, 5), p: int(1, 2), seed: int(0, 99) }),
  graph: fc.record({ file: fc.constant("ring.txt"), p: int(1, 3) }),
  ibnetdiscover: fc.record({ file: fc.constant("fabric.net") }),
}

/** What is said of a family beside the contract. */
const families: Readonly<Record<string, Family>> = {
  butterfly: { oneWay: true },
  dragonfly: { hierarchical: true },
  graph: { unsized: true },
  ibnetdiscover: { unsized: true },
}

describe.each(topologies.map((t) => t.name))("topology %s", (name) => {
  const arbitrary = random[name]
  test("has random parameters in this suite", () => expect(arbitrary).toBeDefined())
  if (arbitrary === undefined) return
  const plugin = topologyNamed(name)

  test("counts, wiring, degrees and distances over random parameters", () => {
    fc.assert(
      fc.property(arbitrary, (raw) => {
        const params = parsed(plugin, raw)
        fc.pre((plugin.check?.(params, site) ?? []).length === 0)
        const topology = plugin.make(params, site)
        expect(topologyContract(name, topology, plugin.size(params), families[name])).toEqual([])
      }),
      { numRuns: 40 },
    )
  })
})

test("mesh 8x8 is built as BookSim's: + port even, - port odd, endpoint last, edges unwired", () => {
  const { graph } = build("mesh", { sides: "8x8" })
  // 64 routers of 5 ports; 2 * 7 * 8 links of two channels
  expect(graph.chans).toBe(320)
  expect(Array.from(graph.far).filter((f) => f >= 0).length).toBe(224)
  expect(graph.far[9 * 5 + 2]).toBe(17 * 5 + 3)
  expect(graph.far[0 * 5 + 1]).toBe(-1)
  expect(graph.home[9]).toBe(9 * 5 + 4)
})

test("algorithms.md 1.8: torus 8x8 with trunks of 10 and 8x8x8 with trunks of 4", () => {
  const two = build("torus", { sides: "8x8", p: 8, trunk: 10 }).graph
  // member 3 of +x on router 0 meets member 3 of -x on router 1; +x of router 7 wraps to router 0; 64 * 2 * 10 links
  expect(two.far[3]).toBe(48 + 10 + 3)
  expect(two.far[7 * 48 + 3]).toBe(10 + 3)
  expect(Array.from(two.far).filter((f) => f >= 0).length / 2).toBe(1280)
  const three = build("torus", { k: 8, n: 3, p: 4, trunk: 4 }).graph
  expect(three.ends).toBe(2048)
  expect(Array.from(three.far).filter((f) => f >= 0).length / 2).toBe(512 * 3 * 4)
})

test("algorithms.md 1.7: HyperX(2; 8,8; 1,1; 8)", () => {
  const { graph } = build("hyperx", { sides: "8x8", p: 8 })
  const peers = Array.from({ length: 14 }, (_, i) => graph.routerOf[graph.far[8 + i]])
  expect(peers).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 16, 24, 32, 40, 48, 56])
  expect(Array.from(graph.far).filter((f) => f >= 0).length / 2).toBe(448)
})

test("HyperX endpoints in blocks: routers 0..3 own {2r, 2r+1, 8+2r, 9+2r}", () => {
  const { graph } = build("hyperx", { sides: "4", p: 4, block: "2x2" })
  const owned = (r: number) =>
    Array.from({ length: 16 }, (_, e) => e).filter((e) => graph.routerOf[graph.home[e]] === r)
  expect(owned(1)).toEqual([2, 3, 10, 11])
})

test("algorithms.md 1.6: 4-ary 3-tree and 24-ary 2-tree", () => {
  const small = build("tree", { k: 4, n: 3 }).graph
  expect([small.ends, small.routers]).toEqual([64, 48])
  const wide = build("tree", { k: 24, n: 2 }).graph
  expect([wide.ends, wide.routers, wide.firstChan[1]]).toEqual([576, 48, 48])
})

describe("algorithms.md 1.1: dragonfly (p, a, h, g) = (5, 11, 5, 56)", () => {
  const peer = (arrangement: string, group: number, r: number, j: number) => {
    const { graph } = build("dragonfly", { p: 5, a: 11, h: 5, arrangement })
    const far = graph.far[graph.firstChan[group * 11 + r] + 15 + j]
    const router = graph.routerOf[far]
    return [Math.floor(router / 11), router % 11, far - graph.firstChan[router] - 15]
  }
  test.each([
    ["palmtree", 0, 0, 0, [55, 10, 4]],
    ["palmtree", 7, 3, 0, [47, 7, 4]],
    ["absolute", 0, 0, 0, [1, 0, 0]],
    ["absolute", 7, 3, 0, [16, 1, 2]],
    ["relative", 0, 0, 0, [1, 10, 4]],
  ] as const)("%s (G%i, r%i, j%i)", (arrangement, group, r, j, expected) =>
    expect(peer(arrangement, group, r, j)).toEqual(expected),
  )

  test.each(["palmtree", "absolute", "relative"])("%s: distances 0.16 / 2.44 / 16.23 / 81.17 %%", (arrangement) => {
    const topology = build("dragonfly", { p: 5, a: 11, h: 5, arrangement })
    const count = [0, 0, 0, 0]
    for (let a = 0; a < 616; a++) for (let b = 0; b < 616; b++) count[topology.hops(a, b)]++
    expect(count.map((n) => Number(((100 * n) / 616 ** 2).toFixed(2)))).toEqual([0.16, 2.44, 16.23, 81.17])
  })
})

test("algorithms.md 1.2: the dragonfly of CODES, 19 groups of 18 switches with 9 global links", () => {
  const topology = build("dragonfly", { p: 9, a: 18, h: 9, g: 19, arrangement: "codes" })
  const { graph } = topology
  const peers = (r: number) =>
    Array.from({ length: 9 }, (_, j) => graph.routerOf[graph.far[graph.firstChan[r] + 26 + j]])
  expect(graph.ends).toBe(3078)
  expect(peers(0)).toEqual(Array.from({ length: 9 }, (_, i) => (i + 1) * 18 + 17))
  expect(peers(1)).toEqual(Array.from({ length: 9 }, (_, i) => (i + 10) * 18 + 16))
  const pairs = new Map<string, number>()
  for (let c = 0; c < graph.chans; c++) {
    if (graph.classes[graph.linkClass[c]] !== "global") continue
    const key = `${topology.group![graph.routerOf[c]]} ${topology.group![graph.routerOf[graph.far[c]]]}`
    pairs.set(key, (pairs.get(key) ?? 0) + 1)
  }
  // 19 * 18 ordered pairs of groups with 9 links each
  expect([pairs.size, new Set(pairs.values())]).toEqual([342, new Set([9])])
})
