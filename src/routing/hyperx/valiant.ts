// Valiant's algorithm on HyperX: through a router drawn uniformly from all routers, the source included. detour.ts has
// the path and its VCs.
import { schema } from "../../core/schema.ts"
import type { Packet, Router } from "../../model/ids.ts"
import type { RoutingPlugin } from "../../model/plugin.ts"
import type { NetView } from "../../model/routing.ts"
import type { HyperX } from "../../topologies/hyperx.ts"
import { type OddVcs, oddVcs } from "../odd.ts"
import { Detour, VIA } from "./detour.ts"

export class Valiant extends Detour {
  override inject(p: Packet, _at: Router, net: NetView): void {
    net.set(p, VIA, net.direct(p) ? -1 : net.draw(p, this.t.graph.routers))
  }
}

export default {
  kind: "routing",
  name: "hyperx.valiant",
  about: "Minimal to a random router, then minimal to the destination.",
  cites: "A scheme for fast parallel communication, L. G. Valiant, 1982",
  params: schema({ odd: oddVcs }),
  topologies: ["hyperx"],
  adaptive: false,
  scratch: 1,
  direct: 1,
  vcs: () => 2,
  make: (p, on) => new Valiant(on.topology, on.vcs, p.odd),
} satisfies RoutingPlugin<{ odd: OddVcs }, HyperX>
