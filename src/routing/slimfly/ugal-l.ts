// UGAL with local information on a Slim Fly, decided once, at the first router: several random intermediates are weighed against the minimal way. A way costs
// (its hops / minimal hops) * flits queued at its first port, times `penalty` for detours; the cheapest wins, the minimal one on ties.
//   reads: first-vc  flits queued on VC 0, the VC of first hops (as the CODES simulator counts)
//   reads: port      flits queued on all VCs
import { choice, int, real, schema } from "../../core/schema.ts"
import type { Packet, Router } from "../../model/ids.ts"
import type { RoutingPlugin } from "../../model/plugin.ts"
import type { NetView } from "../../model/routing.ts"
import type { SlimFly } from "../../topologies/slimfly.ts"
import { type Middle, middleField } from "./paths.ts"
import { LINKS, Valiant, VIA } from "./valiant.ts"

export type UgalParams = { draws: number; penalty: number; reads: "first-vc" | "port"; middle: Middle }

export const ugalFields = {
  draws: int({ about: "random intermediates that are weighed", min: 1, max: 64, default: 4 }),
  penalty: real({ about: "factor on the cost of detours", above: 0, default: 1 }),
  reads: choice(["first-vc", "port"], { about: "count what is queued on the first hop's VC, or on all of the port", default: "first-vc" }),
  middle: middleField,
}

export class UgalLocal extends Valiant {
  private readonly draws: number
  private readonly penalty: number
  private readonly wholePort: boolean

  constructor(t: SlimFly, vcs: number, params: UgalParams) {
    super(t, vcs, params.middle)
    this.draws = params.draws
    this.penalty = params.penalty
    this.wholePort = params.reads === "port"
  }

  override inject(p: Packet, at: Router, net: NetView): void {
    const goal = this.paths.goal(at, net.dst(p))
    net.set(p, VIA, 0)
    if (goal === at) return
    let least = this.minimalCost(p, at, goal, net)
    for (let i = 0; i < this.draws; i++) {
      const via = this.drawn(p, at, goal, net)
      const cost = this.penalty * this.detourCost(p, at, via, goal, net)
      if (cost >= least) continue
      least = cost
      net.set(p, VIA, via + 1)
    }
  }

  /** Costs are multiplied by the minimal hops, so that they stay whole. */
  protected minimalCost(p: Packet, at: Router, goal: Router, net: NetView): number {
    return this.paths.hops(at, goal) * this.firstQueue(p, at, goal, net)
  }

  protected detourCost(p: Packet, at: Router, via: Router, goal: Router, net: NetView): number {
    const { paths } = this
    return (paths.hops(at, via) + paths.hops(via, goal)) * this.firstQueue(p, at, via, net)
  }

  private firstQueue(p: Packet, at: Router, goal: Router, net: NetView): number {
    const c = this.paths.t.graph.firstChan[at]! + this.paths.port(p, at, goal, net)
    return this.wholePort ? net.queued(c) : net.queuedVc(c, 0)
  }
}

export default {
  kind: "routing",
  name: "slimfly.ugal-l",
  about: "The cheapest of the minimal way and some random detours, by hops and first queue.",
  cites: "Slim Fly: a cost effective low-diameter network topology, M. Besta and T. Hoefler, 2014",
  params: schema(ugalFields),
  topologies: ["slimfly", "fitfly"],
  scratch: 1,
  vcs: () => LINKS,
  make: (p, on) => new UgalLocal(on.topology, on.vcs, p),
} satisfies RoutingPlugin<UgalParams, SlimFly>
