// Progressive adaptive routing (PAR) on a dragonfly: "Indirect adaptive routing on large scale interconnection
// networks", N. Jiang, J. Kim and W. J. Dally, 2009. The decision of UGAL is taken at the source switch, and again at
// every later switch of the source group while the packet is still minimal. A diverted packet never returns. The packet
// stays minimal if Q_min <= 2 * Q_non + bias. The detour that is compared is:
//   candidate: drawn  one switch of a third group, drawn at injection
//   candidate: own    a global link of the deciding switch, drawn at each decision, and a random switch behind it. The
//                     two queues are of the same kind then, and no second local hop is needed.
//
// `idle` forbids detours whose own queue is longer than this. Without it, an overloaded network of sources with
// infinite backlog diverts too much: queues are long everywhere, some are twice as long as others, and each detour
// takes two global links instead of one.
//
// `maxRemoteQueue` forbids a detour around a global link of this switch when more flits than this are blocked behind
// that link. The cause of the congestion is then beyond the link, at an endpoint or on the path to it. A detour would
// meet it, too, and would fill the buffers of a third group with blocked packets.
//
// Inside one group the routing is minimal. The detour leads to a random switch of the third group, or with `viaGroup`
// to the switch where it enters the group.
import { choice, flits, maybe, schema } from "../../core/schema.ts"
import type { Chan, Packet, Port, Router, Vc } from "../../model/ids.ts"
import type { RoutingPlugin } from "../../model/plugin.ts"
import type { Candidates, NetView } from "../../model/routing.ts"
import type { Dragonfly } from "../../topologies/dragonfly.ts"
import { thirdGroup } from "../third-group.ts"
import { GATE, Hierarchical, RUNG, SLOTS, VIA } from "./hierarchical.ts"
import { Ladder, vcsFor } from "./ladder.ts"

type Candidate = "drawn" | "own"
export type Params = {
  bias: number
  candidate: Candidate
  idle: number | undefined
  maxRemoteQueue?: number | undefined
  draws?: number
}

/** Scratch slot: the switch drawn at injection + 1. */
const DRAWN = SLOTS
export const PAR_SLOTS = SLOTS + 1

export class Progressive extends Hierarchical {
  private readonly bias: number
  private readonly own: boolean
  protected readonly idle: number
  private readonly behind: number
  private readonly draws: number

  constructor(t: Dragonfly, ladder: Ladder, vcs: number, params: Params, viaGroup = false) {
    super(t, ladder, vcs, viaGroup)
    this.bias = params.bias
    this.own = params.candidate === "own"
    this.idle = params.idle ?? Number.POSITIVE_INFINITY
    this.behind = params.maxRemoteQueue ?? -1
    this.draws = params.draws ?? 1
  }

  override inject(p: Packet, at: Router, net: NetView): void {
    super.inject(p, at, net)
    const { t } = this
    const here = t.groupOf(at)
    const there = t.groupOf(t.routerOf(net.dst(p)))
    net.set(p, DRAWN, 0)
    if (this.own || here === there || t.groups === 2) return
    net.set(p, DRAWN, 1 + this.viaIn(p, thirdGroup(p, t.groups, here, there, net), net))
  }

  override route(p: Packet, at: Router, inPort: Port, inVc: Vc, net: NetView, out: Candidates): void {
    const { t } = this
    const here = t.groupOf(at)
    const there = t.groupOf(t.routerOf(net.dst(p)))
    const undecided = net.get(p, VIA) === 0 && net.get(p, RUNG) - 1 < this.ladder.firstGlobal
    if (undecided && here !== there && !net.direct(p) && (this.behind < 0 || this.helps(p, at, here, there, net))) {
      if (this.own) this.weighOwn(p, at, here, there, net)
      else this.weighDrawn(p, at, here, there, net)
    }
    // what was drawn is of no use outside the source group
    if (net.get(p, VIA) !== 0 || here === there) net.set(p, DRAWN, 0)
    super.route(p, at, inPort, inVc, net, out)
    if (net.get(p, RUNG) - 1 >= this.ladder.firstGlobal) net.set(p, DRAWN, 0)
  }

  /** Returns the intermediate switch in a group, or that group. */
  private viaIn(p: Packet, group: number, net: NetView): number {
    return this.viaGroup ? group : group * this.t.a + net.draw(p, this.t.a)
  }

