// The ports of one router, as keys such as `sl2vlPorts` and `ports` of a scheduler number them.
import { endOf, UNWIRED } from "../model/graph.ts"
import type { Topology } from "../model/topology.ts"

export interface PortOfRouter {
  readonly port: number
  /** absent, as the link class: not connected */
  readonly to?:
    | { readonly endpoint: number }
    | { readonly router: number; readonly label: string; readonly port: number }
  readonly class?: string
}

/** Returns the ports of a router; undefined if the network does not have the router. */
export function portsOfRouter(topology: Topology, router: number): PortOfRouter[] | undefined {
  const { graph } = topology
  if (!Number.isInteger(router) || router < 0 || router >= graph.routers) return undefined
  const { firstChan, far, routerOf, classes, linkClass } = graph
  const first = firstChan[router]
  return Array.from({ length: firstChan[router + 1] - first }, (_, port): PortOfRouter => {
    const [to, name] = [far[first + port], classes[linkClass[first + port]] ?? ""]
    if (to === UNWIRED) return { port }
    if (to < 0) return { port, to: { endpoint: endOf(to) }, class: name }
    const next = routerOf[to]
    return { port, to: { router: next, label: topology.label(next), port: to - firstChan[next] }, class: name }
  })
}
