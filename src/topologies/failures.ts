// A network some of whose links have failed: the same routers, ports and numbers, but the channels of those links are unwired in both directions.
// Routings that look at the graph (any.*), or that have other links to choose from (trunks, parallel global links, up ports of trees, sideways
// hops), go round them; the others lead packets to an unwired port, which the check finds before the first cycle.
import { type Complaint, complain } from "../core/complaint.ts"
import { Distances } from "../core/csr.ts"
import type { Draws } from "../core/rng.ts"
import { int, list, schema, text, undrawn } from "../core/schema.ts"
import { type Graph, shared, UNWIRED } from "../model/graph.ts"
import type { Chan, Router } from "../model/ids.ts"
import { neighbours } from "../model/neighbours.ts"
import type { TopologyPlugin } from "../model/plugin.ts"
import type { Topology } from "../model/topology.ts"

/** `failed`: "3-7" (all links between two routers) or "3-7/1" (only the second of them); `failures`: so many more, drawn. */
export type Failures = { readonly failed: readonly string[]; readonly failures: number }

const fields = {
  failed: list(text({}), { about: "links that have failed, as 3-7 between two routers or 3-7/1 for the second of several", default: [] }),
  // a routing need not survive faults, and a topology is judged whole
  failures: undrawn(int({ about: "so many more links, drawn at random, have failed", min: 0, default: 0 })),
}

/** A topology that takes these two parameters as well. */
export function breakable(plugin: TopologyPlugin<unknown>): TopologyPlugin<unknown> {
  // what this schema has parsed has these fields beside the plug-in's own
  const failuresOf = (p: unknown) => p as Failures
  const isWhole = ({ failed, failures }: Failures) => failed.length === 0 && failures === 0
  return {
    ...plugin,
    params: schema({ ...plugin.params.fields, ...fields }),
    check(p, on) {
      const bad = plugin.check?.(p, on) ?? []
      if (bad.length > 0 || isWhole(failuresOf(p))) return bad
      const got = withFailures(plugin.make(p, on), failuresOf(p), on.rng)
      return "bad" in got ? got.bad : []
    },
    make(p, on) {
      const whole = plugin.make(p, on)
      if (isWhole(failuresOf(p))) return whole
      const got = withFailures(whole, failuresOf(p), on.rng)
      if ("bad" in got) throw new Error(`make() of ${plugin.name} without check(): ${got.bad[0]!.says}`)
      return got.ok
    },
  }
}

/** Draws of failures, apart from all that a topology draws for itself. */
const STREAM = -1

export function withFailures<T extends Topology>(topology: T, failures: Failures, rng: Draws): { ok: T } | { bad: Complaint[] } {
  const { graph } = topology
  const dead = new Set<Chan>()
  const bad: Complaint[] = []
  failures.failed.forEach((written, i) => {
    const m = /^(\d+)-(\d+)(?:\/(\d+))?$/.exec(written.trim())
    const between = m === null ? [] : linksBetween(graph, Number(m[1]), Number(m[2]))
    const chosen = m?.[3] === undefined ? between : between.slice(Number(m[3]), Number(m[3]) + 1)
    if (m === null)
      bad.push(complain(`failed.${i}`, `"${written}" is not a link`, "write A-B, or A-B/I for one of several, with router numbers"))
    else if (chosen.length === 0) bad.push(complain(`failed.${i}`, `there is no link ${written}`, nextTo(graph, Number(m[1]))))
    for (const c of chosen) dead.add(c)
  })
  const alive: Chan[] = []
  for (let c = 0; c < graph.chans; c++) if (graph.far[c]! > c && !dead.has(c) && !dead.has(graph.far[c]!)) alive.push(c)
  if (failures.failures > alive.length)
    bad.push(complain("failures", `${failures.failures} links cannot fail, there are ${alive.length}`, `choose at most ${alive.length}`))
  if (bad.length > 0) return { bad }
  rng.at(STREAM, 0)
  for (let i = 0; i < failures.failures; i++) {
    const j = i + rng.below(alive.length - i)
    const c = alive[j]!
    alive[j] = alive[i]!
    dead.add(c)
  }
  return { ok: masked(topology, dead) }
}

/** Channels from one router to another, in port order. */
function linksBetween({ routers, firstChan, far, routerOf }: Graph, a: Router, b: Router): Chan[] {
  const found: Chan[] = []
  if (a >= routers) return found
  for (let c = firstChan[a]!; c < firstChan[a + 1]!; c++) if (far[c]! >= 0 && routerOf[far[c]!] === b) found.push(c)
  return found
}

function nextTo({ routers, firstChan, far, routerOf }: Graph, a: Router): string {
  if (a >= routers) return `routers are 0..${routers - 1}`
  const peers = new Set<Router>()
  for (let c = firstChan[a]!; c < firstChan[a + 1]!; c++) if (far[c]! >= 0) peers.add(routerOf[far[c]!]!)
  return `router ${a} is linked to ${[...peers].join(", ")}`
}

/** The topology's own methods on another graph; distances are searched, and nothing is known to look alike any more. */
function masked<T extends Topology>(topology: T, dead: ReadonlySet<Chan>): T {
  const far = copy(topology.graph.far)
  const near = copy(topology.graph.near)
  for (const c of dead) {
    const back = topology.graph.far[c]!
    for (const [out, into] of [
      [c, back],
      [back, c],
    ] as const) {
      if (far[out] !== into) continue
      far[out] = UNWIRED
      near[into] = UNWIRED
    }
  }
  const graph: Graph = { ...topology.graph, far, near }
  const distances = new Distances(neighbours(graph))
  return Object.create(topology, {
    graph: { value: graph, enumerable: true },
    hops: { value: (a: Router, b: Router) => distances.between(a, b) },
    representatives: { value: undefined },
    classSizes: { value: undefined },
  })
}

function copy(column: Int32Array): Int32Array {
  const into = shared(Int32Array, column.length)
  into.set(column)
  return into
}
