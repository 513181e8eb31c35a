// Partitions the routers of the clocked engines, for cache locality and for workers. engine.ts in this folder calls it.
import type { Graph } from "../../model/graph.ts"
import type { Topology } from "../../model/topology.ts"

/**
 * Returns [router] -> unit: routers that must be in the same partition, because an endpoint sends to one and receives
 * from the other (networks with stages). Units are numbered in order of their first routers.
 */
export function unitsOf({ routers, ends, rails, entry, home, routerOf }: Graph): {
  readonly unit: Int32Array
  readonly count: number
} {
  const first = Int32Array.from({ length: routers }, (_, r) => r)
  const root = (r: number): number => {
    while (first[r] !== r) r = first[r]
    return r
  }
  for (let e = 0; e < ends * rails; e++) {
    const a = root(routerOf[entry[e]])
    const b = root(routerOf[home[e]])
    first[Math.max(a, b)] = Math.min(a, b)
  }
  const unit = new Int32Array(routers)
  let count = 0
  for (let r = 0; r < routers; r++) unit[r] = root(r) === r ? count++ : unit[root(r)]
  return { unit, count }
}

/** Returns [router] -> group, numbered from 0 without gaps; undefined if the family has no groups. */
export function groupsOf({ group }: Topology): { readonly group: Int32Array; readonly count: number } | undefined {
  if (group === undefined) return undefined
  const numbers = new Map([...new Set(group)].sort((a, b) => a - b).map((g, i) => [g, i]))
  return { group: group.map((g) => numbers.get(g)!), count: numbers.size }
}

/**
 * Returns the partition of each router: neighbouring routers together, groups undivided if possible. No partition is
 * empty.
 */
export function partition(topology: Topology, parts: number): Uint8Array {
  const { routers } = topology.graph
  const of = new Uint8Array(routers)
  const { unit, count } = unitsOf(topology.graph)
  if (count < routers) return of.map((_, r) => Math.floor((unit[r] * parts) / count))
  const groups = groupsOf(topology)
  const whole = groups !== undefined && groups.count >= parts
  for (let r = 0; r < routers; r++)
    of[r] = Math.floor(((whole ? groups.group[r] : r) * parts) / (whole ? groups.count : routers))
  return of
}
