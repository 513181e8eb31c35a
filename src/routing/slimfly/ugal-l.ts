// UGAL with local information on a Slim Fly: "Slim Fly: a cost effective low-diameter network topology", M. Besta and
// T. Hoefler, 2014. It decides once, at the first router, and compares several random intermediates with the minimal
// path. The cost of a path is (its hops / minimal hops) * flits queued at its first port, times `penalty` for detours.
// The cheapest path is taken, the minimal one on ties.
//   reads: first-vc  flits queued on VC 0, the VC of first hops (as in the CODES simulator)
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
  draws: int({ about: "Number of random intermediate routers that are compared", min: 1, max: 64, default: 4 }),
  penalty: real({ about: "Factor on the cost of non-minimal paths", above: 0, default: 1 }),
  reads: choice(["first-vc", "port"], {
    about: "Queue that counts: that of the first hop's VC, or of the whole port",
    default: "first-vc",
  }),
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

  /** Returns the cost of the minimal path. All costs are multiplied by the minimal hops, so that they are whole
   *  numbers. */
  protected minimalCost(p: Packet, at: Router, goal: Router, net: NetView): number {
    return this.paths.hops(at, goal) * this.firstQueue(p, at, goal, net)
  }

  /** Returns the cost of the path over `via`, without the penalty. */
  protected detourCost(p: Packet, at: Router, via: Router, goal: Router, net: NetView): number {
    const { paths } = this
    return (paths.hops(at, via) + paths.hops(via, goal)) * this.firstQueue(p, at, via, net)
  }

  /** Returns the flits queued at the first port of the path to a router. */
  private firstQueue(p: Packet, at: Router, goal: Router, net: NetView): number {
    const c = this.paths.t.graph.firstChan[at] + this.paths.port(p, at, goal, net)
    return this.wholePort ? net.queued(c) : net.queuedVc(c, 0)
  }
}

export default {
  kind: "routing",
  name: "slimfly.ugal-l",
  about: "The cheapest of the minimal path and some random non-minimal paths, by hops and first queue.",
  cites: "Slim Fly: a cost effective low-diameter network topology, M. Besta and T. Hoefler, 2014",
  params: schema(ugalFields),
  topologies: ["slimfly", "fitfly"],
  scratch: 1,
  vcs: () => LINKS,
  make: (p, on) => new UgalLocal(on.topology, on.vcs, p),
} satisfies RoutingPlugin<UgalParams, SlimFly>
