// Every routing of the library on small instances: always arrives, never more links than allowed, only wired ports and VCs that exist, and
// (except where the file says that it is not) no cycle among the channel dependencies that the walks make.
import { describe, expect, test } from "vitest"
import { Draws } from "../../src/core/rng.ts"
import { routings } from "../../src/library.ts"
import { pair, type Raw } from "./cases.ts"
import { Walker } from "./walk.ts"

type Case = { routing: string; raw?: Raw; topology: string; on: Raw; most: "minimal" | number; deadlocks?: boolean }

/** `most`: links (router to router) of the longest path; "minimal" = exactly as many as topology.hops() says. */
const cases: readonly Case[] = [
  { routing: "mesh.dimension-order", topology: "mesh", on: { sides: "4x3", p: 2, trunk: 2 }, most: "minimal" },
  { routing: "torus.dimension-order", topology: "torus", on: { sides: "5x4", trunk: 2 }, most: "minimal" },
  {
    routing: "torus.dimension-order",
    raw: { dateline: "crossing", tie: "parity", trunk: "hash" },
    topology: "torus",
    on: { sides: "4x4x2" },
    most: "minimal",
  },
  { routing: "cmesh.dimension-order", raw: { express: false }, topology: "cmesh", on: { k: 4 }, most: 6 },
  { routing: "cmesh.dimension-order", topology: "cmesh", on: { k: 6 }, most: 10 },
  { routing: "cmesh.dimension-order", topology: "cmesh", on: { k: 3, express: false }, most: "minimal" },
  { routing: "butterfly.destination-tag", topology: "butterfly", on: { k: 3, n: 3 }, most: "minimal" },
  { routing: "tree.nearest-ancestor", topology: "tree", on: { k: 3, n: 3 }, most: "minimal" },
  { routing: "tree.nearest-ancestor", raw: { up: "adaptive" }, topology: "tree", on: { k: 2, n: 4 }, most: "minimal" },
  { routing: "tree.destination-digit", topology: "tree", on: { k: 4, n: 3 }, most: "minimal" },
  { routing: "hyperx.minimal", topology: "hyperx", on: { sides: "4x3x2", p: 2, links: [2] }, most: "minimal" },
  { routing: "hyperx.valiant", topology: "hyperx", on: { sides: "4x3", p: 2 }, most: 4 },
  { routing: "hyperx.ugal-l", topology: "hyperx", on: { sides: "4x4", p: 4, block: "2x2" }, most: 4 },
  { routing: "hyperx.ugal-l", raw: { candidate: "any" }, topology: "hyperx", on: { sides: "3x3", p: 2, links: [1, 2] }, most: 4 },
  { routing: "dragonfly.minimal", topology: "dragonfly", on: { p: 2, a: 4, h: 2, arrangement: "absolute" }, most: "minimal" },
  { routing: "dragonfly.minimal", topology: "dragonfly", on: { p: 1, a: 4, h: 2, g: 3, arrangement: "codes" }, most: 3 },
  { routing: "dragonfly.valiant", topology: "dragonfly", on: { p: 2, a: 4, h: 2, roles: "random" }, most: 6 },
  {
    routing: "dragonfly.valiant",
    raw: { intermediate: "group" },
    topology: "dragonfly",
    on: { p: 1, a: 4, h: 2, arrangement: "circulant" },
    most: 5,
  },
  { routing: "dragonfly.ugal-l", topology: "dragonfly", on: { p: 2, a: 4, h: 2 }, most: 6 },
  { routing: "dragonfly.ugal-l", raw: { intermediate: "group" }, topology: "dragonfly", on: { p: 1, a: 4, h: 3, g: 4 }, most: 5 },
  { routing: "dragonfly.booksim-minimal", topology: "dragonfly", on: { p: 2, a: 4, h: 2, arrangement: "absolute" }, most: "minimal" },
  { routing: "dragonfly.booksim-ugal", topology: "dragonfly", on: { p: 2, a: 4, h: 2, arrangement: "absolute" }, most: 6, deadlocks: true },
  { routing: "dragonfly.codes-minimal", topology: "dragonfly", on: { p: 2, a: 4, h: 2, arrangement: "codes" }, most: 3 },
  { routing: "dragonfly.codes-nonminimal", topology: "dragonfly", on: { p: 1, a: 4, h: 2, g: 5, arrangement: "codes" }, most: 5 },
  { routing: "dragonfly.codes-prog-adaptive", topology: "dragonfly", on: { p: 1, a: 4, h: 2, g: 5, arrangement: "codes" }, most: 6 },
  { routing: "megafly.codes-minimal", topology: "megafly", on: { groups: 3, leaves: 2, spines: 2, p: 1 }, most: 3 },
  { routing: "megafly.codes-non-minimal-leaf", topology: "megafly", on: { groups: 3, leaves: 2, spines: 2, p: 1 }, most: 6 },
  { routing: "megafly.codes-prog-adaptive", topology: "megafly", on: { groups: 3, leaves: 2, spines: 2, p: 1 }, most: 6 },
  { routing: "slimfly.codes-minimal", topology: "slimfly", on: { q: 3, p: 1 }, most: "minimal" },
  { routing: "slimfly.codes-nonminimal", topology: "slimfly", on: { q: 3, p: 1 }, most: 4 },
  { routing: "slimfly.codes-adaptive", topology: "fitfly", on: { q: 3, p: 1 }, most: 4 },
  { routing: "crossbar.direct", topology: "crossbar", on: { n: 5 }, most: "minimal" },
  { routing: "any.shortest", topology: "graph", on: { file: "ring.txt", p: 2 }, most: "minimal" },
  { routing: "any.shortest", raw: { spread: "least-queued" }, topology: "torus", on: { sides: "4x4" }, most: "minimal" },
  { routing: "any.shortest", raw: { spread: "first" }, topology: "butterfly", on: { k: 2, n: 3 }, most: "minimal" },
  { routing: "torus.bubble", topology: "torus", on: { sides: "4x3", trunk: 2 }, most: "minimal", deadlocks: true },
  {
    routing: "torus.bubble",
    raw: { tie: "coin", trunk: "hash" },
    topology: "torus",
    on: { sides: "4x4" },
    most: "minimal",
    deadlocks: true,
  },
  { routing: "mesh.adaptive", topology: "mesh", on: { sides: "4x3", trunk: 2 }, most: "minimal", deadlocks: true },
  { routing: "mesh.adaptive", topology: "mesh", on: { sides: "2x2x2x2x2" }, most: "minimal", deadlocks: true },
  { routing: "torus.adaptive", topology: "torus", on: { sides: "4x5" }, most: "minimal", deadlocks: true },
  { routing: "tree.valiant", topology: "tree", on: { k: 3, n: 3 }, most: "minimal" },
  { routing: "tree.valiant", raw: { root: "top" }, topology: "tree", on: { k: 2, n: 3 }, most: 4 },
  { routing: "hyperx.ugal-g", topology: "hyperx", on: { sides: "4x3", p: 2 }, most: 4 },
  { routing: "hyperx.dimwar", topology: "hyperx", on: { sides: "4x3x2", p: 1, links: [2, 1, 1] }, most: 6 },
  { routing: "dragonfly.ugal-g", topology: "dragonfly", on: { p: 1, a: 4, h: 2 }, most: 6 },
  { routing: "dragonfly.ugal-g", raw: { intermediate: "group" }, topology: "dragonfly", on: { p: 1, a: 4, h: 2, g: 5 }, most: 5 },
  { routing: "dragonfly.par", topology: "dragonfly", on: { p: 1, a: 4, h: 2 }, most: 7 },
  { routing: "dragonfly.par", raw: { candidate: "own" }, topology: "dragonfly", on: { p: 1, a: 4, h: 2, g: 4 }, most: 6 },
  { routing: "dragonfly.par62", raw: { bias: "0flits" }, topology: "dragonfly", on: { p: 1, a: 4, h: 2 }, most: 6 },
  {
    routing: "dragonfly.par62",
    raw: { bias: "0flits", candidate: "drawn" },
    topology: "dragonfly",
    on: { p: 1, a: 4, h: 2, roles: "random" },
    most: 7,
  },
  { routing: "dragonfly.par-codes", topology: "dragonfly", on: { p: 1, a: 4, h: 2, arrangement: "codes" }, most: 6 },
  { routing: "dragonfly.par-codes", topology: "dragonfly", on: { p: 1, a: 4, h: 3, g: 4, arrangement: "codes" }, most: 6 },
  { routing: "any.up-down", topology: "graph", on: { file: "ring.txt", p: 2 }, most: 4 },
  { routing: "any.up-down", raw: { root: 3, spread: "least-queued" }, topology: "torus", on: { sides: "4x4" }, most: 8 },
  { routing: "any.layered", topology: "torus", on: { sides: "5x4" }, most: "minimal" },
  { routing: "any.layered", topology: "dragonfly", on: { p: 1, a: 3, h: 1 }, most: 4 },
  { routing: "any.table", raw: { file: "square.txt" }, topology: "mesh", on: { sides: "2x2" }, most: "minimal", deadlocks: true },
  { routing: "any.valiant", topology: "graph", on: { file: "ring.txt", p: 2 }, most: 4 },
  {
    routing: "any.valiant",
    raw: { first: "torus.dimension-order", second: "any.up-down" },
    topology: "torus",
    on: { sides: "4x4" },
    most: 12,
  },
  {
    routing: "any.valiant",
    raw: { first: "dragonfly.minimal", second: "dragonfly.minimal" },
    topology: "dragonfly",
    on: { p: 1, a: 3, h: 1 },
    most: 6,
  },
  { routing: "slimfly.minimal", topology: "slimfly", on: { q: 4, p: 1 }, most: "minimal" },
  { routing: "slimfly.minimal", raw: { middle: "random" }, topology: "slimfly", on: { q: 5, p: 1 }, most: "minimal" },
  { routing: "slimfly.minimal", topology: "fitfly", on: { q: 3, p: 1, rails: 2 }, most: "minimal" },
  { routing: "slimfly.valiant", topology: "slimfly", on: { q: 3, p: 2 }, most: 4 },
  { routing: "slimfly.ugal-l", topology: "slimfly", on: { q: 4, p: 1 }, most: 4 },
  {
    routing: "slimfly.ugal-l",
    raw: { reads: "port", middle: "random", draws: 2 },
    topology: "fitfly",
    on: { q: 3, p: 2, rails: 2 },
    most: 4,
  },
  { routing: "slimfly.ugal-g", topology: "slimfly", on: { q: 4, p: 1 }, most: 4 },
  { routing: "megafly.minimal", topology: "megafly", on: { groups: 4, leaves: 3, spines: 2, p: 1, links: 2 }, most: "minimal" },
  { routing: "megafly.minimal", topology: "megafly", on: { groups: 5, leaves: 2, spines: 2, p: 2, h: 2 }, most: "minimal" },
  { routing: "megafly.par", topology: "megafly", on: { groups: 5, leaves: 4, spines: 4, p: 1 }, most: 6 },
  { routing: "megafly.par", raw: { turn: "spine" }, topology: "megafly", on: { groups: 5, leaves: 2, spines: 2, p: 2, h: 2 }, most: 6 },
]

