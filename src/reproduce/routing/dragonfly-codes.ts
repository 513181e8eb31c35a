// The dragonfly routings of the CODES simulator (its model "dragonfly-dally"). They are separate from lacewing's own
// because their VC rules and choices differ, and serve to compare results with CODES.
//   codes-minimal        Takes a random one of the switch's own links to the destination group. Without any, it goes to
//                        a random switch of the group that has one. Then it goes to the destination switch.
//   codes-nonminimal     Goes first to a random third group, then on from the switch where it entered that group.
//                        Inside a group it is minimal.
//   codes-prog-adaptive  Draws the group of the detour at the source. There, and again at every switch of the source
//                        group while the packet is still minimal, it compares the best minimal with the best
//                        non-minimal channel. The score of a channel is the number of chunks queued on all VCs and
//                        waiting, doubled for the detour. The packet stays minimal if the minimal score is at most
//                        `threshold` or not larger. Among local channels the best of all is used, with random ties;
//                        among global channels the better of two random ones. A later switch of the source group
//                        without a link to the drawn group draws another one among its own.
//
// VC: in the source group the number of local hops so far, or 1 once non-minimal; 2 in the intermediate and 3 in the
// destination group, ejection included. Topology: "Technology-driven, highly-scalable dragonfly topology", J. Kim, W.
// J. Dally, S. Scott and D. Abts, 2008.
import { flits, schema } from "../../core/schema.ts"
import type { Chan, Packet, Port, Router, Vc } from "../../model/ids.ts"
import type { RoutingPlugin } from "../../model/plugin.ts"
import type { Candidates, NetView, RoutingFunction } from "../../model/routing.ts"
import { thirdGroup } from "../../routing/third-group.ts"
import type { Dragonfly } from "../../topologies/dragonfly.ts"

/** Scratch slots: group of the detour + 1 (0 = none), the state below, and the router of injection. */
const VIA = 0
const STATE = 1
const HOME = 2
/** Bits of the state: a detour was chosen; its group was visited. The number of local hops is stored above them, in
 *  steps of LOCAL_HOP. */
const DETOUR = 1
const VISITED = 2
const LOCAL_HOP = 16

abstract class Codes implements RoutingFunction {
  protected readonly t: Dragonfly
  /** [router * groups + group] -> number of its own links to the group */
  protected readonly own: Uint16Array
  /** [(router * groups + group) * parallel + i] -> channels towards the group: its own links, or the local channels to
   *  switches that have one */
  protected readonly ways: Int32Array
  private readonly scores: Int32Array
  /** [end] -> its router */
  private readonly routers: Int32Array

  constructor(t: Dragonfly) {
    this.t = t
    const { groups, parallel, graph } = t
    this.routers = Int32Array.from({ length: graph.ends }, (_, e) => t.routerOf(e))
    this.scores = new Int32Array(parallel)
    this.own = new Uint16Array(graph.routers * groups)
    this.ways = new Int32Array(graph.routers * groups * parallel)
    for (let at = 0; at < graph.routers; at++)
      for (let group = 0; group < groups; group++) if (group !== t.groupOf(at)) this.lay(at, group)
  }

  /** Fills both tables for one router and group. */
  private lay(at: Router, group: number): void {
    const { t, own, ways } = this
    const { routerOf, firstChan } = t.graph
    const k = at * t.groups + group
    const gates = Array.from({ length: t.parallel }, (_, i) => t.gate(t.groupOf(at), group, i))
    const mine = gates.filter((gate) => routerOf[gate] === at)
    own[k] = mine.length
    ways.set(mine.length > 0 ? mine : gates.map((gate) => firstChan[at] + t.portToward(at, gate)), k * t.parallel)
  }

  inject(p: Packet, at: Router, net: NetView): void {
    const { t } = this
    const here = t.groupOf(at)
    const there = t.groupOf(this.routers[net.dst(p)])
    net.set(p, HOME, at)
    net.set(p, STATE, 0)
    net.set(p, VIA, 0)
    if (here === there || t.groups === 2) return
    net.set(p, VIA, 1 + thirdGroup(p, t.groups, here, there, net))
  }

  route(p: Packet, at: Router, _inPort: Port, _inVc: Vc, net: NetView, out: Candidates): void {
    const { t } = this
    const dst = net.dst(p)
    const goal = this.routers[dst]
    const here = t.groupOf(at)
    const there = t.groupOf(goal)
    const home = t.groupOf(net.get(p, HOME))
    const state = net.get(p, STATE)
    const vc = here === home ? (state & DETOUR ? 1 : state >> 4) : here === there ? 3 : 2
    if (goal === at) {
      out.add(t.graph.home[dst] - t.graph.firstChan[at], 1 << vc, 0)
      return
    }
    const chan = here === there ? t.graph.firstChan[at] + t.localPort(at, goal) : this.next(p, at, here, there, net)
    if (!t.isGlobal(at, chan - t.graph.firstChan[at])) net.set(p, STATE, net.get(p, STATE) + LOCAL_HOP)
    out.add(chan - t.graph.firstChan[at], 1 << vc, 0)
  }

  /** Returns the channel to take outside the destination group. */
  protected abstract next(p: Packet, at: Router, here: number, there: number, net: NetView): Chan

