// The only routing on a crossbar: the port of the destination, on any VC.
import { schema } from "../../core/schema.ts"
import type { Packet, Port, Router, Vc } from "../../model/ids.ts"
import type { RoutingPlugin } from "../../model/plugin.ts"
import type { Candidates, NetView, RoutingFunction } from "../../model/routing.ts"
import type { Crossbar } from "../../topologies/crossbar.ts"
import { allVcs } from "../vcs.ts"

export class Direct implements RoutingFunction {
  private readonly mask: number
  constructor(vcs: number) {
    this.mask = allVcs(vcs)
  }
  route(p: Packet, _at: Router, _inPort: Port, _inVc: Vc, net: NetView, out: Candidates): void {
    out.add(net.dst(p), this.mask, 0)
  }
}

export default {
  kind: "routing",
  name: "crossbar.direct",
  about: "Directly to the port of the destination; packets may use all VCs.",
  params: schema({}),
  topologies: ["crossbar"],
  adaptive: false,
  vcs: () => 1,
  make: (_, on) => new Direct(on.vcs),
} satisfies RoutingPlugin<Record<never, never>, Crossbar>
