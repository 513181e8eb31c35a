// The images of explored dependencies: an order of link classes and VCs stands for them, and gives the same verdict as
// writing them down.
import { describe, expect, test } from "vitest"
import { made } from "../../test/contract/topology-checks.ts"
import { Draws } from "../core/rng.ts"
import type { RoutingPlugin } from "../model/plugin.ts"
import type { Topology } from "../model/topology.ts"
import dragonflyMinimal from "../routing/dragonfly/minimal.ts"
import torusOrder from "../routing/torus/dimension-order.ts"
import dragonfly from "../topologies/dragonfly.ts"
import torus from "../topologies/torus.ts"
import { prove } from "./prove.ts"
import type { Subject } from "./subject.ts"

function subject<P, T extends Topology>(topology: T, plugin: RoutingPlugin<P, T>, vcs: number): Subject {
  const params = plugin.params.parse({}, "")
  if ("bad" in params) throw new Error(JSON.stringify(params.bad))
  const routing = plugin.make(params.ok as P, { topology, vcs, rng: new Draws(1) })
  return { topology, routing, vcs, scratch: 4, candidates: 4 }
}
/** A budget of nothing, so that the proof economises as for the largest networks. */
const large = { budget: 0 }

describe("a dragonfly, which link class and VC order", () => {
  const s = subject(made(dragonfly, { p: 2, a: 4, h: 2 }), dragonflyMinimal, 2)
  test("the verdict is that of the closed dependencies", () => {
    const closed = prove(s, large)
    const imagined = prove(s, { ...large, closed: 0 })
    expect(closed.walked).toMatchObject({ economy: "symmetry", imagined: false })
    expect(imagined.walked).toMatchObject({ economy: "symmetry", imagined: true, spots: 48 })
    expect(imagined).toMatchObject({ free: true, by: "order", faults: [], hopBound: closed.hopBound })
    // The walk with a few draws reaches all destinations of a small network, so it finds each image itself.
    expect(imagined.deps.edges).toBe(closed.deps.edges)
    expect(imagined.words).toMatch(/3 levels, \d+ dependencies and their images$/)
    // local, global, local
    expect(imagined.verdict.free && closed.verdict.free && imagined.verdict.levels).toBe(
      closed.verdict.free ? closed.verdict.levels : -1,
    )
  })
  test("with one VC, local links wait for local links: a cycle is found as before", () => {
    const one = { ...subject(made(dragonfly, { p: 2, a: 4, h: 2 }), dragonflyMinimal, 1), fold: true }
    expect(prove(one, { ...large, closed: 0 })).toMatchObject({ free: false, by: "cycle" })
  })
})

test("a torus, whose rings link class and VC do not order: the images are written down", () => {
  const s = subject(made(torus, { sides: "6x6", p: 1 }), torusOrder, 2)
  const proof = prove(s, { ...large, closed: 0 })
  expect(proof).toMatchObject({ free: true, by: "order" })
  expect(proof.walked.imagined).toBe(false)
})
