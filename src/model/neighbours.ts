// Neighbour lists of a graph, for searches over routers.
import { bfs, type Csr, csr } from "../core/csr.ts"
import type { Graph } from "./graph.ts"
import type { Router } from "./ids.ts"

/** Returns the routers that each router's channels lead to, in port order; parallel links repeat. */
export function neighbours({ routers, chans, far, routerOf }: Graph): Csr {
  let n = 0
  for (let c = 0; c < chans; c++) if (far[c] >= 0) n++
  const from = new Int32Array(n)
  const to = new Int32Array(n)
  n = 0
  for (let c = 0; c < chans; c++) {
    if (far[c] < 0) continue
    from[n] = routerOf[c]
    to[n++] = routerOf[far[c]]
  }
  return csr(routers, from, to)
}

/** Returns the router where rail `rail` of endpoint e ejects. */
export function homeRouter(graph: Graph, e: number, rail = 0): Router {
  return graph.routerOf[graph.home[e * graph.rails + rail]]
}

/**
 * Returns a function with the number of links of a shortest path. It searches from a router at the first call for
 * this router, and stores the result.
 */
export function distances(graph: Graph): (from: Router, to: Router) => number {
  const next = neighbours(graph)
  const known = new Map<Router, Uint16Array>()
  const queue = new Int32Array(graph.routers)
  const search = (from: Router): Uint16Array => {
    const links = new Uint16Array(graph.routers)
    bfs(next, from, links, queue)
    known.set(from, links)
    return links
  }
  return (from, to) => (known.get(from) ?? search(from))[to]
}
