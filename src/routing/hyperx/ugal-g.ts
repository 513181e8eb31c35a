// UGAL with global information on HyperX: as ugal-l, but a way costs the flits queued on all its channels together, read as an oracle would tell
// them (with the age of the engine's window, so that the answer does not depend on the number of workers). Minimal if Q_min <= Q_non + bias.
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

  private queuedOn(p: Packet, from: Router, to: Router, net: NetView): number {
    const { firstChan, far, routerOf } = this.t.graph
    const dst = net.dst(p)
    let sum = 0
    for (let at = from; at !== to; ) {
      const c = firstChan[at]! + nextPort(this.t, at, to, dst)
      sum += net.published(c)
      at = routerOf[far[c]!]!
    }
    return sum
  }
}

export default {
  kind: "routing",
  name: "hyperx.ugal-g",
  about: "Minimal, unless its whole path holds more than a random detour's.",
  cites: "Load-balanced routing in interconnection networks, A. Singh, 2005",
  limits: "an oracle: no switch knows the queues of others",
  params: schema(ugalFields),
  topologies: ["hyperx"],
  scratch: 1,
  oracle: true,
  direct: 1,
  vcs: () => 2,
  make: (p, on) => new UgalGlobal(on.topology, on.vcs, p),
} satisfies RoutingPlugin<UgalParams, HyperX>