  /** Returns whether a detour can help: not if the minimal path leaves the group at this switch and too many flits are
   *  blocked behind its global link. */
  private helps(p: Packet, at: Router, here: number, there: number, net: NetView): boolean {
    const gate = this.gateFor(p, at, here, there, net)
    return this.t.graph.routerOf[gate] !== at || net.behind(gate) <= this.behind
  }

  /** Compares the minimal path with the detour drawn at injection, and diverts the packet if that is better. GATE is
   *  restored where the packet stays minimal, because it then still takes the link that was compared. */
  private weighDrawn(p: Packet, at: Router, here: number, there: number, net: NetView): void {
    const drawn = net.get(p, DRAWN)
    if (drawn === 0) return
    const minimal = this.queuedToward(p, at, here, there, net)
    const gate = net.get(p, GATE)
    net.set(p, GATE, 0)
    const detour = this.queuedToward(p, at, here, this.viaGroup ? drawn - 1 : this.t.groupOf(drawn - 1), net)
    if (detour <= this.idle && minimal > 2 * detour + this.bias) net.set(p, VIA, drawn)
    else net.set(p, GATE, gate)
  }

  /** Returns a random global link of this switch. */
  private ownLink(p: Packet, at: Router, net: NetView): Chan {
    const { t } = this
    return t.graph.firstChan[at] + t.role(at, t.p + t.a - 1 + net.draw(p, t.h))
  }

  /** Returns the least loaded of several drawn links that lead to a third group, or the first one drawn if none
   *  does. */
  private bestOwn(p: Packet, at: Router, there: number, net: NetView): Chan {
    const { far, routerOf } = this.t.graph
    let best = this.ownLink(p, at, net)
    let least = Number.POSITIVE_INFINITY
    for (let i = 0, link = best; i < this.draws; i++, link = this.ownLink(p, at, net)) {
      if (far[link] < 0 || this.t.groupOf(routerOf[far[link]]) === there) continue
      const queued = net.queued(link)
      if (queued >= least) continue
      best = link
      least = queued
    }
    return best
  }

  /** Compares the minimal path with a detour over a link of this switch. */
  private weighOwn(p: Packet, at: Router, here: number, there: number, net: NetView): void {
    const { t } = this
    const { far, routerOf } = t.graph
    const link = this.draws === 1 ? this.ownLink(p, at, net) : this.bestOwn(p, at, there, net)
    if (far[link] < 0) return
    const group = t.groupOf(routerOf[far[link]])
    if (group === there) return
    const queued = net.queued(link)
    if (queued > this.idle || this.queuedToward(p, at, here, there, net) <= 2 * queued + this.bias) return
    net.set(p, VIA, 1 + this.viaIn(p, group, net))
    net.set(p, GATE, link + 1)
  }
}

export const idleAbout = "Maximum length of the first queue of a non-minimal path (default: no limit)"
export const behindAbout =
  "Avoid non-minimal paths around a global link of the switch if more than this is queued at its " +
  "other end, without the flits of the last round trip (default: no limit)"
export const drawsAbout =
  "Number of random global links of the switch, of which the shortest queue is compared; for candidate: own"
export const candidateAbout =
  "Non-minimal paths over a switch drawn at injection, or over a global link of the switch that decides"

/** The ladder. A detour over a link of the deciding switch needs no local hop before it. */
const rungsFor = (candidate: Candidate) => (candidate === "own" ? "lgllgl" : "llgllgl")

export default {
  kind: "routing",
  name: "dragonfly.par",
  about:
    "Progressive adaptive routing: UGAL's decision is repeated at each switch of the source group " +
    "while the packet is minimal.",
  cites: "Indirect adaptive routing on large scale interconnection networks, N. Jiang, J. Kim and W. J. Dally, 2009",
  params: schema({
    bias: flits({ about: "Bias towards the minimal path, in flits", default: "0flits" }),
    candidate: choice(["drawn", "own"], { about: candidateAbout, default: "drawn" }),
    idle: maybe(flits({ about: idleAbout, needed: false })),
  }),
  topologies: ["dragonfly"],
  scratch: PAR_SLOTS,
  vcs: (p) => vcsFor(rungsFor(p.candidate)),
  make: (p, on) => new Progressive(on.topology, new Ladder(rungsFor(p.candidate), on.vcs), on.vcs, p),
} satisfies RoutingPlugin<Params, Dragonfly>
