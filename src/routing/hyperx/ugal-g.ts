// UGAL with global information on HyperX. It decides like ugal-l.ts, but the cost of a path is the number of flits
// queued on all its channels. The packet goes minimally if Q_min <= Q_non + bias. The queues are the values that the
// engine publishes at each synchronisation, so the decision does not depend on the number of workers. Limits: an
// oracle, because no real switch knows the queues of others.
import { schema } from "../../core/schema.ts"
import type { Packet, Router } from "../../model/ids.ts"
import type { RoutingPlugin } from "../../model/plugin.ts"
import type { NetView } from "../../model/routing.ts"
import type { HyperX } from "../../topologies/hyperx.ts"
import { nextPort } from "./minimal.ts"
import { UgalLocal, type UgalParams, ugalFields } from "./ugal-l.ts"

export class UgalGlobal extends UgalLocal {
  protected override cost(p: Packet, at: Router, via: Router, goal: Router, net: NetView): number {
    return this.queuedOn(p, at, via, net) + this.queuedOn(p, via, goal, net)
  }

  /** Returns the flits queued on all channels of the dimension-order path between two routers. */
  private queuedOn(p: Packet, from: Router, to: Router, net: NetView): number {
    const { firstChan, far, routerOf } = this.t.graph
    const dst = net.dst(p)
    let sum = 0
    for (let at = from; at !== to; ) {
      const c = firstChan[at] + nextPort(this.t, at, to, dst)
      sum += net.published(c)
      at = routerOf[far[c]]
    }
    return sum
  }
}

export default {
  kind: "routing",
  name: "hyperx.ugal-g",
  about: "Minimal, unless more flits are queued on the whole minimal path than on a random non-minimal path.",
  cites: "Load-balanced routing in interconnection networks, A. Singh, 2005",
  limits: "not realisable: a switch cannot read the queues of other switches without delay",
  params: schema(ugalFields),
  topologies: ["hyperx"],
  scratch: 1,
  oracle: true,
  direct: 1,
  vcs: () => 2,
  make: (p, on) => new UgalGlobal(on.topology, on.vcs, p),
} satisfies RoutingPlugin<UgalParams, HyperX>
