// UGAL with local information on a dragonfly, decided once, in the source switch: minimal if Q_min <= 2 * Q_non + bias, Q = flits queued (all VCs)
// at the first port of each way; the 2 stands for the ratio of hops. Inside one group always minimal. Paths and VCs as Valiant's.
// Under adversarial traffic it may carry less than Valiant's, and that is the algorithm: most switches of a group do not own the one global link that
// all minimal ways take. They see that it is busy only when the buffers on the local link to its switch fill, so minimal packets are sent until then,
// and those in wait bar the detours that share their first hop, their VC and their injection queue (J. Kim and others, "Technology-driven,
// highly-scalable dragonfly topology", 2008, call this indirect). Measured at offered load 0.5, core of double speed, look-ahead, buffers of 16, 64 and 256 flits for
// each VC: 72 endpoints, 0.14, 0.40, 0.46 (Valiant's 0.19, 0.43, 0.41); 1,056 endpoints, 256 flits, 0.35 (Valiant's 0.47). BookSim2 on 72 endpoints: its UGAL 0.16, the same program with every packet sent on a
// detour 0.50. With 1,056 endpoints and 256 flits, first 1,000 cycles: 0.22
// and 0.35. To find out which it is in a network: compare with dragonfly.valiant and dragonfly.ugal-g, and double the buffers.
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
  bias: flits({ about: "advantage of the minimal way", default: "0flits" }),
  intermediate: intermediateField,
}

export class UgalLocal extends Valiant {
  protected readonly bias: number

  constructor(t: Dragonfly, vcs: number, params: UgalParams) {
    super(t, vcs, params.intermediate)
    this.bias = params.bias
  }

  /** Aims at the minimal gate, then at a detour's, and keeps the better one. */
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
  about: "Minimal, unless its first queue is more than twice as long as that of a random detour.",
  cites: "Load-balanced routing in interconnection networks, A. Singh, 2005",
  limits:
    "sees a busy global link of another switch only once the buffers on the way to it fill: under adversarial traffic it may carry less than dragonfly.valiant (0.35 against 0.47 with 1,056 endpoints; BookSim2 shows the same). Deeper buffers may help (72 endpoints: 0.40 with 64 flits, 0.46 with 256), and dragonfly.par decides again inside the group",
  params: schema(ugalFields),
  topologies: ["dragonfly"],
  scratch: SLOTS,
  vcs: (p) => vcsFor(rungsFor(p.intermediate)),
  make: (p, on) => new UgalLocal(on.topology, on.vcs, p),
} satisfies RoutingPlugin<UgalParams, Dragonfly>
