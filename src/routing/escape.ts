// Minimal adaptive routing with escape VCs on meshes and tori, after Duato: "A new theory of deadlock-free adaptive
// routing in wormhole networks", 1993. The plug-ins mesh.adaptive and torus.adaptive use this class.
//
// Every port that brings the packet nearer is a candidate on the adaptive VCs, the least loaded one first. Dimension
// order on the escape VCs is the candidate of last resort. A blocked packet can therefore always fall back to a network
// without cyclic dependencies. The escape VCs are:
//   mesh   VC 0.
//   torus  VC 0 and 1. In each ring a packet uses VC 1 while the wrap-around link is still ahead, and VC 0 after it or
//          without it. In one direction, a channel of VC 1 waits only for later channels of VC 1 or for VC 0, and VC 0
//          never crosses the wrap-around link. The rule depends only on position and destination, so a packet may leave
//          the escape VCs and return to them anywhere. Minimal hops never turn back in a ring, so hops on adaptive VCs
//          keep the order.
//
// Limits: at most three adaptive candidates are named, which are all of them with up to three dimensions.
import type { End, Packet, Port, Router, Vc } from "../model/ids.ts"
import type { Candidates, NetView, RoutingFunction } from "../model/routing.ts"
import type { Mesh } from "../topologies/mesh.ts"
import type { Torus } from "../topologies/torus.ts"
import { hashed, leastLoaded } from "./trunk.ts"
import { allVcs, vcRange } from "./vcs.ts"

const MOST = 3
export const ESCAPE_CANDIDATES = MOST + 1
/** Cost of the escape candidate: more than any queue, so that a free adaptive VC is always preferred. */
const LAST_RESORT = 1 << 30

export class Escape implements RoutingFunction {
  private readonly net: Mesh | Torus
  private readonly wraps: boolean
  private readonly adaptive: number
  private readonly all: number
  private readonly port = new Int32Array(MOST)
  private readonly cost = new Int32Array(MOST)
  private found = 0

  constructor(net: Mesh | Torus, vcs: number) {
    this.net = net
    this.wraps = net.name === "torus"
    this.adaptive = vcRange(this.wraps ? 2 : 1, vcs)
    this.all = allVcs(vcs)
  }

  route(p: Packet, at: Router, _inPort: Port, _inVc: Vc, net: NetView, out: Candidates): void {
    const { graph, grid, trunk } = this.net
    const { n, at: coordinates, sides } = grid
    const dst = net.dst(p)
    const home = graph.home[dst]
    const goal = graph.routerOf[home]
    if (goal === at) {
      out.add(home - graph.firstChan[at], this.all, 0)
      return
    }
    this.found = 0
    let escapePort = -1
    let escapeVc = 0
    for (let d = 0; d < n; d++) {
      const here = coordinates[at * n + d]
      const there = coordinates[goal * n + d]
      if (here === there) continue
      // negative: upwards is nearer; positive: downwards; 0 on a torus: both directions are minimal
      const up = this.wraps ? 2 * ((there - here + sides[d]) % sides[d]) - sides[d] : here - there
      if (up <= 0) this.consider(dst, at, 2 * d * trunk, net)
      if (up >= 0) this.consider(dst, at, (2 * d + 1) * trunk, net)
      if (escapePort < 0) {
        const direction = up <= 0 ? 0 : 1
        escapePort = (2 * d + direction) * trunk
        escapePort += hashed(graph.far, graph.firstChan[at] + escapePort, trunk, dst)
        escapeVc = this.wraps && (direction === 0 ? here > there : here < there) ? 1 : 0
      }
    }
    for (let i = 0; i < this.found; i++) out.add(this.port[i], this.adaptive, this.cost[i])
    out.add(escapePort, 1 << escapeVc, LAST_RESORT)
  }

  /** Inserts a port into the list of the least loaded ports, in ascending order of load. A failed link is skipped. */
  private consider(dst: End, at: Router, first: Port, net: NetView): void {
    const { port, cost } = this
    const { graph, trunk } = this.net
    const candidate = first + leastLoaded(graph.far, graph.firstChan[at] + first, trunk, dst, net)
    if (graph.far[graph.firstChan[at] + candidate] < 0) return
    const queued = net.queued(graph.firstChan[at] + candidate)
    let i = this.found < MOST ? this.found++ : MOST
    for (; i > 0 && cost[i - 1] > queued; i--) {
      if (i === MOST) continue
      port[i] = port[i - 1]
      cost[i] = cost[i - 1]
    }
    if (i === MOST) return
    port[i] = candidate
    cost[i] = queued
  }
}
