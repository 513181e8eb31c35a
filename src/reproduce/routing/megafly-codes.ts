// The dragonfly+ routings of the CODES simulator. They are separate from lacewing's own because their VC rules and
// choices differ, and serve to compare results with CODES. The score of a channel is the number of chunks queued on all
// VCs and waiting.
//   `codes-minimal`           A leaf takes the spine with the lowest score among those that reach the group. The spine
//                             takes a random link to it. Then the packet goes from spine to leaf.
//   `codes-non-minimal-leaf`  The packet goes over a leaf of a random third group and visits seven routers.
//   `codes-prog-adaptive`     The source leaf, and again the source spine, compare the minimal path with the detour,
//                             whose score counts double. A spine of the intermediate group always goes down to a leaf.
//
// Among local channels the best of all is used, with random ties; among global ones the better of two random draws.
// Inside a group a packet goes up to the best spine and down. It uses VC 0, and VC 1 after the turn in the intermediate
// leaf. "Dragonfly+: low cost topology for scaling datacenters", A. Shpiner et al., 2017.
import { flits, schema } from "../../core/schema.ts"
import type { End, Packet, Port, Router, Vc } from "../../model/ids.ts"
import type { RoutingPlugin } from "../../model/plugin.ts"
import type { Candidates, NetView, RoutingFunction } from "../../model/routing.ts"
import { thirdGroup } from "../../routing/third-group.ts"
import type { Megafly } from "../../topologies/megafly.ts"

/** Scratch slots: group of the detour + 1 (0 = none), the state below, and the group of injection. */
const VIA = 0
const STATE = 1
const HOME = 2
/** Bits of the state: a detour was chosen; the packet has turned in the intermediate leaf. */
const DETOUR = 1
const TURNED = 2

abstract class Codes implements RoutingFunction {
  protected readonly t: Megafly
  private readonly scores: Int32Array
  /** [end] -> its leaf; [router] -> 1 for a spine */
  private readonly homes: Int32Array
  private readonly spine: Uint8Array
  /** [(router * groups + group) * 2] -> first port of a spine to the group, and the number of its links there */
  private readonly ways: Int16Array

  constructor(t: Megafly) {
    this.t = t
    const { graph, groups } = t
    this.scores = new Int32Array(Math.max(32, Math.max(t.spines, t.leaves) * t.links))
    this.homes = Int32Array.from({ length: graph.ends }, (_, e) => t.routerOf(e))
    this.spine = Uint8Array.from({ length: graph.routers }, (_, r) => (t.isSpine(r) ? 1 : 0))
    this.ways = new Int16Array(graph.routers * groups * 2)
    for (let r = 0; r < graph.routers; r++)
      for (let g = 0; g < groups; g++) {
        if (!t.isSpine(r) || g === t.group[r]) continue
        const first = t.portToward(r, g)
        this.ways[(r * groups + g) * 2] = first
        this.ways[(r * groups + g) * 2 + 1] = Math.floor((t.lastPort(r) - 1 - first) / (groups - 1)) + 1
      }
  }

  protected home(e: End): Router {
    return this.homes[e]
  }

  protected isSpine(r: Router): boolean {
    return this.spine[r] === 1
  }

  inject(p: Packet, at: Router, net: NetView): void {
    const { t } = this
    const here = t.group[at]
    const there = t.group[this.home(net.dst(p))]
    net.set(p, HOME, here)
    net.set(p, STATE, 0)
    net.set(p, VIA, 0)
    if (here === there || t.groups === 2) return
    net.set(p, VIA, 1 + thirdGroup(p, t.groups, here, there, net))
  }

  route(p: Packet, at: Router, _inPort: Port, _inVc: Vc, net: NetView, out: Candidates): void {
    const { t } = this
    const dst = net.dst(p)
    const goal = this.home(dst)
    let port: Port
    if (goal === at) port = dst % t.p
    else if (t.group[at] === t.group[goal])
      port = this.isSpine(at) ? this.down(p, at, goal, net) : this.bestUp(p, at, net)
    else port = this.next(p, at, t.group[goal], net)
    out.add(port, net.get(p, STATE) & TURNED ? 2 : 1, 0)
  }

  /** Returns the port to take outside the destination group. */
  protected abstract next(p: Packet, at: Router, there: number, net: NetView): Port

  /** Returns the best of the ports first to first + n - 1, with random ties. */
  protected best(p: Packet, at: Router, first: Port, n: number, net: NetView): Port {
    const chan = this.t.graph.firstChan[at] + first
    const { scores } = this
    let best = 0
    let ties = 0
    for (let i = 0; i < n; i++) {
      const score = net.queued(chan + i)
      scores[i] = score
      if (ties === 0 || score < scores[best]) {
        best = i
        ties = 1
      } else if (score === scores[best]) ties++
    }
    if (ties === 1) return first + best
    // one draw among the ties
    const least = scores[best]
    for (let k = net.draw(p, ties); k > 0; ) if (scores[++best] === least) k--
    return first + best
  }

  /** Returns the port from a leaf to the best spine; every spine reaches every group. */
  protected bestUp(p: Packet, at: Router, net: NetView): Port {
    return this.best(p, at, this.t.upPort(0), this.t.spines * this.t.links, net)
  }

