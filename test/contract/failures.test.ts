// Failed links: routings that can go round them do, still free of deadlock by the proof; the others are refused because
// a packet would meet an unwired port.
import { describe, expect, test } from "vitest"
import { Draws } from "../../src/core/rng.ts"
import { type Built, Walker } from "../../src/inspect/contract/walk.ts"
import type { Topology } from "../../src/model/topology.ts"
import { prove } from "../../src/proof/prove.ts"
import { build, parsed, type Raw, routingNamed, site, topologyNamed } from "./cases.ts"

function broken(name: string, on: Raw, failed: readonly string[], failures = 0): Topology {
  return build(name, { ...on, failed, failures })
}

function routed(topology: Topology, name: string, raw: Raw = {}): Built {
  const plugin = routingNamed(name)
  const params = parsed(plugin, raw)
  const vcs = plugin.vcs(params, topology as never)
  const on = { topology, vcs, rng: new Draws(1) } as never
  expect(plugin.check?.(params, on) ?? []).toEqual([])
  return {
    topology,
    routing: plugin.make(params, on),
    vcs,
    scratch: plugin.scratch ?? 0,
    candidates: plugin.candidates ?? 1,
  }
}

function arrivesEverywhere(built: Built): void {
  const walker = new Walker(built)
  const chance = new Draws(3)
  const { ends } = built.topology.graph
  for (let round = 0; round < 3; round++) {
    walker.load(round)
    for (let from = 0; from < ends; from++)
      for (let to = 0; to < ends; to++)
        if (!walker.walk(from, to, round * ends * ends + from * ends + to, 64, (n) => chance.below(n)).arrived)
          throw new Error(`${from} -> ${to} never arrives`)
  }
}

describe("goes round failed links, free of deadlock", () => {
  test.each([
    ["any.shortest", "torus", { sides: "4x4" }, ["0-1"], 4],
    ["any.up-down", "torus", { sides: "4x4" }, ["0-1"], 4],
    ["any.layered", "torus", { sides: "4x4" }, ["0-1"], 4],
    ["any.shortest", "dragonfly", { p: 1, a: 4, h: 2 }, [], 5],
    ["mesh.dimension-order", "mesh", { sides: "3x3", trunk: 2 }, ["0-1/0", "4-5/1"], 0],
    ["torus.dimension-order", "torus", { sides: "4x3", trunk: 3 }, ["0-1/0", "0-1/0", "4-5/2"], 0],
    ["hyperx.minimal", "hyperx", { sides: "3x3", links: "2" }, ["0-1/1"], 0],
    ["hyperx.dimwar", "hyperx", { sides: "4x4" }, ["0-1", "5-13"], 0],
    ["tree.nearest-ancestor", "tree", { k: 3, n: 3 }, ["0-9", "20-11"], 0],
    ["dragonfly.minimal", "dragonfly", { p: 1, a: 4, h: 2, g: 3 }, ["0-8", "1-9"], 0],
    ["dragonfly.ugal-l", "dragonfly", { p: 1, a: 4, h: 2, g: 3 }, ["0-4"], 0],
    ["dragonfly.par-codes", "dragonfly", { p: 1, a: 4, h: 3, g: 4, arrangement: "codes" }, ["0-7"], 0],
  ] as const)("%s on %s %j without %j and %i random ones", (routing, topology, on, links, random) => {
    const built = routed(broken(topology, on, links, random), routing)
    expect(built.topology.graph.far.filter((f) => f >= 0).length).toBeLessThan(
      build(topology, on).graph.far.filter((f) => f >= 0).length,
    )
    arrivesEverywhere(built)
    const proof = prove(built)
    expect([proof.free, proof.faults]).toEqual([true, []])
  })
})

test("dimension order cannot go round: a packet is led to an unwired port, and the proof says so", () => {
  const proof = prove(routed(broken("mesh", { sides: "3x3" }, ["0-1"]), "mesh.dimension-order"))
  expect(proof.faults.map((f) => f.kind)).toContain("unwired")
})

test("distances follow the failures: 0 to 1 on a ring of 8 without that link takes 7 links", () => {
  expect(broken("torus", { sides: "8" }, ["0-1"]).hops(0, 1)).toBe(7)
})

test("so many random links fail as asked, the same for the same seed", () => {
  const wired = (t: Topology) => t.graph.far.filter((f) => f >= 0).length / 2
  // a torus of 4x4 has 32 links
  expect(wired(broken("torus", { sides: "4x4" }, ["0-1"], 5))).toBe(26)
  expect(broken("torus", { sides: "4x4" }, [], 5).graph.far).toEqual(broken("torus", { sides: "4x4" }, [], 5).graph.far)
})

test("complaints: no such link, nonsense, too many", () => {
  const mesh = topologyNamed("mesh")
  const told = (failed: readonly string[], failures: number) =>
    (mesh.check?.(parsed(mesh, { sides: "3", failed, failures }), site) ?? [])
      .map((c) => `${c.path}: ${c.says}; ${c.fix}`)
      .join("\n")
  expect(told(["0-2"], 0)).toContain("failed.0: there is no link 0-2; router 0 is linked to 1")
  expect(told(["9-2"], 0)).toContain("routers are 0..2")
  expect(told(["a-b"], 0)).toContain('"a-b" is not a link')
  expect(told([], 3)).toContain("failures: 3 links cannot fail, there are 2; choose at most 2")
})
