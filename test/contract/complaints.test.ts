// Bad parameters of topologies and routings: refused before anything is built, with the nearest legal value.
import { describe, expect, test } from "vitest"
import type { Complaint } from "../../src/core/complaint.ts"
import { Draws } from "../../src/core/rng.ts"
import { build, type Raw, routingNamed, site, topologyNamed } from "./cases.ts"

function refused(name: string, raw: Raw, files?: Record<string, string>): string {
  const plugin = topologyNamed(name)
  const got = plugin.params.parse(raw, "")
  const on = files === undefined ? site : { ...site, read: (path: string) => files[path] }
  return told("bad" in got ? got.bad : (plugin.check?.(got.ok, on) ?? []))
}

function routingRefused(
  topology: string,
  on: Raw,
  name: string,
  raw: Raw,
  vcs: number,
  files?: Record<string, string>,
): string {
  const plugin = routingNamed(name)
  const got = plugin.params.parse(raw, "")
  const read = files === undefined ? site.read : (path: string) => files[path]
  const where = { topology: build(topology, on), vcs, rng: new Draws(1), read } as never
  return told("bad" in got ? got.bad : (plugin.check?.(got.ok, where) ?? []))
}

const told = (bad: readonly Complaint[]) => bad.map((c) => `${c.path}: ${c.says}; ${c.fix}`).join("\n")

describe("topologies", () => {
  test.each([
    ["k = 1", "tree", { k: 1, n: 3 }, "k: 1 is too small; choose a value at least 2"],
    ["HyperX side of 1", "hyperx", { sides: "8x1" }, "sides.1: 1 is too small; choose a value at least 2"],
    ["mesh without size", "mesh", {}, "sides: is missing; give sides, as 8x8, or k and n"],
    ["torus with k only", "torus", { k: 8 }, "n: is missing"],
    ["torus with both", "torus", { sides: "4x4", k: 8, n: 2 }, "give either sides, or k and n"],
    [
      "too many groups",
      "dragonfly",
      { p: 2, a: 4, h: 2, g: 12 },
      "g: 12 groups need 11 global links each, a*h gives 8; set g: 9 or less",
    ],
    ["too many parallel links", "dragonfly", { p: 2, a: 4, h: 2, g: 5, parallel: 3 }, "set parallel: 2 or less"],
    [
      "odd h with circulant",
      "dragonfly",
      { p: 2, a: 4, h: 3, arrangement: "circulant" },
      "set h: 4, or arrangement: palmtree",
    ],
    ["even g with circulant", "dragonfly", { p: 2, a: 4, h: 2, g: 8, arrangement: "circulant" }, "set g: 7"],
    ["express links with odd k", "cmesh", { k: 5 }, "set k: 6, or express: false"],
    ["links of the wrong length", "hyperx", { sides: "4x4", links: "1,2,3" }, "links: has 3 entries for 2 dimensions"],
    ["a block that does not fit", "hyperx", { sides: "4x4", p: 4, block: "3x2" }, "give columns x rows = p"],
    ["a misspelt arrangement", "dragonfly", { p: 1, a: 2, h: 1, arrangement: "palm-tree" }, 'did you mean "palmtree"?'],
  ] as const)("%s", (_, name, raw, expected) => expect(refused(name, raw)).toContain(expected))

  test.each([
    ["disconnected", "a b\nc d\n", "no path between routers a and c"],
    ["duplicate link", "a b\nb a\n", "b a is written twice"],
    ["self link", "a a\na b\n", "router a is linked to itself"],
    ["dangling router", "a b\nrouter c\n", "no path between routers a and c"],
    ["nonsense", "a b\na b c d e\n", 'file line 2: "a b c d e" is not a link'],
    ["no endpoints", "a b\nend a 0\n", '"0" is not a number of endpoints'],
    ["bad latency", "a b link 0\n", '"0" is not a latency in cycles'],
    ["empty", "# nothing\n", "has no links"],
  ])("edge list: %s", (_, text, expected) => expect(refused("graph", { file: "f" }, { f: text })).toContain(expected))

  test("a missing file", () => expect(refused("graph", { file: "nowhere" })).toContain('"nowhere" cannot be read'))
  test("duplicates can be asked for", () =>
    expect(refused("graph", { file: "f", duplicates: true }, { f: "a b\nb a\n" })).toBe(""))
})

describe("routings", () => {
  const square = { sides: "2x2" }
  test.each([
    ["no rule", "0 1 1\n", "has no rule for router"],
    ["a loop", "0 3 1\n1 3 0\n2 3 3\n", "packets for router 3 loop through router"],
    ["no such link", "0 3 3\n", "router 0 has no link to router 3"],
    ["no such VC", "0 1 1 4\n", 'file line 1: "4" names a VC that does not exist; use VCs 0..1'],
    ["nonsense", "0 to 1\n", "is not a rule"],
  ])("any.table: %s", (_, text, expected) => {
    // rules towards router 3 come first in what is walked only when the others are complete
    const rest = "0 1 1\n0 2 2\n1 0 0\n1 2 0\n2 0 0\n2 1 0\n3 0 1\n3 1 1\n3 2 2\n"
    const full = expected.includes("loop") ? `${rest}${text}` : text
    expect(routingRefused("mesh", square, "any.table", { file: "t" }, 2, { t: full })).toContain(expected)
  })
  test("any.valiant: a leg of another topology", () => {
    const raw = { first: "hyperx.minimal", second: "any.shortest" }
    expect(routingRefused("mesh", square, "any.valiant", raw, 4)).toContain(
      "first: hyperx.minimal does not support mesh",
    )
  })
  test("any.up-down: no such root", () =>
    expect(routingRefused("mesh", square, "any.up-down", { root: 9 }, 1)).toContain(
      "root: 9 is not a router; choose one of 0..3",
    ))
  test("any.up-down: one-way channels", () =>
    expect(routingRefused("butterfly", { k: 2, n: 2 }, "any.up-down", {}, 1)).toContain(
      "channels without an opposite channel",
    ))
  test("BookSim's dragonfly has single links", () =>
    expect(routingRefused("dragonfly", { p: 1, a: 4, h: 2, g: 5 }, "dragonfly.booksim-minimal", {}, 2)).toContain(
      "one link for each pair of groups",
    ))
})
