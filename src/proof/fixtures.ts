// Small networks and routing tables for the tests of this folder.
import { type Graph, GraphBuilder } from "../model/graph.ts"
import type { Packet, Port, Router, Vc } from "../model/ids.ts"
import type { Candidates, NetView, RoutingFunction } from "../model/routing.ts"
import type { Topology } from "../model/topology.ts"
import type { Subject } from "./subject.ts"

/** A network from an undirected edge list, one endpoint on each router (port 0), further ports in the order of the
 *  list. */
export function fromEdges(routers: number, edges: readonly (readonly [Router, Router])[], perRouter = 1): Topology {
  const ports = new Int32Array(routers).fill(perRouter)
  for (const [a, b] of edges) {
    ports[a]++
    ports[b]++
  }
  const build = new GraphBuilder(routers * perRouter, routers, ports, { classes: ["end", "link"] })
  const next = new Int32Array(routers).fill(perRouter)
  for (let e = 0; e < routers * perRouter; e++) build.attach(e, Math.floor(e / perRouter), e % perRouter)
  for (const [a, b] of edges) build.link(a, next[a]++, b, next[b]++)
  return topologyOf("test", build.finish())
}

/** A ring; port p.. are endpoints, then clockwise, then counter-clockwise. */
export function ring(routers: number, perRouter = 1): Topology {
  const build = new GraphBuilder(routers * perRouter, routers, perRouter + 2, { classes: ["end", "ring"] })
  for (let e = 0; e < routers * perRouter; e++) build.attach(e, Math.floor(e / perRouter), e % perRouter)
  for (let r = 0; r < routers; r++) build.link(r, perRouter, (r + 1) % routers, perRouter + 1)
  return topologyOf("ring", build.finish())
}

/** A square mesh, one endpoint on each router; ports: endpoint, +x, -x, +y, -y. */
export function mesh(side: number): Topology {
  const build = new GraphBuilder(side * side, side * side, 5, { classes: ["end", "x", "y"] })
  for (let r = 0; r < side * side; r++) {
    build.attach(r, r, 0)
    if (r % side < side - 1) build.link(r, 1, r + 1, 2, 1)
    if (r + side < side * side) build.link(r, 3, r + side, 4, 2)
  }
  return topologyOf("mesh", build.finish())
}

export function topologyOf(name: string, graph: Graph): Topology {
  const { routers, far, routerOf, firstChan } = graph
  const hops = (a: Router, b: Router): number => {
    const dist = new Int32Array(routers).fill(-1)
    dist[a] = 0
    const queue = [a]
    for (const r of queue) {
      for (let c = firstChan[r]; c < firstChan[r + 1]; c++) {
        const there = far[c] >= 0 ? routerOf[far[c]] : r
        if (dist[there] >= 0) continue
        dist[there] = dist[r] + 1
        queue.push(there)
      }
    }
    return dist[b]
  }
  return { name, graph, hops, label: (r) => `r${r}` }
}

/** Always clockwise; the VC as a function of position. */
export function clockwise(
  t: Topology,
  vcOf: (at: Router, inVc: Vc, injected: boolean, net: NetView, p: Packet) => Vc,
): RoutingFunction {
  const { graph } = t
  const perRouter = graph.ends / graph.routers
  return {
    route(p: Packet, at: Router, inPort: Port, inVc: Vc, net: NetView, out: Candidates) {
      const dst = net.dst(p)
      if (Math.floor(dst / perRouter) === at) return out.add(dst % perRouter, 1, 0)
      out.add(perRouter, 1 << vcOf(at, inVc, inPort < perRouter, net, p), 0)
    },
  }
}

export function subjectOf(
  topology: Topology,
  routing: RoutingFunction,
  vcs: number,
  more: Partial<Subject> = {},
): Subject {
  return { topology, routing, vcs, scratch: 0, candidates: 8, ...more }
}