  /** Returns a random channel towards a group: one of its own links, else one to a switch that has a link. */
  protected randomToward(p: Packet, at: Router, group: number, net: NetView): Chan {
    const { t, own, ways } = this
    const k = at * t.groups + group
    return ways[k * t.parallel + net.draw(p, own[k] > 0 ? own[k] : t.parallel)]
  }

  /** Returns the least loaded channel towards a group: the better of two random own links, else the best of all local
   *  channels to switches that have a link. */
  protected bestToward(p: Packet, at: Router, group: number, net: NetView): Chan {
    const { t, ways } = this
    const k = at * t.groups + group
    const first = k * t.parallel
    const own = this.own[k]
    if (own === 1) return ways[first]
    if (own > 1) {
      const a = net.draw(p, own)
      const b = (a + 1 + net.draw(p, own - 1)) % own
      return this.lighter(p, ways[first + a], ways[first + b], net)
    }
    const { scores } = this
    let best = 0
    let ties = 0
    for (let i = 0; i < t.parallel; i++) {
      const score = net.queued(ways[first + i])
      scores[i] = score
      if (ties === 0 || score < scores[best]) {
        best = i
        ties = 1
      } else if (score === scores[best]) ties++
    }
    if (ties === 1) return ways[first + best]
    // one draw among the ties
    const least = scores[best]
    for (let k = net.draw(p, ties); k > 0; ) if (scores[++best] === least) k--
    return ways[first + best]
  }

  /** Returns the channel with fewer queued flits; a tie is drawn. */
  private lighter(p: Packet, a: Chan, b: Chan, net: NetView): Chan {
    const d = net.queued(a) - net.queued(b)
    return d < 0 || (d === 0 && net.draw(p, 2) === 0) ? a : b
  }
}

class Minimal extends Codes {
  protected next(p: Packet, at: Router, _here: number, there: number, net: NetView): Chan {
    return this.randomToward(p, at, there, net)
  }
}

class NonMinimal extends Codes {
  protected next(p: Packet, at: Router, here: number, there: number, net: NetView): Chan {
    const via = net.get(p, VIA) - 1
    const state = net.get(p, STATE)
    const visited = via < 0 || here === via || (state & VISITED) !== 0
    net.set(p, STATE, state | DETOUR | (visited ? VISITED : 0))
    return this.randomToward(p, at, visited ? there : via, net)
  }
}

class ProgAdaptive extends Codes {
  private readonly threshold: number

  constructor(t: Dragonfly, threshold: number) {
    super(t)
    this.threshold = threshold
  }

  protected next(p: Packet, at: Router, here: number, there: number, net: NetView): Chan {
    const { t } = this
    const home = net.get(p, HOME)
    const minimal = this.bestToward(p, at, there, net)
    if (here !== t.groupOf(home) || t.groups === 2) return minimal
    let via = net.get(p, VIA) - 1
    if (at !== home && this.own[at * t.groups + via] === 0) via = this.redraw(p, at, here, there, net)
    if (via < 0) return minimal
    const detour = this.bestToward(p, at, via, net)
    const state = net.get(p, STATE)
    if ((state & DETOUR) === 0) {
      const score = net.queued(minimal)
      if (score <= this.threshold || score <= 2 * net.queued(detour)) return minimal
      net.set(p, STATE, state | DETOUR)
    }
    return detour
  }

  /** Returns another group for the detour, among those to which this switch has a link, or -1. The draw is a reservoir
   *  sample over its links. */
  private redraw(p: Packet, at: Router, here: number, there: number, net: NetView): number {
    const { t } = this
    const { firstChan, far, routerOf } = t.graph
    let via = -1
    let n = 0
    for (let c = firstChan[at]; c < firstChan[at + 1]; c++) {
      if (!t.isGlobal(at, c - firstChan[at])) continue
      const group = t.groupOf(routerOf[far[c]])
      if (group !== there && group !== here && net.draw(p, ++n) === 0) via = group
    }
    if (via >= 0) net.set(p, VIA, via + 1)
    return via
  }
}

const shared = {
  kind: "routing",
  cites: "Technology-driven, highly-scalable dragonfly topology, J. Kim, W. J. Dally, S. Scott and D. Abts, 2008",
  topologies: ["dragonfly"],
  scratch: 3,
  vcs: () => 4,
} as const

export const minimal = {
  ...shared,
  name: "dragonfly.codes-minimal",
  about: "Minimal routing of CODES' dragonfly with its VC assignment, for comparison.",
  params: schema({}),
  make: (_, on) => new Minimal(on.topology),
} satisfies RoutingPlugin<Record<never, never>, Dragonfly>

export const nonMinimal = {
  ...shared,
  name: "dragonfly.codes-nonminimal",
  about: "Non-minimal routing of CODES' dragonfly through a random group, for comparison.",
  params: schema({}),
  make: (_, on) => new NonMinimal(on.topology),
} satisfies RoutingPlugin<Record<never, never>, Dragonfly>

export const progAdaptive = {
  ...shared,
  name: "dragonfly.codes-prog-adaptive",
  about: "Progressive adaptive routing of CODES with doubled scores for non-minimal paths, for comparison.",
  params: schema({ threshold: flits({ about: "Use the minimal path up to this score", default: "0flits" }) }),
  make: (p, on) => new ProgAdaptive(on.topology, p.threshold),
} satisfies RoutingPlugin<{ threshold: number }, Dragonfly>
