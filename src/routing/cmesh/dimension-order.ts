// Dimension-order routing on a concentrated mesh: x, then y, on any VC. With `express` a packet at an edge takes the
// express link when at least k/2 steps of its dimension remain. Express links run along their edge, so dimensions are
// still corrected in order and one VC is free of deadlock.
import { flag, schema } from "../../core/schema.ts"
import type { Packet, Port, Router, Vc } from "../../model/ids.ts"
import type { RoutingPlugin } from "../../model/plugin.ts"
import type { Candidates, NetView, RoutingFunction } from "../../model/routing.ts"
import type { ConcentratedMesh } from "../../topologies/cmesh.ts"
import { allVcs } from "../vcs.ts"

type Params = { express: boolean }

const [PLUS_X, MINUS_X, PLUS_Y, MINUS_Y] = [4, 5, 6, 7]

export class DimensionOrder implements RoutingFunction {
  private readonly mesh: ConcentratedMesh
  private readonly express: boolean
  private readonly mask: number

  constructor(mesh: ConcentratedMesh, vcs: number, params: Params) {
    this.mesh = mesh
    this.express = params.express && mesh.express
    this.mask = allVcs(vcs)
  }

  route(p: Packet, at: Router, _inPort: Port, _inVc: Vc, net: NetView, out: Candidates): void {
    const { graph } = this.mesh
    const home = graph.home[net.dst(p)]
    const goal = graph.routerOf[home]
    out.add(goal === at ? home - graph.firstChan[at] : this.port(at, goal), this.mask, 0)
  }

  private port(at: Router, goal: Router): Port {
    const { k } = this.mesh
    const x = at % k
    const y = (at - x) / k
    const dx = (goal % k) - x
    if (dx !== 0) {
      if (this.express && Math.abs(dx) >= k >> 1) {
        // express links along x are on the outward y ports of the first and last row
        if (y === 0) return MINUS_Y
        if (y === k - 1) return PLUS_Y
      }
      return dx > 0 ? PLUS_X : MINUS_X
    }
    const dy = Math.floor(goal / k) - y
    if (this.express && Math.abs(dy) >= k >> 1) {
      if (x === 0) return MINUS_X
      if (x === k - 1) return PLUS_X
    }
    return dy > 0 ? PLUS_Y : MINUS_Y
  }
}

export default {
  kind: "routing",
  name: "cmesh.dimension-order",
  aliases: ["cmesh.dor"],
  about: "First x, then y, over express links where they shorten the path; packets may use all VCs.",
  params: schema({ express: flag({ about: "Use the express links of the topology", default: true }) }),
  topologies: ["cmesh"],
  adaptive: false,
  vcs: () => 1,
  make: (p, on) => new DimensionOrder(on.topology, on.vcs, p),
} satisfies RoutingPlugin<Params, ConcentratedMesh>
