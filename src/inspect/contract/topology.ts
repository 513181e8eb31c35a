// The contracts of topologies: links in both directions, the promised size, and distances that equal a graph search.
import { endMark, endOf, type Graph } from "../../model/graph.ts"
import type { Topology } from "../../model/topology.ts"
import { contracts, type Finding, looked } from "./finding.ts"

export interface Family {
  /** links are unidirectional */
  readonly oneWay?: boolean
  /** hops() counts paths with at most one link of class "global", which are minimal in this family */
  readonly hierarchical?: boolean
  /** size() only states that it is unknown */
  readonly unsized?: boolean
}

type Size = Pick<Graph, "ends" | "routers" | "chans">

/** Checks a built topology against its declarations. */
export function topologyContract(name: string, topology: Topology, size: Size, family: Family = {}): Finding[] {
  return looked((found) => {
    const { graph } = topology
    const wrong = wrongWires(graph, family.oneWay === true)
    if (wrong.length > 0) found(contracts.wired, wrong.slice(0, 3).join("; "))
    if (topology.name !== name) found(contracts.size, `it calls itself "${topology.name}", the plug-in is "${name}"`)
    const told = (s: Size) => `${s.ends} endpoints, ${s.routers} routers, ${s.chans} channels`
    if (family.unsized !== true && told(size) !== told(graph))
      found(contracts.size, `size() promises ${told(size)}; built are ${told(graph)}`)
    for (let a = 0; a < graph.routers; a++) {
      const links = distances(graph, a, family.hierarchical === true ? 1 : 0)
      for (let b = 0; b < graph.routers; b++)
        if (topology.hops(a, b) !== links[b])
          found(contracts.distances, `hops(${a}, ${b}) is ${topology.hops(a, b)}, the graph says ${links[b]}`)
      const label: unknown = topology.label(a)
      if (typeof label !== "string" || label === "") found(contracts.distances, `router ${a} has no label`)
    }
    const classes = topology.classSizes?.reduce((sum, n) => sum + n, 0)
    if (classes !== undefined && classes !== graph.routers)
      found(contracts.size, `classSizes add up to ${classes}, there are ${graph.routers} routers`)
  })
}

/** Returns descriptions of channels that end at the wrong place. */
function wrongWires(graph: Graph, oneWay: boolean): string[] {
  const { far, near, home, entry, rails, routerOf, latency, linkClass } = graph
  const wrong: string[] = []
  for (let c = 0; c < graph.chans; c++) {
    const f = far[c]
    if (f < -1 && !home.subarray(endOf(f) * rails, (endOf(f) + 1) * rails).includes(c))
      wrong.push(`channel ${c} ejects to ${endOf(f)}, which is not at home`)
    if (f < 0) continue
    if (near[f] !== c) wrong.push(`channel ${c} arrives at ${f}, which is fed by ${near[f]}`)
    if (routerOf[f] === routerOf[c]) wrong.push(`router ${routerOf[c]} is linked to itself`)
    if (latency[c] < 1) wrong.push(`channel ${c} takes no time`)
    if (oneWay) continue
    if (far[f] !== c || latency[f] !== latency[c] || linkClass[f] !== linkClass[c])
      wrong.push(`channel ${c} has no equal channel in the opposite direction`)
  }
  for (let e = 0; e < graph.ends * rails; e++)
    if (near[entry[e]] !== endMark(Math.floor(e / rails))) wrong.push(`rail ${e} does not inject where it says`)
  return wrong
}

/**
 * Returns the links from router `a` to every other, Infinity without a path; with at most `globals` links of class
 * "global" if that is not 0.
 */
function distances(graph: Graph, a: number, globals: number): Float64Array {
  const { firstChan, far, routerOf, routers, classes, linkClass } = graph
  const isGlobal = globals === 0 ? -1 : classes.indexOf("global")
  // Breadth-first search over pairs of router and number of global links used.
  const cost = new Float64Array(routers * (globals + 1)).fill(Number.POSITIVE_INFINITY)
  cost[a] = 0
  const queue = [a]
  for (const state of queue) {
    const r = state % routers
    for (let c = firstChan[r]; c < firstChan[r + 1]; c++) {
      if (far[c] < 0) continue
      const next = routerOf[far[c]] + state - r + (linkClass[c] === isGlobal ? routers : 0)
      if (next >= cost.length || cost[next] <= cost[state] + 1) continue
      cost[next] = cost[state] + 1
      queue.push(next)
    }
  }
  return cost.slice(0, routers).map((least, r) => (globals === 0 ? least : Math.min(least, cost[routers + r])))
}
