// Destination-tag routing on a butterfly: stage s leaves by digit n-1-s of the destination, the most significant digit
// first. There is exactly one path for each pair, and channels lead only to later stages, so one VC is free of
// deadlock.
import { schema } from "../../core/schema.ts"
import type { Packet, Port, Router, Vc } from "../../model/ids.ts"
import type { RoutingPlugin } from "../../model/plugin.ts"
import type { Candidates, NetView, RoutingFunction } from "../../model/routing.ts"
import type { Butterfly } from "../../topologies/butterfly.ts"
import { allVcs } from "../vcs.ts"

export class DestinationTag implements RoutingFunction {
  private readonly k: number
  private readonly width: number
  /** [stage] -> weight of the digit that the stage looks at */
  private readonly weight: Int32Array
  private readonly mask: number

  constructor(fly: Butterfly, vcs: number) {
    this.k = fly.k
    this.width = fly.width
    this.weight = Int32Array.from({ length: fly.n }, (_, s) => fly.k ** (fly.n - 1 - s))
    this.mask = allVcs(vcs)
  }

  route(p: Packet, at: Router, _inPort: Port, _inVc: Vc, net: NetView, out: Candidates): void {
    const weight = this.weight[Math.floor(at / this.width)]
    out.add(Math.floor(net.dst(p) / weight) % this.k, this.mask, 0)
  }
}

export default {
  kind: "routing",
  name: "butterfly.destination-tag",
  about: "The digits of the destination select the output of each stage; packets may use all VCs.",
  cites: "Principles and Practices of Interconnection Networks, W. J. Dally and B. Towles, 2004",
  params: schema({}),
  topologies: ["butterfly"],
  adaptive: false,
  vcs: () => 1,
  make: (_, on) => new DestinationTag(on.topology, on.vcs),
} satisfies RoutingPlugin<Record<never, never>, Butterfly>
