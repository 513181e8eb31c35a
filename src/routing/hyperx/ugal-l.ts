// UGAL with local information on HyperX, decided once, in the source router: minimal if H_min * Q_min <= H_non * Q_non + bias, where H counts hops
// and Q the flits queued (all VCs) at the first port of each way. One intermediate router is drawn:
//   candidate: span  coordinates in which source and destination agree stay fixed, the others are uniform (own and destination's included)
//   candidate: any   uniform over all routers
// An intermediate in the own router means minimal. Minimal packets use the VCs of the second leg (detour.ts).
import { choice, flits, schema } from "../../core/schema.ts"
import type { Packet, Router } from "../../model/ids.ts"
import type { RoutingPlugin } from "../../model/plugin.ts"
import type { NetView } from "../../model/routing.ts"
import type { HyperX } from "../../topologies/hyperx.ts"
import { Detour, VIA } from "./detour.ts"
import { nextPort } from "./minimal.ts"

type Params = { bias: number; candidate: "span" | "any" }

export class UgalLocal extends Detour {
  private readonly bias: number
  private readonly span: boolean

  constructor(t: HyperX, vcs: number, params: Params) {
    super(t, vcs)
    this.bias = params.bias
    this.span = params.candidate === "span"
  }

  override inject(p: Packet, at: Router, net: NetView): void {
    const { t } = this
    const { home, routerOf } = t.graph
    const dst = net.dst(p)
    const goal = routerOf[home[dst]!]!
    net.set(p, VIA, -1)
    if (goal === at) return
    const via = this.span ? drawSpan(t, p, at, goal, net) : net.draw(p, t.graph.routers)
    if (via === at) return
    const minimal = t.hops(at, goal) * this.queued(p, at, goal, net)
    const detour = (t.hops(at, via) + t.hops(via, goal)) * this.queued(p, at, via, net)
    if (minimal > detour + this.bias) net.set(p, VIA, via)
  }

  /** Flits queued on the way to another router, as far as this router sees. */
  protected queued(p: Packet, at: Router, goal: Router, net: NetView): number {
    return net.queued(this.t.graph.firstChan[at]! + nextPort(this.t, at, goal, net.dst(p)))
  }
}

/** A router drawn from those that agree with both ends wherever these agree with each other. */
export function drawSpan(t: HyperX, p: Packet, at: Router, goal: Router, net: NetView): Router {
  const { n, at: coordinates, sides, stride } = t.grid
  let via = at
  for (let d = 0; d < n; d++) {
    const here = coordinates[at * n + d]!
    if (here !== coordinates[goal * n + d]) via += (net.draw(p, sides[d]!) - here) * stride[d]!
  }
  return via
}

export default {
  kind: "routing",
  name: "hyperx.ugal-l",
  about: "Minimal, unless its first queue is longer than a random detour's in proportion to their hops.",
  cites: "Load-balanced routing in interconnection networks, A. Singh, 2005",
  params: schema({
    bias: flits({ about: "advantage of the minimal way", default: "2flits" }),
    candidate: choice(["span", "any"], { about: "detours within the dimensions that differ, or anywhere", default: "span" }),
  }),
  topologies: ["hyperx"],
  scratch: 1,
  vcs: () => 2,
  make: (p, on) => new UgalLocal(on.topology, on.vcs, p),
} satisfies RoutingPlugin<Params, HyperX>
