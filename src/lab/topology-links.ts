import type { Topology } from "../model/topology.ts"

/** The links between two routers that are alike, and how many of them run side by side. */
export interface LinkBundle {
  readonly a: number
  readonly b: number
  readonly linkClass: string
  readonly latency: number
  readonly count: number
  /** from a to b only */
  readonly oneWay: boolean
}

/** Every link once (a < b unless it is one-way), in the order of its first channel. */
export function bundles({ graph }: Topology): LinkBundle[] {
  const { chans, far, routerOf, linkClass, latency, classes } = graph
  const found = new Map<string, { bundle: Omit<LinkBundle, "count">; count: number }>()
  for (let c = 0; c < chans; c++) {
    const there = far[c]!
    if (there < 0) continue
    const oneWay = far[there] !== c
    const a = routerOf[c]!
    const b = routerOf[there]!
    if (!oneWay && a > b) continue
    const key = `${a} ${b} ${linkClass[c]} ${latency[c]}`
    const known = found.get(key)
    if (known !== undefined) known.count++
    else found.set(key, { bundle: { a, b, linkClass: classes[linkClass[c]!]!, latency: latency[c]!, oneWay }, count: 1 })
  }
  return Array.from(found.values(), ({ bundle, count }) => ({ ...bundle, count }))
}

/** [router] -> endpoints whose rail 0 ends there. */
export function endpointsOn({ graph }: Topology): Int32Array {
  const on = new Int32Array(graph.routers)
  for (let e = 0; e < graph.ends; e++) on[graph.routerOf[graph.home[e * graph.rails]!]!]!++
  return on
}
