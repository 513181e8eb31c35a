// Minimal routing on HyperX and flattened butterflies: dimension order, one hop for each coordinate that differs, on
// any VC. Dimensions are never revisited, so one VC is free of deadlock. Of parallel links a packet takes number
// (destination mod width).
import { schema } from "../../core/schema.ts"
import type { End, Packet, Port, Router, Vc } from "../../model/ids.ts"
import type { RoutingPlugin } from "../../model/plugin.ts"
import type { Candidates, NetView, RoutingFunction } from "../../model/routing.ts"
import type { HyperX } from "../../topologies/hyperx.ts"
import { hashed } from "../trunk.ts"
import { allVcs } from "../vcs.ts"

/** Returns the first port of the dimension-order path between two different routers. */
export function nextPort(t: HyperX, at: Router, goal: Router, dst: End): Port {
  const { firstPorts } = t
  if (firstPorts !== undefined && t.single) return firstPorts[at * t.grid.size + goal]
  const { n, at: coordinates } = t.grid
  let d = 0
  while (coordinates[at * n + d] === coordinates[goal * n + d]) d++
  const port = t.port(d, coordinates[at * n + d], coordinates[goal * n + d], 0)
  const links = t.links[d]
  return links === 1 ? port : port + hashed(t.graph.far, t.graph.firstChan[at] + port, links, dst)
}

export class Minimal implements RoutingFunction {
  private readonly t: HyperX
  private readonly mask: number

  constructor(t: HyperX, vcs: number) {
    this.t = t
    this.mask = allVcs(vcs)
  }

  route(p: Packet, at: Router, _inPort: Port, _inVc: Vc, net: NetView, out: Candidates): void {
    const { home, routerOf, firstChan } = this.t.graph
    const dst = net.dst(p)
    const goal = routerOf[home[dst]]
    out.add(goal === at ? home[dst] - firstChan[at] : nextPort(this.t, at, goal, dst), this.mask, 0)
  }
}

export default {
  kind: "routing",
  name: "hyperx.minimal",
  about: "One hop for each coordinate that differs, in dimension order; packets may use all VCs.",
  cites:
    "Flattened butterfly: a cost-efficient topology for high-radix networks, J. Kim, W. J. Dally and D. Abts, 2007",
  params: schema({}),
  topologies: ["hyperx"],
  adaptive: false,
  vcs: () => 1,
  make: (_, on) => new Minimal(on.topology, on.vcs),
} satisfies RoutingPlugin<Record<never, never>, HyperX>
