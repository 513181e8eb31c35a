// DimWAR on HyperX: "Practical and efficient incremental adaptive routing for HyperX networks", N. McDonald et al.,
// 2019. Dimensions are corrected in order, and in each of them a packet may first be sent sideways, once, to any other
// router of the line.
//
// The decision is taken anew at every router. The cost of a hop is (hops that would remain) * (flits queued at its
// port), plus a bias for sideways hops. Ties go to the direct hop, then to the next coordinate from the destination's
// number on. Of parallel links the least loaded one counts, and failed links are bypassed sideways.
//
// VCs: a packet that enters a dimension uses the lower half, after a sideways hop the upper half. The pair (dimension,
// half) only rises along a path, so the routing is free of deadlock.
import { flits, schema } from "../../core/schema.ts"
import type { Chan, End, Packet, Port, Router, Vc } from "../../model/ids.ts"
import type { RoutingPlugin } from "../../model/plugin.ts"
import type { Candidates, NetView, RoutingFunction } from "../../model/routing.ts"
import type { HyperX } from "../../topologies/hyperx.ts"
import { leastLoaded } from "../trunk.ts"
import { allVcs, vcRange } from "../vcs.ts"

type Params = { bias: number }

export class DimWar implements RoutingFunction {
  private readonly t: HyperX
  private readonly bias: number
  private readonly lower: number
  private readonly upper: number
  private readonly all: number

  constructor(t: HyperX, vcs: number, params: Params) {
    this.t = t
    this.bias = params.bias
    // every hop on the upper half follows one on the lower half, so the lower half gets the middle VC of an odd number
    const lower = Math.ceil(vcs / 2)
    this.lower = vcRange(0, lower)
    this.upper = vcRange(Math.min(lower, vcs - 1), vcs)
    this.all = allVcs(vcs)
  }

  route(p: Packet, at: Router, inPort: Port, _inVc: Vc, net: NetView, out: Candidates): void {
    const { t } = this
    const { home, routerOf, firstChan } = t.graph
    const { n, at: coordinates } = t.grid
    const dst = net.dst(p)
    const goal = routerOf[home[dst]]
    if (goal === at) {
      out.add(home[dst] - firstChan[at], this.all, 0)
      return
    }
    let d = 0
    while (coordinates[at * n + d] === coordinates[goal * n + d]) d++
    const there = coordinates[goal * n + d]
    // a direct hop would have corrected the dimension it came by, so this packet went sideways
    if (this.dimensionOf(inPort) === d) out.add(this.emptiest(dst, at, d, there, net), this.upper, 0)
    else out.add(this.weigh(dst, at, d, there, t.hops(at, goal), net), this.lower, 0)
  }

  /** Returns the port with the lowest cost in dimension d. */
  private weigh(dst: End, at: Router, d: number, there: number, hops: number, net: NetView): Port {
    const { t } = this
    const first = t.graph.firstChan[at]
    const here = t.grid.coordinate(at, d)
    const side = t.grid.sides[d]
    let best = this.emptiest(dst, at, d, there, net)
    const open = t.graph.far[first + best] >= 0
    let least = open ? hops * net.queued(first + best) : Number.POSITIVE_INFINITY
    if (least <= this.bias) return best
    for (let i = 0; i < side; i++) {
      const c = (dst + i) % side
      if (c === here || c === there) continue
      const port = this.emptiest(dst, at, d, c, net)
      if (!this.leadsOn(first + port, d, c, there)) continue
      const cost = (hops + 1) * net.queued(first + port) + this.bias
      if (cost < least) {
        least = cost
        best = port
      }
    }
    return best
  }

  /** Returns whether neither the sideways link nor every link from there to the goal coordinate has failed. */
  private leadsOn(sideways: Chan, d: number, c: number, there: number): boolean {
    const { far, routerOf, firstChan } = this.t.graph
    if (far[sideways] < 0) return false
    const next = firstChan[routerOf[far[sideways]]] + this.t.port(d, c, there, 0)
    for (let i = 0; i < this.t.links[d]; i++) if (far[next + i] >= 0) return true
    return false
  }

  /** Returns the least loaded of the parallel links to a coordinate. */
  private emptiest(dst: End, at: Router, d: number, there: number, net: NetView): Port {
    const { t } = this
    const port = t.port(d, t.grid.coordinate(at, d), there, 0)
    return port + leastLoaded(t.graph.far, t.graph.firstChan[at] + port, t.links[d], dst, net)
  }

  /** Returns the dimension of a port, or -1 for the port of an endpoint. */
  private dimensionOf(port: Port): number {
    const { firstPort } = this.t
    let d = firstPort.length - 1
    while (d >= 0 && port < firstPort[d]) d--
    return d
  }
}

export default {
  kind: "routing",
  name: "hyperx.dimwar",
  about: "Dimension order with at most one non-minimal hop in each dimension, decided hop by hop by queue lengths.",
  cites: "Practical and efficient incremental adaptive routing for HyperX networks, N. McDonald and others, 2019",
  params: schema({ bias: flits({ about: "Bias towards the direct hop, in flits times hops", default: "2flits" }) }),
  topologies: ["hyperx"],
  vcs: () => 2,
  make: (p, on) => new DimWar(on.topology, on.vcs, p),
} satisfies RoutingPlugin<Params, HyperX>
