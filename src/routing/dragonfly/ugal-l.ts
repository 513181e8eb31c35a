// UGAL with local information on a dragonfly, decided once, in the source switch: minimal if Q_min <= 2 * Q_non + bias, Q = flits queued (all VCs)
// at the first port of each way; the 2 stands for the ratio of hops. Inside one group always minimal. Paths and VCs as Valiant's.
import { flits, schema } from "../../core/schema.ts"
import type { Packet, Router } from "../../model/ids.ts"
import type { RoutingPlugin } from "../../model/plugin.ts"
import type { NetView } from "../../model/routing.ts"
import type { Dragonfly } from "../../topologies/dragonfly.ts"
import { GATE, Hierarchical, SLOTS, VIA } from "./hierarchical.ts"
import { vcsFor } from "./ladder.ts"
import { type Intermediate, intermediateField, rungsFor, Valiant } from "./valiant.ts"

type Params = { bias: number; intermediate: Intermediate }

export class UgalLocal extends Valiant {
  private readonly bias: number

  constructor(t: Dragonfly, vcs: number, params: Params) {
    super(t, vcs, params.intermediate)
    this.bias = params.bias
  }

  override inject(p: Packet, at: Router, net: NetView): void {
    Hierarchical.prototype.inject.call(this, p, at, net)
    const here = this.t.groupOf(at)
    const there = this.t.groupOf(this.t.routerOf(net.dst(p)))
    if (here === there) return
    const minimal = this.queuedToward(p, at, here, there, net)
    const gate = net.get(p, GATE)
    const group = this.divert(p, here, there, net)
    if (group < 0) return
    net.set(p, GATE, 0)
    if (minimal > 2 * this.queuedToward(p, at, here, group, net) + this.bias) return
    net.set(p, VIA, 0)
    net.set(p, GATE, gate)
  }

  /** Flits queued at the first port of the way to another group; that way's global link is then aimed at. */
  protected queuedToward(p: Packet, at: Router, here: number, group: number, net: NetView): number {
    return net.queued(this.t.graph.firstChan[at]! + this.t.portToward(at, this.gateFor(p, at, here, group, net)))
  }
}

export default {
  kind: "routing",
  name: "dragonfly.ugal-l",
  about: "Minimal, unless its first queue is more than twice as long as that of a random detour.",
  cites: "Load-balanced routing in interconnection networks, A. Singh, 2005",
  params: schema({
    bias: flits({ about: "advantage of the minimal way", default: "0flits" }),
    intermediate: intermediateField,
  }),
  topologies: ["dragonfly"],
  scratch: SLOTS,
  vcs: (p) => vcsFor(rungsFor(p.intermediate)),
  make: (p, on) => new UgalLocal(on.topology, on.vcs, p),
} satisfies RoutingPlugin<Params, Dragonfly>