const title = (c: Case) => `${c.routing} ${JSON.stringify(c.raw ?? {})} on ${c.topology} ${JSON.stringify(c.on)}`

test("every routing of the library is in this suite", () => {
  const missing = routings.map((r) => r.name).filter((name) => !cases.some((c) => c.routing === name))
  expect(missing).toEqual([])
})

describe.each(cases.map((c) => [title(c), c] as const))("%s", (_, c) => {
  test.each([0, 3])("with %i VCs to spare: arrives, legal, within its bound", (spare) => {
    const built = pair(c.topology, c.on, c.routing, c.raw ?? {}, spare)
    const walker = new Walker(built)
    const { graph } = built.topology
    const chance = new Draws(5).at(spare, 0)
    const waits = new Map<number, Set<number>>()
    for (let round = 0; round < 3; round++) {
      walker.load(round)
      for (let from = 0; from < graph.ends; from++) {
        for (let to = 0; to < graph.ends; to++) {
          const rail = round % graph.rails
          const key = (round * graph.ends + from) * graph.ends + to
          const { steps, arrived } = walker.walk(from, to, key, 64, (n) => chance.below(n), rail)
          if (!arrived) throw new Error(`${from} -> ${to} never arrives: ${steps.map((s) => s.at).join(" ")}`)
          const links = steps.length - 1
          const routerAt = (chans: Int32Array, e: number) => graph.routerOf[chans[e * graph.rails + rail]!]!
          const least = built.topology.hops(routerAt(graph.entry, from), routerAt(graph.home, to))
          if (c.most === "minimal" ? links !== least : links > c.most) throw new Error(`${from} -> ${to} takes ${links} links`)
          for (let i = 1; i < steps.length; i++) {
            const held = steps[i - 1]!.chan * built.vcs + steps[i - 1]!.vc
            const wanted = waits.get(held) ?? new Set()
            waits.set(held, wanted)
            for (let v = 0; v < built.vcs; v++) if ((steps[i]!.mask >> v) & 1) wanted.add(steps[i]!.chan * built.vcs + v)
          }
        }
      }
    }
    if (!c.deadlocks) expect(hasCycle(waits)).toBe(false)
  })
})

/** Removes what waits for nothing until nothing is left, or only cycles. */
function hasCycle(waits: ReadonlyMap<number, ReadonlySet<number>>): boolean {
  const state = new Map<number, "open" | "done">()
  for (const start of waits.keys()) {
    if (state.has(start)) continue
    const stack: [number, Iterator<number>][] = [[start, waits.get(start)!.values()]]
    state.set(start, "open")
    while (stack.length > 0) {
      const [node, rest] = stack[stack.length - 1]!
      const next = rest.next()
      if (next.done) {
        state.set(node, "done")
        stack.pop()
      } else if (state.get(next.value) === "open") return true
      else if (!state.has(next.value)) {
        state.set(next.value, "open")
        stack.push([next.value, (waits.get(next.value) ?? new Set<number>()).values()])
      }
    }
  }
  return false
}
