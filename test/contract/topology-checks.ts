// What every generator must satisfy (algorithms.md, section 1): used by the tests of the topologies.
import { expect } from "vitest"
import { bfs, FAR } from "../../src/core/csr.ts"
import { Draws } from "../../src/core/rng.ts"
import { endMark, type Graph } from "../../src/model/graph.ts"
import { neighbours } from "../../src/model/neighbours.ts"
import type { TopologyPlugin } from "../../src/model/plugin.ts"
import type { Topology } from "../../src/model/topology.ts"

export const site = { rng: new Draws(1) }

/** Parses, checks and builds; a complaint fails the test. */
export function made<P, T extends Topology>(plugin: TopologyPlugin<P, T>, raw: Record<string, unknown>): T {
  const got = plugin.params.parse(raw, "")
  if ("bad" in got) throw new Error(JSON.stringify(got.bad))
  expect(plugin.check?.(got.ok, site) ?? []).toEqual([])
  const topology = plugin.make(got.ok, site)
  const { ends, routers, chans } = topology.graph
  expect(plugin.size(got.ok)).toEqual({ ends, routers, chans })
  expect(topology.name).toBe(plugin.name)
  return topology
}

/** The complaints about these parameters, from schema or sense. */
export function refused<P, T extends Topology>(plugin: TopologyPlugin<P, T>, raw: Record<string, unknown>): string[] {
  const got = plugin.params.parse(raw, "")
  const bad = "bad" in got ? got.bad : (plugin.check?.(got.ok, site) ?? [])
  return bad.map((c) => `${c.path}: ${c.says}; ${c.fix}`)
}

/** Each port's peer's peer is itself, no link joins a router to itself, endpoints are where `home` says. */
export function sound({ graph: g }: Topology): void {
  const wrong: string[] = []
  for (let c = 0; c < g.chans; c++) {
    const f = g.far[c]
    if (f >= 0 && g.far[f] !== c) wrong.push(`channel ${c} arrives at ${f}, which answers to ${g.far[f]}`)
    if (f >= 0 && g.routerOf[f] === g.routerOf[c]) wrong.push(`router ${g.routerOf[c]} is linked to itself`)
    if (f >= 0 && g.linkClass[f] !== g.linkClass[c]) wrong.push(`channel ${c} has two classes`)
    if (g.near[c] !== f) wrong.push(`channel ${c} has another peer in each direction`)
  }
  for (let i = 0; i < g.ends * g.rails; i++) {
    if (g.far[g.home[i]] !== endMark(Math.floor(i / g.rails)) || g.linkClass[g.home[i]] !== 0)
      wrong.push(`endpoint ${i} is not at home`)
  }
  expect(wrong).toEqual([])
}

/** Sorted router numbers next to r, parallel links repeated. */
export function around(g: Graph, r: number): number[] {
  const near: number[] = []
  for (let c = g.firstChan[r]; c < g.firstChan[r + 1]; c++) if (g.far[c] >= 0) near.push(g.routerOf[g.far[c]])
  return near.sort((a, b) => a - b)
}

/** hops() of the topology against breadth-first search from every router (or `from`); answers the largest distance. */
export function hopsAgree(t: Topology, from?: readonly number[]): number {
  const n = t.graph.routers
  const dist = new Uint16Array(n)
  const queue = new Int32Array(n)
  const g = neighbours(t.graph)
  let largest = 0
  for (const a of from ?? Array.from({ length: n }, (_, i) => i)) {
    bfs(g, a, dist, queue)
    for (let b = 0; b < n; b++) {
      const d = dist[b] === FAR ? Number.POSITIVE_INFINITY : dist[b]
      if (t.hops(a, b) !== d)
        throw new Error(`hops(${t.label(a)}, ${t.label(b)}) is ${t.hops(a, b)}, the graph says ${d}`)
      if (d !== Number.POSITIVE_INFINITY && d > largest) largest = d
    }
  }
  return largest
}
