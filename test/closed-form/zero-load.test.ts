// Latency of a packet that is alone in the network: 1 + injection link + ejection link + H routers x P steps + links +
// (n - 1) flits behind the head, and for buffers of B flits with a round trip of T cycles another floor((n - 1) / B) x
// max(0, T - B).
import { describe, expect, it } from "vitest"
import type { Named } from "../../src/model/experiment.ts"
import { engineOf, type Wish } from "../support/machine.ts"

/** The latencies of one packet every 400 cycles from endpoint `from` to endpoint `to`, and the routers that they visit.
 *  */
function alone(w: Wish, from: number, to: number, flits: number): { least: number; most: number; hops: number } {
  const pattern: Named = { name: "fixed", pairs: [[from, to]] }
  const arrivals: Named = { name: "periodic", phase: "none" }
  const engine = engineOf({ ...w, traffic: [{ pattern, arrivals, flits, load: flits / 400 }] })
  engine.advance(2400)
  expect(engine.stat("measured")).toBeGreaterThanOrEqual(5)
  expect(engine.audit()).toEqual([])
  return { least: engine.stat("min"), most: engine.stat("max"), hops: engine.stat("hops") / engine.stat("measured") }
}

interface Case {
  readonly net: string
  readonly on: Wish
  readonly from: number
  readonly to: number
  /** routers visited, sum of the latencies of the links between them */
  readonly routers: number
  readonly links: number
}

const mesh: Wish = { topology: { name: "mesh", k: 8, n: 2 } }
const torus: Wish = { topology: { name: "torus", k: 8, n: 2 }, routing: { name: "torus.dimension-order" } }
const tree: Wish = { topology: { name: "tree", k: 4, n: 3 }, routing: { name: "tree.nearest-ancestor" } }
const butterfly: Wish = { topology: { name: "butterfly", k: 4, n: 3 }, routing: { name: "butterfly.destination-tag" } }
const hyperx: Wish = { topology: { name: "hyperx", k: 4, n: 2, p: 4 }, routing: { name: "hyperx.minimal" } }
const cmesh: Wish = { topology: { name: "cmesh", k: 4 }, routing: { name: "cmesh.dimension-order", express: false } }
const dragonfly: Wish = {
  topology: { name: "dragonfly", p: 2, a: 4, h: 2, arrangement: "absolute" },
  routing: { name: "dragonfly.booksim-minimal" },
  endpoint: { name: "simple", vc: "random" },
}

const cases: readonly Case[] = [
  { net: "mesh, to itself", on: mesh, from: 9, to: 9, routers: 1, links: 0 },
  { net: "mesh, one step", on: mesh, from: 9, to: 10, routers: 2, links: 1 },
  { net: "mesh, corner to corner", on: mesh, from: 0, to: 63, routers: 15, links: 14 },
  { net: "torus, around the edge", on: torus, from: 0, to: 63, routers: 3, links: 2 * 2 },
  { net: "torus, half way in both", on: torus, from: 0, to: 36, routers: 9, links: 8 * 2 },
  { net: "torus, links of 1", on: { ...torus, links: { link: "1cycle" } }, from: 0, to: 27, routers: 7, links: 6 },
  { net: "tree, same leaf", on: tree, from: 0, to: 3, routers: 1, links: 0 },
  { net: "tree, one level up", on: tree, from: 0, to: 4, routers: 3, links: 2 },
  { net: "tree, over the top", on: tree, from: 0, to: 63, routers: 5, links: 4 },
  { net: "butterfly", on: butterfly, from: 5, to: 58, routers: 3, links: 2 },
  { net: "hyperx, one dimension", on: hyperx, from: 0, to: 4, routers: 2, links: 1 },
  { net: "hyperx, two dimensions", on: hyperx, from: 0, to: 63, routers: 3, links: 2 },
  { net: "cmesh, corner to corner", on: cmesh, from: 0, to: 63, routers: 7, links: 6 * 2 },
  // group 0, switch 0 has the global link to group 1; it ends at the switch of group 1 whose link to group 0 is its
  // first: switch 0
  { net: "dragonfly, same switch", on: dragonfly, from: 0, to: 1, routers: 1, links: 0 },
  { net: "dragonfly, same group", on: dragonfly, from: 0, to: 2, routers: 2, links: 10 },
  { net: "dragonfly, straight to group 1", on: dragonfly, from: 0, to: 8, routers: 2, links: 100 },
  { net: "dragonfly, local global local", on: dragonfly, from: 2, to: 12, routers: 4, links: 10 + 100 + 10 },
]

describe("zero-load latency", () => {
  for (const { net, on, from, to, routers, links } of cases) {
    for (const flits of [1, 5]) {
      // 1 + 1 + 1 for the way in and out, 4 stages (route, VC, switch, crossbar) in each router
      const sum = 3 + routers * 4 + links + (flits - 1)
      it(`${net}: ${flits} flit(s) in ${sum} cycles`, () => {
        expect(alone(on, from, to, flits)).toEqual({ least: sum, most: sum, hops: routers })
      })
    }
  }
})

