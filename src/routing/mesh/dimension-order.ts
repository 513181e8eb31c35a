// Dimension-order routing on a mesh: corrects dimension 0, then 1, and so on, on any VC at every hop. Dimensions are
// never revisited, so one VC is free of deadlock (Dally and Seitz, 1987). Of a trunk of parallel links a packet takes
// member (destination mod width).
import { schema } from "../../core/schema.ts"
import type { End, Packet, Port, Router, Vc } from "../../model/ids.ts"
import type { RoutingPlugin } from "../../model/plugin.ts"
import type { Candidates, NetView, RoutingFunction } from "../../model/routing.ts"
import type { Mesh } from "../../topologies/mesh.ts"
import { hashed } from "../trunk.ts"
import { allVcs } from "../vcs.ts"

export class DimensionOrder implements RoutingFunction {
  private readonly at: Uint8Array | Uint16Array | Int32Array
  private readonly n: number
  private readonly ends: number
  private readonly trunk: number
  private readonly firstEnd: Port
  private readonly mask: number
  private readonly firstChan: Int32Array
  private readonly far: Int32Array

  constructor(mesh: Mesh, vcs: number) {
    this.at = mesh.grid.at
    this.n = mesh.grid.n
    this.ends = mesh.p
    this.trunk = mesh.trunk
    this.firstEnd = 2 * this.n * this.trunk
    this.mask = allVcs(vcs)
    this.firstChan = mesh.graph.firstChan
    this.far = mesh.graph.far
  }

  /** The port depends only on router and destination, so the engine may tabulate it. */
  readonly oblivious = this

  route(p: Packet, at: Router, _inPort: Port, _inVc: Vc, net: NetView, out: Candidates): void {
    out.add(this.port(at, net.dst(p)), this.mask, 0)
  }

  /** Returns the port of a router for a destination. */
  port(at: Router, dst: End): Port {
    const { at: coordinates, n, trunk, ends } = this
    const goal = ends === 1 ? dst : Math.floor(dst / ends)
    for (let d = 0; d < n; d++) {
      const here = coordinates[at * n + d]
      const there = coordinates[goal * n + d]
      if (here !== there) {
        const port = 2 * d + (there > here ? 0 : 1)
        return trunk === 1 ? port : port * trunk + hashed(this.far, this.firstChan[at] + port * trunk, trunk, dst)
      }
    }
    return this.firstEnd + dst - goal * ends
  }
}

export default {
  kind: "routing",
  name: "mesh.dimension-order",
  aliases: ["mesh.dor"],
  about: "One dimension after the other; packets may use all VCs.",
  cites: "Deadlock-free message routing in multiprocessor interconnection networks, W. J. Dally and C. L. Seitz, 1987",
  params: schema({}),
  topologies: ["mesh"],
  adaptive: false,
  vcs: () => 1,
  make: (_, on) => new DimensionOrder(on.topology, on.vcs),
} satisfies RoutingPlugin<Record<never, never>, Mesh>
