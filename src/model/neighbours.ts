import { type Csr, csr } from "../core/csr.ts"
import type { Graph } from "./graph.ts"
import type { Router } from "./ids.ts"

/** The routers that each router's channels arrive at, in port order; parallel links repeat. */
export function neighbours({ routers, chans, far, routerOf }: Graph): Csr {
  let n = 0
  for (let c = 0; c < chans; c++) if (far[c]! >= 0) n++
  const from = new Int32Array(n)
  const to = new Int32Array(n)
  n = 0
  for (let c = 0; c < chans; c++) {
    if (far[c]! < 0) continue
    from[n] = routerOf[c]!
    to[n++] = routerOf[far[c]!]!
  }
  return csr(routers, from, to)
}

/** The router where rail `rail` of endpoint e ejects. */
export function homeRouter(graph: Graph, e: number, rail = 0): Router {
  return graph.routerOf[graph.home[e * graph.rails + rail]!]!
}
