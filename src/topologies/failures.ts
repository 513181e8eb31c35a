// Topologies with failed links. Every topology of the library is wrapped by `breakable`, which adds the parameters
// `failed` and `failures`. The network keeps its routers, ports and numbers; only the channels of the failed links are
// unwired, in both directions.
//
// A routing that looks at the graph (any.*), or that has other links to choose from (trunks, parallel global links, up
// ports of trees, sideways hops), avoids the failed links. Other routings lead packets to an unwired port. The check of
// the experiment finds that before the first cycle.
import { type Complaint, complain } from "../core/complaint.ts"
import { Distances } from "../core/csr.ts"
import type { Draws } from "../core/rng.ts"
import { int, list, schema, text, undrawn } from "../core/schema.ts"
import { type Graph, shared, UNWIRED } from "../model/graph.ts"
import type { Chan, Router } from "../model/ids.ts"
import { neighbours } from "../model/neighbours.ts"
import type { TopologyPlugin } from "../model/plugin.ts"
import type { Topology } from "../model/topology.ts"

/** `failed`: "3-7" (all links between two routers) or "3-7/1" (only the second of them); `failures`: the number of
 *  further links, which are drawn at random. */
export type Failures = { readonly failed: readonly string[]; readonly failures: number }

const fields = {
  failed: list(text({}), {
    about: "Failed links, as 3-7 between two routers or 3-7/1 for the second of several",
    default: [],
  }),
  // not drawn by the contract checks: a routing need not survive failures, and a topology is checked without them
  failures: undrawn(int({ about: "Number of further failed links, drawn at random", min: 0, default: 0 })),
}

/** Returns the plug-in with the two parameters added. Without failures it makes the same topology as before. */
export function breakable(plugin: TopologyPlugin<unknown>): TopologyPlugin<unknown> {
  // the schema below parses these fields in addition to those of the plug-in
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
      if ("bad" in got) throw new Error(`make() of ${plugin.name} without check(): ${got.bad[0].says}`)
      return got.ok
    },
  }
}

/** The random stream of the failures. It is separate from the draws of the topology itself, so that failures do not
 *  change a random topology. */
const STREAM = -1

/** Returns the topology without its failed links, or the errors in the parameters. */
export function withFailures<T extends Topology>(
  topology: T,
  failures: Failures,
  rng: Draws,
): { ok: T } | { bad: Complaint[] } {
  const { graph } = topology
  const dead = new Set<Chan>()
  const bad: Complaint[] = []
  failures.failed.forEach((written, i) => {
    const m = /^(\d+)-(\d+)(?:\/(\d+))?$/.exec(written.trim())
    const between = m === null ? [] : linksBetween(graph, Number(m[1]), Number(m[2]))
    const chosen = m?.[3] === undefined ? between : between.slice(Number(m[3]), Number(m[3]) + 1)
    if (m === null)
      bad.push(
        complain(
          `failed.${i}`,
          `"${written}" is not a link`,
          "write A-B, or A-B/I for one of several, with router numbers",
        ),
      )
    else if (chosen.length === 0)
      bad.push(complain(`failed.${i}`, `there is no link ${written}`, nextTo(graph, Number(m[1]))))
    for (const c of chosen) dead.add(c)
  })
  const alive: Chan[] = []
  for (let c = 0; c < graph.chans; c++) if (graph.far[c] > c && !dead.has(c) && !dead.has(graph.far[c])) alive.push(c)
  if (failures.failures > alive.length)
    bad.push(
      complain(
        "failures",
        `${failures.failures} links cannot fail, there are ${alive.length}`,
        `choose at most ${alive.length}`,
      ),
    )
  if (bad.length > 0) return { bad }
  rng.at(STREAM, 0)
  // the first steps of a Fisher-Yates shuffle: each set of links is equally likely
  for (let i = 0; i < failures.failures; i++) {
    const j = i + rng.below(alive.length - i)
    const c = alive[j]
    alive[j] = alive[i]
    dead.add(c)
  }
  return { ok: masked(topology, dead) }
}

/** Returns the channels from one router to another, in port order. */
function linksBetween({ routers, firstChan, far, routerOf }: Graph, a: Router, b: Router): Chan[] {
  const found: Chan[] = []
  if (a >= routers) return found
  for (let c = firstChan[a]; c < firstChan[a + 1]; c++) if (far[c] >= 0 && routerOf[far[c]] === b) found.push(c)
  return found
}

/** Returns a hint for an error message: the routers to which router a is linked. */
function nextTo({ routers, firstChan, far, routerOf }: Graph, a: Router): string {
  if (a >= routers) return `routers are 0..${routers - 1}`
  const peers = new Set<Router>()
  for (let c = firstChan[a]; c < firstChan[a + 1]; c++) if (far[c] >= 0) peers.add(routerOf[far[c]])
  return `router ${a} is linked to ${[...peers].join(", ")}`
}

/** Returns the topology with another graph. It inherits the methods of the original, except for two: distances are
 *  searched in the graph, and no routers are known to be symmetric any more. */
function masked<T extends Topology>(topology: T, dead: ReadonlySet<Chan>): T {
  const far = copy(topology.graph.far)
  const near = copy(topology.graph.near)
  for (const c of dead) {
    const back = topology.graph.far[c]
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