  /** Returns the port from a spine to a leaf of its group. */
  protected down(p: Packet, at: Router, leaf: Router, net: NetView): Port {
    return this.best(p, at, this.t.downPort(leaf % (this.t.leaves + this.t.spines)), this.t.links, net)
  }

  /** Returns the port from a spine to the best leaf of its group. */
  protected bestDown(p: Packet, at: Router, net: NetView): Port {
    return this.best(p, at, this.t.downPort(0), this.t.leaves * this.t.links, net)
  }

  /** Returns a random port of a spine to a group. */
  protected randomLink(p: Packet, spine: Router, group: number, net: NetView): Port {
    const { groups } = this.t
    const k = (spine * groups + group) * 2
    return this.ways[k] + net.draw(p, this.ways[k + 1]) * (groups - 1)
  }

  /** Returns the better of two random ports of a spine to a group. */
  protected bestLink(p: Packet, spine: Router, group: number, net: NetView): Port {
    const a = this.randomLink(p, spine, group, net)
    const b = this.randomLink(p, spine, group, net)
    const first = this.t.graph.firstChan[spine]
    const d = net.queued(first + a) - net.queued(first + b)
    return d < 0 || (d === 0 && net.draw(p, 2) === 0) ? a : b
  }

  /** Returns whether the packet is in the intermediate group. */
  protected between(p: Packet, at: Router, there: number, net: NetView): boolean {
    const { t } = this
    const here = t.group[at]
    return here !== there && here !== net.get(p, HOME)
  }

  /** Returns the port towards the destination group without a detour. */
  protected straight(p: Packet, at: Router, there: number, net: NetView): Port {
    return this.isSpine(at) ? this.bestLink(p, at, there, net) : this.bestUp(p, at, net)
  }

  /** Returns the port towards a leaf of the intermediate group. */
  protected aside(p: Packet, at: Router, there: number, net: NetView): Port {
    if (!this.isSpine(at)) return this.bestUp(p, at, net)
    return this.between(p, at, there, net) ? this.bestDown(p, at, net) : this.bestLink(p, at, net.get(p, VIA) - 1, net)
  }

  protected turn(p: Packet, net: NetView): void {
    net.set(p, STATE, net.get(p, STATE) | TURNED)
  }
}

class Minimal extends Codes {
  protected next(p: Packet, at: Router, there: number, net: NetView): Port {
    return this.isSpine(at) ? this.randomLink(p, at, there, net) : this.bestUp(p, at, net)
  }
}

class NonMinimalLeaf extends Codes {
  protected next(p: Packet, at: Router, there: number, net: NetView): Port {
    if (net.get(p, VIA) === 0) return this.straight(p, at, there, net)
    if (!this.isSpine(at) && this.between(p, at, there, net)) this.turn(p, net)
    if (net.get(p, STATE) & TURNED) return this.straight(p, at, there, net)
    net.set(p, STATE, DETOUR)
    return this.aside(p, at, there, net)
  }
}

class ProgAdaptive extends Codes {
  private readonly threshold: number

  constructor(t: Megafly, threshold: number) {
    super(t)
    this.threshold = threshold
  }

  protected next(p: Packet, at: Router, there: number, net: NetView): Port {
    const { t } = this
    const state = net.get(p, STATE)
    if (state & TURNED || net.get(p, VIA) === 0) return this.straight(p, at, there, net)
    if (this.between(p, at, there, net)) {
      if (this.isSpine(at)) return this.bestDown(p, at, net)
      this.turn(p, net)
      return this.straight(p, at, there, net)
    }
    const minimal = this.straight(p, at, there, net)
    // From a leaf, both paths lead over the best of the same spines. The score of the detour counts double, so the
    // detour is never better.
    if (!this.isSpine(at)) return minimal
    const first = t.graph.firstChan[at]
    const detour = this.aside(p, at, there, net)
    const score = net.queued(first + minimal)
    if (score <= this.threshold || score <= 2 * net.queued(first + detour)) return minimal
    net.set(p, STATE, state | DETOUR)
    return detour
  }
}

const shared = {
  kind: "routing",
  cites: "Dragonfly+: low cost topology for scaling datacenters, A. Shpiner et al., 2017",
  limits: "every spine must reach every group",
  topologies: ["megafly"],
  scratch: 3,
  vcs: () => 2,
} as const

export const minimal = {
  ...shared,
  name: "megafly.codes-minimal",
  about: "Minimal routing of CODES' dragonfly+, for comparison.",
  params: schema({}),
  make: (_, on) => new Minimal(on.topology),
} satisfies RoutingPlugin<Record<never, never>, Megafly>

export const nonMinimalLeaf = {
  ...shared,
  name: "megafly.codes-non-minimal-leaf",
  about: "Non-minimal routing of CODES' dragonfly+ over a leaf of a random group, for comparison.",
  params: schema({}),
  make: (_, on) => new NonMinimalLeaf(on.topology),
} satisfies RoutingPlugin<Record<never, never>, Megafly>

export const progAdaptive = {
  ...shared,
  name: "megafly.codes-prog-adaptive",
  about: "Progressive adaptive routing of CODES' dragonfly+, for comparison.",
  params: schema({ threshold: flits({ about: "Use the minimal path up to this score", default: "0flits" }) }),
  make: (p, on) => new ProgAdaptive(on.topology, p.threshold),
} satisfies RoutingPlugin<{ threshold: number }, Megafly>
