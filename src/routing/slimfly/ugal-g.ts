// UGAL with global information on a Slim Fly. It decides like ugal-l.ts, but the cost of a path is the number of flits
// queued on all its channels. The queues are the values that the engine publishes at each synchronisation. Limits: an
// oracle, because no real switch knows the queues of others.
import { int, real, schema } from "../../core/schema.ts"
import type { Packet, Router } from "../../model/ids.ts"
import type { RoutingPlugin } from "../../model/plugin.ts"
import type { NetView } from "../../model/routing.ts"
import type { SlimFly } from "../../topologies/slimfly.ts"
import { type Middle, middleField } from "./paths.ts"
import { UgalLocal } from "./ugal-l.ts"
import { LINKS } from "./valiant.ts"

type Params = { draws: number; penalty: number; middle: Middle }

export class UgalGlobal extends UgalLocal {
  protected override minimalCost(p: Packet, at: Router, goal: Router, net: NetView): number {
    return this.queuedOn(p, at, goal, net)
  }

  protected override detourCost(p: Packet, at: Router, via: Router, goal: Router, net: NetView): number {
    return this.queuedOn(p, at, via, net) + this.queuedOn(p, via, goal, net)
  }

  /** Returns the flits queued on all channels of the minimal path between two routers. */
  private queuedOn(p: Packet, from: Router, to: Router, net: NetView): number {
    const { paths } = this
    const { firstChan, far, routerOf } = paths.t.graph
    let sum = 0
    for (let at = from; at !== to; ) {
      const c = firstChan[at] + paths.port(p, at, to, net)
      sum += net.published(c)
      at = routerOf[far[c]]
    }
    return sum
  }
}

export default {
  kind: "routing",
  name: "slimfly.ugal-g",
  about: "The path with the fewest queued flits, among the minimal path and some random non-minimal paths.",
  cites: "Slim Fly: a cost effective low-diameter network topology, M. Besta and T. Hoefler, 2014",
  limits: "not realisable: a switch cannot read the queues of other switches without delay",
  params: schema({
    draws: int({ about: "Number of random intermediate routers that are compared", min: 1, max: 64, default: 4 }),
    penalty: real({ about: "Factor on the cost of non-minimal paths", above: 0, default: 1 }),
    middle: middleField,
  }),
  topologies: ["slimfly", "fitfly"],
  scratch: 1,
  oracle: true,
  vcs: () => LINKS,
  make: (p, on) => new UgalGlobal(on.topology, on.vcs, { ...p, reads: "port" }),
} satisfies RoutingPlugin<Params, SlimFly>