/** Mesh 8x8 from 0 to 63: 15 routers, 14 links of 1. */
const options: readonly { what: string; switch: Wish["switch"]; stages: number; flits: number; extra?: number }[] = [
  { what: "look-ahead", switch: { route: 0 }, stages: 3, flits: 1 },
  { what: "look-ahead", switch: { route: 0 }, stages: 3, flits: 5 },
  { what: "routing of 3 steps", switch: { route: 3 }, stages: 6, flits: 5 },
  { what: "VC allocation of 2 steps", switch: { vc: 2 }, stages: 5, flits: 5 },
  { what: "crossbar of 3 steps", switch: { traverse: 3 }, stages: 6, flits: 1 },
  // batches count cycles: with two steps a cycle the crossbar begins in the second of cycle 1 and is done in the first
  // of cycle 2, as BookSim2 has it
  {
    what: "crossbar of 2 cycles in a core of double speed",
    switch: { traverse: 2, speed: 2, stages: "batches" },
    stages: 3,
    flits: 1,
  },
  {
    what: "routing of 2 cycles in a core of double speed",
    switch: { route: 2, speed: 2, stages: "batches" },
    stages: 3,
    flits: 1,
  },
  { what: "crossbar of 2 cycles in batches", switch: { traverse: 2, stages: "batches" }, stages: 5, flits: 1 },
  { what: "speculation", switch: { speculative: true }, stages: 3, flits: 1 },
  { what: "look-ahead and speculation", switch: { route: 0, speculative: true }, stages: 2, flits: 1 },
  { what: "look-ahead and speculation", switch: { route: 0, speculative: true }, stages: 2, flits: 5 },
  // 4 or 3 steps take 2 cycles of a core that makes two steps in each
  { what: "a core of speed 2", switch: { speed: 2 }, stages: 2, flits: 1 },
  { what: "a core of speed 2", switch: { speed: 2 }, stages: 2, flits: 5 },
  { what: "a core of speed 2 with look-ahead", switch: { speed: 2, route: 0 }, stages: 2, flits: 5 },
  { what: "a held crossbar", switch: { hold: true }, stages: 4, flits: 5 },
  { what: "cut-through", switch: { flow: "cut-through" }, stages: 4, flits: 5 },
  { what: "one buffer for all VCs", switch: { sharing: "damq" }, stages: 4, flits: 5 },
  { what: "wavefront allocators", switch: { vcAllocator: "wavefront", swAllocator: "wavefront" }, stages: 4, flits: 5 },
  // a slot is used again after crossbar 1 + link 1 + credit link 1 + 2 switch allocations = 5 cycles
  { what: "buffers of 1", switch: { buffer: "1flit" }, stages: 4, flits: 5, extra: 4 * (5 - 1) },
  { what: "buffers of 2", switch: { buffer: "2flits" }, stages: 4, flits: 5, extra: 2 * (5 - 2) },
  { what: "buffers of 2", switch: { buffer: "2flits" }, stages: 4, flits: 24, extra: 11 * (5 - 2) },
  { what: "buffers of 4", switch: { buffer: "4flits" }, stages: 4, flits: 24, extra: 5 * (5 - 4) },
  {
    what: "buffers of 4, credits 2 later",
    switch: { buffer: "4flits", creditDelay: "2cycles" },
    stages: 4,
    flits: 24,
    extra: 5 * (7 - 4),
  },
  { what: "buffers of 8, credits 2 later", switch: { buffer: "8flits", creditDelay: "2cycles" }, stages: 4, flits: 24 },
]

describe("zero-load latency by option", () => {
  for (const { what, switch: sw, stages, flits, extra = 0 } of options) {
    const sum = 3 + 15 * stages + 14 + (flits - 1) + extra
    it(`${what}, ${flits} flit(s): ${sum} cycles`, () => {
      expect(alone({ ...mesh, ...(sw !== undefined ? { switch: sw } : {}) }, 0, 63, flits)).toEqual({
        least: sum,
        most: sum,
        hops: 15,
      })
    })
  }

  it("hyperx with the latency of its wires: 3 + 4 H + 2 for each column and row", () => {
    const wired: Wish = {
      topology: { name: "hyperx", k: 4, n: 2, p: 4, block: [2, 2], latency: "distance" },
      routing: { name: "hyperx.minimal" },
    }
    // endpoints lie on 8 columns; endpoint 0 is at the first router, endpoint 63 at router (3, 3)
    expect(alone(wired, 0, 63, 1)).toEqual({ least: 3 + 4 * 3 + 2 * 6, most: 27, hops: 3 })
  })
})
