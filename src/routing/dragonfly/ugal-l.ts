// UGAL with local information on a dragonfly, decided once, in the source switch: minimal if Q_min <= 2 * Q_non + bias, Q = flits queued (all VCs)
// at the first port of each way; the 2 stands for the ratio of hops. Inside one group always minimal. Paths and VCs as Valiant's.
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
  params: schema(ugalFields),
  topologies: ["dragonfly"],
  scratch: SLOTS,
  vcs: (p) => vcsFor(rungsFor(p.intermediate)),
  make: (p, on) => new UgalLocal(on.topology, on.vcs, p),
} satisfies RoutingPlugin<UgalParams, Dragonfly>
