// The common part of lacewing's dragonfly routings (minimal, Valiant, UGAL, PAR). A packet heads for a goal router: its
// destination, or first an intermediate router or group. It takes local and global links and ascends a ladder of VCs
// (ladder.ts). Of several global links to a group it takes one of its own switch, otherwise a random one.
import type { Chan, Packet, Port, Router, Vc } from "../../model/ids.ts"
import type { Candidates, NetView, RoutingFunction } from "../../model/routing.ts"
import type { Dragonfly } from "../../topologies/dragonfly.ts"
import { allVcs } from "../vcs.ts"
import { GROUND, type Ladder } from "./ladder.ts"

/** Scratch slots: current rung of the ladder + 1; intermediate router or group + 1, where 0 means none or already
 *  visited; chosen global channel + 1. */
export const RUNG = 0
export const VIA = 1
export const GATE = 2
export const SLOTS = 3

export class Hierarchical implements RoutingFunction {
  protected readonly t: Dragonfly
  protected readonly ladder: Ladder
  /** VIA is a group, reached with its first switch; otherwise VIA is a router */
  protected readonly viaGroup: boolean
  private readonly all: number

  constructor(t: Dragonfly, ladder: Ladder, vcs: number, viaGroup: boolean) {
    this.t = t
    this.ladder = ladder
    this.viaGroup = viaGroup
    this.all = allVcs(vcs)
  }

  inject(p: Packet, _at: Router, net: NetView): void {
    net.set(p, RUNG, GROUND + 1)
    net.set(p, VIA, 0)
    if (this.t.parallel > 1) net.set(p, GATE, 0)
  }

  route(p: Packet, at: Router, _inPort: Port, _inVc: Vc, net: NetView, out: Candidates): void {
    const { t } = this
    const dst = net.dst(p)
    const goal = t.routerOf(dst)
    if (goal === at) {
      out.add(t.graph.home[dst] - t.graph.firstChan[at], this.all, 0)
      return
    }
    const here = t.groupOf(at)
    let via = net.get(p, VIA) - 1
    if (via >= 0 && (this.viaGroup ? via === here : via === at)) {
      net.set(p, VIA, 0)
      via = -1
    }
    const aim = via < 0 || this.viaGroup ? goal : via
    const group = via < 0 ? t.groupOf(goal) : this.viaGroup ? via : t.groupOf(via)
    const straight = group === here ? t.localPort(at, aim) : t.portToward(at, this.gateFor(p, at, here, group, net))
    const isGlobal = t.isGlobal(at, straight)
    if (isGlobal && t.parallel > 1) net.set(p, GATE, 0)
    const port = isGlobal ? straight : this.localHop(p, at, straight, net)
    const rung = this.ladder.climb(net.get(p, RUNG) - 1, isGlobal)
    net.set(p, RUNG, rung + 1)
    out.add(port, this.ladder.vcs(rung), 0)
  }

  /** Returns the local port to take where `straight` leads to the switch that the packet needs. Routings with local
   *  misrouting override it. */
  protected localHop(_p: Packet, _at: Router, straight: Port, _net: NetView): Port {
    return straight
  }

  /** Returns the flits queued at the first port of the path to another group. The global link of that path is
   *  remembered in GATE, so that the packet takes the link that was compared. */
  protected queuedToward(p: Packet, at: Router, here: number, group: number, net: NetView): number {
    return net.queued(this.t.graph.firstChan[at] + this.t.portToward(at, this.gateFor(p, at, here, group, net)))
  }

  /** Returns the global channel to take to a group: the remembered one, else one of this switch, else a random one. */
  protected gateFor(p: Packet, at: Router, from: number, to: number, net: NetView): Chan {
    const { t } = this
    if (t.parallel === 1) return t.gate(from, to, 0)
    const kept = net.get(p, GATE) - 1
    if (kept >= 0) return kept
    const { routerOf, far } = t.graph
    let own = 0
    let open = 0
    for (let i = 0; i < t.parallel; i++) {
      const c = t.gate(from, to, i)
      if (far[c] < 0) continue
      open++
      if (routerOf[c] === at) own++
    }
    // candidates: the links of this switch if it has any, otherwise all; failed links are skipped
    let skip = net.draw(p, own > 0 ? own : Math.max(1, open))
    let gate = t.gate(from, to, 0)
    for (let i = 0; i < t.parallel; i++) {
      const c = t.gate(from, to, i)
      if (far[c] < 0 || (own > 0 && routerOf[c] !== at) || skip-- > 0) continue
      gate = c
      break
    }
    net.set(p, GATE, gate + 1)
    return gate
  }
}
