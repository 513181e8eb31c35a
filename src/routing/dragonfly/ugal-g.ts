// UGAL with global information on a dragonfly: "Load-balanced routing in interconnection networks", A. Singh, 2005. It
// decides like ugal-l.ts, but the cost of a path is the number of flits queued on all its channels. The packet goes
// minimally if Q_min <= Q_non + bias.
//
// The queues of other switches are read from values that the engine publishes at each synchronisation, so results do
// not depend on the number of workers. Limits: an oracle, because no real switch knows the queues of others. Of several
// global links to a group only the one that would be taken first is known; for the second half of a detour the first
// link is assumed.
import { schema } from "../../core/schema.ts"
import type { Chan, Packet, Router } from "../../model/ids.ts"
import type { RoutingPlugin } from "../../model/plugin.ts"
import type { NetView } from "../../model/routing.ts"
import type { Dragonfly } from "../../topologies/dragonfly.ts"
import { SLOTS, VIA } from "./hierarchical.ts"
import { vcsFor } from "./ladder.ts"
import { UgalLocal, type UgalParams, ugalFields } from "./ugal-l.ts"
import { rungsFor } from "./valiant.ts"

export class UgalGlobal extends UgalLocal {
  protected override minimalCost(p: Packet, at: Router, here: number, there: number, net: NetView): number {
    return this.through(at, this.gateFor(p, at, here, there, net), this.t.routerOf(net.dst(p)), net)
  }

  protected override detourCost(p: Packet, at: Router, here: number, group: number, net: NetView): number {
    const { t } = this
    const goal = t.routerOf(net.dst(p))
    const gate = this.gateFor(p, at, here, group, net)
    const entered = t.graph.routerOf[t.graph.far[gate]]
    const via = this.viaGroup ? entered : net.get(p, VIA) - 1
    return this.through(at, gate, via, net) + this.through(via, t.gate(group, t.groupOf(goal), 0), goal, net)
  }

  /** Returns the flits queued from a switch over a global channel of its group to a switch of the other group. */
  private through(from: Router, gate: Chan, to: Router, net: NetView): number {
    const { routerOf, far } = this.t.graph
    return this.inside(from, routerOf[gate], net) + net.published(gate) + this.inside(routerOf[far[gate]], to, net)
  }

  /** Returns the flits queued on the local channel between two switches of a group. */
  private inside(from: Router, to: Router, net: NetView): number {
    return from === to ? 0 : net.published(this.t.graph.firstChan[from] + this.t.localPort(from, to))
  }
}

export default {
  kind: "routing",
  name: "dragonfly.ugal-g",
  about: "Minimal, unless more flits are queued on the whole minimal path than on a random non-minimal path.",
  cites: "Load-balanced routing in interconnection networks, A. Singh, 2005",
  limits: "not realisable: a switch cannot read the queues of other switches without delay",
  params: schema(ugalFields),
  topologies: ["dragonfly"],
  scratch: SLOTS,
  oracle: true,
  vcs: (p) => vcsFor(rungsFor(p.intermediate)),
  make: (p, on) => new UgalGlobal(on.topology, on.vcs, p),
} satisfies RoutingPlugin<UgalParams, Dragonfly>
