// Progressive adaptive routing on a megafly. At the source leaf, and again at the spine above it while the packet is
// still minimal, the best minimal port is compared with the best port towards a random third group, whose queued flits
// count double. The packet stays minimal if its queue is within `threshold` or not longer than that.
//
// In the intermediate group a packet goes down to a random leaf and up again (turn: leaf, as in CODES), or straight on
// if the spine has a link to the destination group (turn: spine). VCs: the lower half up to that turn, the upper half
// from it on. The order is U0 < G0 < D0 < U1 < G1 < D1 (up, global, down), so every path ascends. "Dragonfly+: low cost
// topology for scaling datacenters", A. Shpiner et al., 2017.
import { choice, flits, int, schema } from "../../core/schema.ts"
import type { Packet, Port, Router, Vc } from "../../model/ids.ts"
import type { RoutingPlugin } from "../../model/plugin.ts"
import type { Candidates, NetView, RoutingFunction } from "../../model/routing.ts"
import type { Megafly } from "../../topologies/megafly.ts"
import { thirdGroup } from "../third-group.ts"
import { allVcs, vcRange } from "../vcs.ts"
import { Hops } from "./hops.ts"

type Params = { threshold: number; draws: number; turn: "leaf" | "spine" }

/** Scratch slots: group of the detour + 1 (0 = minimal, or reached); group that a detour would go to + 1; stage of the
 *  path. */
const VIA = 0
const WISH = 1
const STAGE = 2
const SOURCE = 0
const CROSSED = 1
const TURNED = 2

export class Progressive implements RoutingFunction {
  private readonly t: Megafly
  private readonly hops: Hops
  private readonly threshold: number
  private readonly draws: number
  private readonly turnAtSpine: boolean
  private readonly lower: number
  private readonly upper: number
  private readonly all: number

  constructor(t: Megafly, vcs: number, params: Params) {
    this.t = t
    this.hops = new Hops(t)
    this.threshold = params.threshold
    this.draws = params.draws
    this.turnAtSpine = params.turn === "spine"
    this.lower = vcRange(0, Math.max(1, vcs >> 1))
    this.upper = vcRange(vcs >> 1, vcs)
    this.all = allVcs(vcs)
  }

  inject(p: Packet, at: Router, net: NetView): void {
    const { t } = this
    const here = t.group[at]
    const there = t.group[t.routerOf(net.dst(p))]
    net.set(p, VIA, 0)
    net.set(p, WISH, 0)
    net.set(p, STAGE, SOURCE)
    if (here === there || t.groups === 2) return
    net.set(p, WISH, 1 + thirdGroup(p, t.groups, here, there, net))
  }

  route(p: Packet, at: Router, _inPort: Port, _inVc: Vc, net: NetView, out: Candidates): void {
    const { t } = this
    const dst = net.dst(p)
    const goal = t.routerOf(dst)
    if (goal === at) {
      out.add(t.graph.home[dst] - t.graph.firstChan[at], this.all, 0)
      return
    }
    const port = t.isSpine(at) ? this.fromSpine(p, at, goal, net) : this.fromLeaf(p, at, goal, net)
    // the hop out of the source group is the last on which the detour can be chosen
    out.add(port, net.get(p, STAGE) === TURNED ? this.upper : this.lower, 0)
    if (t.isSpine(at) && net.get(p, STAGE) === SOURCE) net.set(p, STAGE, CROSSED)
  }

  /** Returns the port of a leaf, and decides on the detour in the source leaf. */
  private fromLeaf(p: Packet, at: Router, goal: Router, net: NetView): Port {
    const { t, hops } = this
    const there = t.group[goal]
    if (net.get(p, STAGE) === CROSSED) net.set(p, STAGE, TURNED)
    const minimal = hops.up(p, at, there, net)
    if (net.get(p, STAGE) === TURNED || !this.worthAsking(p, at, minimal, net)) return minimal
    const wish = net.get(p, WISH) - 1
    return this.better(p, at, minimal, hops.up(p, at, wish, net), wish, net)
  }

  /** Returns the port of a spine, and decides on the detour in the source spine for the last time. */
  private fromSpine(p: Packet, at: Router, goal: Router, net: NetView): Port {
    const { t, hops, draws } = this
    const here = t.group[at]
    const there = t.group[goal]
    if (here === there) return hops.down(p, at, goal, net)
    const stage = net.get(p, STAGE)
    if (stage === TURNED) return hops.across(p, at, there, draws, net)
    if (stage === CROSSED) {
      net.set(p, VIA, 0)
      if (!this.turnAtSpine || t.portToward(at, there) < 0)
        return hops.down(p, at, t.leaf(here, net.draw(p, t.leaves)), net)
      net.set(p, STAGE, TURNED)
      return hops.across(p, at, there, draws, net)
    }
    const via = net.get(p, VIA) - 1
    if (via >= 0) return hops.across(p, at, via, draws, net)
    const minimal = hops.across(p, at, there, draws, net)
    if (!this.worthAsking(p, at, minimal, net)) {
      net.set(p, WISH, 0)
      return minimal
    }
    const wish = this.reachable(p, at, there, net)
    const detour = wish < 0 ? -1 : hops.across(p, at, wish, draws, net)
    const port = this.better(p, at, minimal, detour, wish, net)
    net.set(p, WISH, 0)
    return port
  }

  /** Returns the drawn group, or another one to which this spine has a link; -1 if that is the destination group. */
  private reachable(p: Packet, at: Router, there: number, net: NetView): number {
    const { t } = this
    const { far, routerOf, firstChan } = t.graph
    const wish = net.get(p, WISH) - 1
    if (t.portToward(at, wish) >= 0) return wish
    const down = t.leaves * t.links
    const port = down + net.draw(p, t.lastPort(at) - down)
    const group = t.group[routerOf[far[firstChan[at] + port]]]
    return group === there ? -1 : group
  }

  /** Returns whether a detour is possible and the minimal queue exceeds the threshold. */
  private worthAsking(p: Packet, at: Router, minimal: Port, net: NetView): boolean {
    return net.get(p, WISH) !== 0 && net.queued(this.t.graph.firstChan[at] + minimal) > this.threshold
  }

  /** Returns the better of the two ports, and diverts the packet if that is the detour. */
  private better(p: Packet, at: Router, minimal: Port, detour: Port, group: number, net: NetView): Port {
    const first = this.t.graph.firstChan[at]
    if (detour < 0 || net.queued(first + minimal) <= 2 * net.queued(first + detour)) return minimal
    net.set(p, VIA, group + 1)
    net.set(p, WISH, 0)
    return detour
  }
}

export default {
  kind: "routing",
  name: "megafly.par",
  about:
    "Progressive adaptive routing: the source leaf and the spine above it compare the minimal path " +
    "with one over a random third group.",
  cites: "Dragonfly+: low cost topology for scaling datacenters, A. Shpiner and others, 2017",
  params: schema({
    threshold: flits({ about: "Use a minimal port at once if at most this much is queued for it", default: "0flits" }),
    draws: int({ about: "Number of random global links to a group that are compared", min: 1, default: 2 }),
    turn: choice(["leaf", "spine"], {
      about: "Path in the intermediate group: always down to a leaf, or from spine to spine where possible",
      default: "leaf",
    }),
  }),
  topologies: ["megafly"],
  scratch: 3,
  vcs: () => 2,
  make: (p, on) => new Progressive(on.topology, on.vcs, p),
} satisfies RoutingPlugin<Params, Megafly>
