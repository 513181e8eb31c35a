// UGAL with local information on a dragonfly: "Load-balanced routing in interconnection networks", A. Singh, 2005. It
// decides once, in the source switch. The packet goes minimally if Q_min <= 2 * Q_non + bias, where Q is the number of
// flits queued (all VCs) at the first port of each path; the factor 2 is the ratio of hops. Inside one group it is
// always minimal. Paths and VCs are those of valiant.ts.
//
// Limits: under adversarial traffic it may sustain less than Valiant's algorithm. Most switches of a group do not own
// the one global link that all minimal paths take. They notice that it is congested only when the buffers on the local
// link to its switch fill, and send minimal packets until then. Those packets block the detours that share their first
// hop, their VC and their injection queue. J. Kim et al. (2008) describe this effect and propose indirect adaptive
// routing.
//
// Accepted load at an offered load of 0.5, with a switch speedup of 2 and look-ahead routing, for buffers of 16, 64 and
// 256 flits per VC: 72 endpoints 0.14, 0.40, 0.46 (Valiant: 0.19, 0.43, 0.41); 1,056 endpoints with 256 flits 0.35
// (Valiant: 0.47). BookSim2 with 72 endpoints: its UGAL 0.16, the same program with every packet on a detour 0.50; with
// 1,056 endpoints and 256 flits, first 1,000 cycles: 0.22 and 0.35. To diagnose a network, compare with
// dragonfly.valiant and dragonfly.ugal-g, and double the buffers.
import { flits, schema } from "../../core/schema.ts"
import type { Packet, Router } from "../../model/ids.ts"
import type { RoutingPlugin } from "../../model/plugin.ts"
import type { NetView } from "../../model/routing.ts"
import type { Dragonfly } from "../../topologies/dragonfly.ts"
import { GATE, SLOTS, VIA } from "./hierarchical.ts"
import { vcsFor } from "./ladder.ts"
import { type Intermediate, intermediateField, rungsFor, Valiant } from "./valiant.ts"

export type UgalParams = { bias: number; intermediate: Intermediate }

export const ugalFields = {
  bias: flits({ about: "Bias towards the minimal path, in flits", default: "0flits" }),
  intermediate: intermediateField,
}

export class UgalLocal extends Valiant {
  protected readonly bias: number

  constructor(t: Dragonfly, vcs: number, params: UgalParams) {
    super(t, vcs, params.intermediate)
    this.bias = params.bias
  }

  /** Chooses the global link of the minimal path, then that of a detour, and keeps the better one. Returns the group of
   *  the detour, or -1. */
  protected override divert(p: Packet, at: Router, here: number, there: number, net: NetView): number {
    const minimal = this.minimalCost(p, at, here, there, net)
    const gate = net.get(p, GATE)
    net.set(p, GATE, 0)
    const group = super.divert(p, at, here, there, net)
    if (group >= 0 && minimal > this.detourCost(p, at, here, group, net) + this.bias) return group
    net.set(p, VIA, 0)
    net.set(p, GATE, gate)
    return -1
  }

  protected minimalCost(p: Packet, at: Router, here: number, there: number, net: NetView): number {
    return this.queuedToward(p, at, here, there, net)
  }

  protected detourCost(p: Packet, at: Router, here: number, group: number, net: NetView): number {
    return 2 * this.queuedToward(p, at, here, group, net)
  }
}

export default {
  kind: "routing",
  name: "dragonfly.ugal-l",
  about: "Minimal, unless its first queue is more than twice as long as that of a random non-minimal path.",
  cites: "Load-balanced routing in interconnection networks, A. Singh, 2005",
  limits:
    "sees a busy global link of another switch only when the buffers towards it fill: under " +
    "adversarial traffic it may carry less than dragonfly.valiant (0.35 against 0.47 with 1,056 " +
    "endpoints; BookSim2 shows the same). Deeper buffers may help (72 endpoints: 0.40 with 64 flits, " +
    "0.46 with 256), and dragonfly.par decides again inside the group",
  params: schema(ugalFields),
  topologies: ["dragonfly"],
  scratch: SLOTS,
  vcs: (p) => vcsFor(rungsFor(p.intermediate)),
  make: (p, on) => new UgalLocal(on.topology, on.vcs, p),
} satisfies RoutingPlugin<UgalParams, Dragonfly>
