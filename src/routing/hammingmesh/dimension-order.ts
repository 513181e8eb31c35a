// Dimension order on a HammingMesh: first along the row, then along the column. Inside a board a packet takes the mesh,
// or the switch where that is shorter. To another board it leaves over the nearer edge and enters over the edge that is
// nearer to the destination; of two equal edges it draws one.
//
// Before the switch of a dimension it uses the first VCs, from the switch on the second ones. A mesh link towards an
// edge may be on both kinds of paths, and without the second VCs the wait could close a circle through the switch. The
// next dimension has other links.
import { schema } from "../../core/schema.ts"
import type { Packet, Port, Router, Vc } from "../../model/ids.ts"
import type { RoutingPlugin } from "../../model/plugin.ts"
import type { Candidates, NetView, RoutingFunction } from "../../model/routing.ts"
import type { HammingMesh } from "../../topologies/hammingmesh.ts"
import { vcRanks } from "../vcs.ts"

export class DimensionOrder implements RoutingFunction {
  private readonly t: HammingMesh
  private readonly before: number
  private readonly after: number

  constructor(t: HammingMesh, vcs: number) {
    this.t = t
    const ranks = vcRanks(vcs, 2)
    this.before = ranks[0]
    this.after = ranks[1]
  }

  route(p: Packet, at: Router, inPort: Port, inVc: Vc, net: NetView, out: Candidates): void {
    const { t } = this
    const dst = net.dst(p)
    if (!t.isAccelerator(at)) {
      out.add(this.enter(p, at, net), this.after, 0)
      return
    }
    for (const d of [0, 1] as const) {
      const [from, to] = [t.coordinate(at, d), t.coordinate(dst, d)]
      if (from === to) continue
      // It has passed the switch of this dimension if it came in this dimension on the second VCs.
      const inside = inPort === t.firstPort[d] || inPort === t.firstPort[d] + 1
      const late = inside && ((1 << inVc) & this.after) !== 0 && this.before !== this.after
      const east = late || !this.leaves(from, to, d) ? to > from : this.nearerEdge(p, from, d, net)
      out.add(t.firstPort[d] + (east ? 1 : 0), late ? this.after : this.before, 0)
      return
    }
    out.add(0, this.before | this.after, 0)
  }

  /** Returns whether the path in this dimension goes over the switch. */
  private leaves(from: number, to: number, d: 0 | 1): boolean {
    const side = this.t.side[d]
    if (Math.floor(from / side) !== Math.floor(to / side)) return true
    const edge = (at: number) => Math.min(at % side, side - 1 - (at % side))
    return edge(from) + 2 + edge(to) < Math.abs(to - from)
  }

  private nearerEdge(p: Packet, at: number, d: 0 | 1, net: NetView): boolean {
    const side = this.t.side[d]
    const [west, east] = [at % side, side - 1 - (at % side)]
    return west === east ? net.draw(p, 2) === 1 : east < west
  }

  /** Returns the port of a switch to the edge of the destination's board. */
  private enter(p: Packet, at: Router, net: NetView): Port {
    const { t } = this
    const d = t.dimensionOf(at)
    const to = t.coordinate(net.dst(p), d)
    return 2 * Math.floor(to / t.side[d]) + (this.nearerEdge(p, to, d, net) ? 1 : 0)
  }
}

export default {
  kind: "routing",
  name: "hammingmesh.dimension-order",
  about: "Rows, then columns, over the nearer edges of the boards; two ranks of VCs.",
  cites: "HammingMesh: a network topology for large-scale deep learning, T. Hoefler and others, 2022",
  params: schema({}),
  topologies: ["hammingmesh"],
  adaptive: true,
  vcs: () => 2,
  make: (_, on) => new DimensionOrder(on.topology, on.vcs),
} satisfies RoutingPlugin<Record<never, never>, HammingMesh>
