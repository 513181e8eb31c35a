// The links of a network for drawing and export: equal links between the same two routers form one bundle.
import type { Topology } from "../../model/topology.ts"

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

/** Every link once (a < b unless it is one-way), router by router. */
export function bundles({ graph }: Topology): LinkBundle[] {
  const { routers, firstChan, far, routerOf, linkClass, latency, classes } = graph
  const all: { -readonly [K in keyof LinkBundle]: LinkBundle[K] }[] = []
  for (let a = 0; a < routers; a++) {
    /** of this router: other end and class -> place in `all` of the last such bundle */
    const own = new Map<number, number>()
    for (let c = firstChan[a]; c < firstChan[a + 1]; c++) {
      const there = far[c]
      if (there < 0) continue
      const oneWay = far[there] !== c
      const b = routerOf[there]
      if (!oneWay && a > b) continue
      const key = b * 256 + linkClass[c]
      const known = all[own.get(key) ?? -1]
      if (known?.latency === latency[c]) known.count++
      else own.set(key, all.push({ a, b, linkClass: classes[linkClass[c]], latency: latency[c], count: 1, oneWay }) - 1)
    }
  }
  return all
}

/** [router] -> endpoints whose rail 0 ends there. */
export function endpointsOn({ graph }: Topology): Int32Array {
  const on = new Int32Array(graph.routers)
  for (let e = 0; e < graph.ends; e++) on[graph.routerOf[graph.home[e * graph.rails]]]++
  return on
}
