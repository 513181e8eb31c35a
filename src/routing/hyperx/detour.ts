// The common part of Valiant and UGAL on HyperX: dimension order to an intermediate router on the lower half of the
// VCs, then dimension order to the destination on the upper half. Each half is free of deadlock by itself, and packets
// only move from the lower to the upper half.
//
// With an odd number of VCs the middle one belongs to the upper half. Under UGAL that half also carries the minimal
// packets; under Valiant both halves carry the same load, so the choice does not matter on average. With `odd: shared`
// both halves use it, as in BookSim2. There is then no order of VCs, and packets of several flits can block each other
// in wormhole flow control.
import type { Packet, Port, Router, Vc } from "../../model/ids.ts"
import type { Candidates, NetView, RoutingFunction } from "../../model/routing.ts"
import type { HyperX } from "../../topologies/hyperx.ts"
import type { OddVcs } from "../odd.ts"
import { allVcs, vcRange } from "../vcs.ts"
import { nextPort } from "./minimal.ts"

/** Scratch slot: the intermediate router, -1 once it is reached or if there is none. */
export const VIA = 0

export abstract class Detour implements RoutingFunction {
  protected readonly t: HyperX
  private readonly lower: number
  private readonly upper: number
  private readonly all: number

  constructor(t: HyperX, vcs: number, odd: OddVcs) {
    this.t = t
    this.lower = vcRange(0, Math.max(1, odd === "shared" ? vcs - (vcs >> 1) : vcs >> 1))
    this.upper = vcRange(vcs >> 1, vcs)
    this.all = allVcs(vcs)
  }

  /** Sets VIA. */
  abstract inject(p: Packet, at: Router, net: NetView): void

  route(p: Packet, at: Router, _inPort: Port, _inVc: Vc, net: NetView, out: Candidates): void {
    const { t } = this
    const { home, routerOf, firstChan } = t.graph
    const dst = net.dst(p)
    const goal = routerOf[home[dst]]
    if (goal === at) {
      out.add(home[dst] - firstChan[at], this.all, 0)
      return
    }
    let via = net.get(p, VIA)
    if (via === at) {
      net.set(p, VIA, -1)
      via = -1
    }
    if (via >= 0) out.add(nextPort(t, at, via, dst), this.lower, 0)
    else out.add(nextPort(t, at, goal, dst), this.upper, 0)
  }
}
