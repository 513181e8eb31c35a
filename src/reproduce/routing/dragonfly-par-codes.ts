// Progressive adaptive routing with the scores and VCs of the CODES simulator: "Enabling parallel simulation of
// large-scale HPC network systems", M. Mubarak et al., 2017. Unlike codes.ts it skips failed links and takes any number
// of draws.
//
// At the source switch, and again at the next one while the packet is still minimal, two ports are compared by their
// queued flits, those of the detour doubled. The packet stays minimal if its score is within `threshold` or not above
// that of the detour. The port to a group is the better of two drawn among the switch's own links; without any, it is
// the best of all local ports to switches that have one. The detour goes to a random third group and continues from the
// switch where it entered. A later switch of the source group without a link to that group draws another one among its
// own links.
//
// VCs: in the source group the number of local hops so far, or 1 once diverted; 2 in the intermediate group; 3 in the
// destination group, ejection included.
import { int, schema, flits as size } from "../../core/schema.ts"
import type { Chan, Packet, Port, Router, Vc } from "../../model/ids.ts"
import type { RoutingPlugin } from "../../model/plugin.ts"
import type { Candidates, NetView, RoutingFunction } from "../../model/routing.ts"
import { thirdGroup } from "../../routing/third-group.ts"
import type { Dragonfly } from "../../topologies/dragonfly.ts"

type Params = { threshold: number; draws: number }

/** Scratch slots: group of the detour + 1 (0 = none, or already visited); group that a detour would go to + 1; local
 *  hops in the source group (LEFT = the packet has left it). */
const VIA = 0
const WISH = 1
const LOCALS = 2
const LEFT = -1

export class ProgressiveCodes implements RoutingFunction {
  private readonly t: Dragonfly
  private readonly threshold: number
  private readonly draws: number

  constructor(t: Dragonfly, params: Params) {
    this.t = t
    this.threshold = params.threshold
    this.draws = params.draws
  }

  inject(p: Packet, at: Router, net: NetView): void {
    const { t } = this
    const here = t.groupOf(at)
    const there = t.groupOf(t.routerOf(net.dst(p)))
    net.set(p, VIA, 0)
    net.set(p, WISH, 0)
    net.set(p, LOCALS, 0)
    if (here === there || t.groups === 2) return
    net.set(p, WISH, 1 + thirdGroup(p, t.groups, here, there, net))
  }

  route(p: Packet, at: Router, _inPort: Port, _inVc: Vc, net: NetView, out: Candidates): void {
    const { t } = this
    const dst = net.dst(p)
    const goal = t.routerOf(dst)
    const here = t.groupOf(at)
    const there = t.groupOf(goal)
    if (net.get(p, VIA) === here + 1) net.set(p, VIA, 0)
    if (goal === at) {
      out.add(t.graph.home[dst] - t.graph.firstChan[at], 1 << 3, 0)
      return
    }
    if (here === there) {
      out.add(t.localPort(at, goal), 1 << (net.get(p, LOCALS) === LEFT ? 3 : 0), 0)
      return
    }
    const port = this.portFor(p, at, here, there, net)
    const locals = net.get(p, LOCALS)
    const diverted = net.get(p, VIA) !== 0
    out.add(port, 1 << (locals === LEFT ? 2 : diverted ? 1 : locals), 0)
    if (diverted) net.set(p, WISH, 0)
    if (!t.isGlobal(at, port)) {
      if (locals !== LEFT) net.set(p, LOCALS, 1)
    } else {
      net.set(p, LOCALS, LEFT)
      net.set(p, WISH, 0)
    }
  }

  /** Returns the port outside the destination group, and diverts the packet if that looks better. */
  private portFor(p: Packet, at: Router, here: number, there: number, net: NetView): Port {
    const { t } = this
    const via = net.get(p, VIA) - 1
    const minimal = this.portToward(p, at, here, via < 0 ? there : via, net)
    if (via >= 0 || net.get(p, WISH) === 0) return minimal
    const first = t.graph.firstChan[at]
    const score = net.queued(first + minimal)
    if (score <= this.threshold) return minimal
    const wish = this.wish(p, at, here, there, net)
    if (wish < 0) return minimal
    const detour = this.portToward(p, at, here, wish, net)
    if (score <= 2 * net.queued(first + detour)) return minimal
    net.set(p, VIA, wish + 1)
    return detour
  }

  /** Returns the group that a detour would go to, or -1 if this switch has no link for one. */
  private wish(p: Packet, at: Router, here: number, there: number, net: NetView): number {
    const { t } = this
    const { far, routerOf, firstChan } = t.graph
    const wish = net.get(p, WISH) - 1
    if (net.get(p, LOCALS) === 0) return wish
    for (let i = 0; i < t.parallel; i++)
      if (routerOf[t.gate(here, wish, i)] === at && far[t.gate(here, wish, i)] >= 0) return wish
    const link = firstChan[at] + t.role(at, t.p + t.a - 1 + net.draw(p, t.h))
    const group = far[link] < 0 ? there : t.groupOf(routerOf[far[link]])
    return group === there ? -1 : group
  }

  /** Returns the least loaded port towards a group. */
  private portToward(p: Packet, at: Router, here: number, group: number, net: NetView): Port {
    const { t, draws } = this
    const { routerOf, firstChan, far } = t.graph
    let own = 0
    for (let i = 0; i < t.parallel; i++) {
      const c = t.gate(here, group, i)
      if (routerOf[c] === at && far[c] >= 0) own++
    }
    let best = t.portToward(at, t.gate(here, group, 0))
    let least = Number.POSITIVE_INFINITY
    const start = own > 0 ? 0 : net.draw(p, t.parallel)
    const tries = own > 0 ? Math.min(own, draws) : t.parallel
    for (let i = 0; i < tries; i++) {
      const gate =
        own > 0 ? this.ownGate(at, here, group, net.draw(p, own)) : t.gate(here, group, (start + i) % t.parallel)
      if (far[gate] < 0) continue
      const port = t.portToward(at, gate)
      const queued = net.queued(firstChan[at] + port)
      if (queued < least) {
        best = port
        least = queued
      }
    }
    return best
  }

  /** Returns working link number i of a switch to a group. */
  private ownGate(at: Router, here: number, group: number, i: number): Chan {
    const { t } = this
    const { routerOf, far } = t.graph
    let gate = 0
    for (let skip = i; ; gate++) {
      const c = t.gate(here, group, gate)
      if (routerOf[c] === at && far[c] >= 0 && skip-- === 0) return c
    }
  }
}

export default {
  kind: "routing",
  name: "dragonfly.par-codes",
  about: "Progressive adaptive routing with the scores and VCs of the CODES simulator.",
  cites: "Enabling parallel simulation of large-scale HPC network systems, M. Mubarak and others, 2017",
  params: schema({
    threshold: size({ about: "Use a minimal port at once if at most this much is queued for it", default: "0flits" }),
    draws: int({
      about: "Number of random global links of the switch to a group that are compared",
      min: 1,
      default: 2,
    }),
  }),
  topologies: ["dragonfly"],
  scratch: 3,
  vcs: () => 4,
  make: (p, on) => new ProgressiveCodes(on.topology, p),
} satisfies RoutingPlugin<Params, Dragonfly>
