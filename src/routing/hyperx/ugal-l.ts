// UGAL with local information on HyperX: "Load-balanced routing in interconnection networks", A. Singh, 2005. It
// decides once, in the source router. The packet goes minimally if H_min * Q_min <= H_non * Q_non + bias, where H
// counts hops and Q the flits queued (all VCs) at the first port of each path. One intermediate router is drawn:
//   `candidate: span`  Coordinates in which source and destination agree stay fixed; the others are uniform, including
//                      those of source and destination.
//   `candidate: any`   Uniform over all routers.
// If the source router itself is drawn, the packet goes minimally. Minimal packets use the VCs of the second leg
// (detour.ts).
import { choice, flits, schema } from "../../core/schema.ts"
import type { Packet, Router } from "../../model/ids.ts"
import type { RoutingPlugin } from "../../model/plugin.ts"
import type { NetView } from "../../model/routing.ts"
import type { HyperX } from "../../topologies/hyperx.ts"
import { type OddVcs, oddVcs } from "../odd.ts"
import { Detour, VIA } from "./detour.ts"
import { nextPort } from "./minimal.ts"

export type UgalParams = { bias: number; candidate: "span" | "any"; odd: OddVcs }

export const ugalFields = {
  bias: flits({ about: "Bias towards the minimal path, in flits", default: "2flits" }),
  candidate: choice(["span", "any"], {
    about: "Intermediate routers: only in the dimensions that differ, or anywhere",
    default: "span",
  }),
  odd: oddVcs,
}

export class UgalLocal extends Detour {
  private readonly bias: number
  private readonly span: boolean

  constructor(t: HyperX, vcs: number, params: UgalParams) {
    super(t, vcs, params.odd)
    this.bias = params.bias
    this.span = params.candidate === "span"
  }

  override inject(p: Packet, at: Router, net: NetView): void {
    const { t } = this
    const { home, routerOf } = t.graph
    const goal = routerOf[home[net.dst(p)]]
    net.set(p, VIA, -1)
    if (goal === at || net.direct(p)) return
    const via = this.span ? drawSpan(t, p, at, goal, net) : net.draw(p, t.graph.routers)
    if (via !== at && this.cost(p, at, goal, goal, net) > this.cost(p, at, via, goal, net) + this.bias)
      net.set(p, VIA, via)
  }

  /** Returns the estimated cost of the path over `via`, which is the goal itself for the minimal path. */
  protected cost(p: Packet, at: Router, via: Router, goal: Router, net: NetView): number {
    const { t } = this
    return (t.hops(at, via) + t.hops(via, goal)) * net.queued(t.graph.firstChan[at] + nextPort(t, at, via, net.dst(p)))
  }
}

/** Returns a random router among those that agree with both ends wherever these agree with each other. */
export function drawSpan(t: HyperX, p: Packet, at: Router, goal: Router, net: NetView): Router {
  const { n, at: coordinates, sides, stride } = t.grid
  let via = at
  for (let d = 0; d < n; d++) {
    const here = coordinates[at * n + d]
    if (here !== coordinates[goal * n + d]) via += (net.draw(p, sides[d]) - here) * stride[d]
  }
  return via
}

export default {
  kind: "routing",
  name: "hyperx.ugal-l",
  about: "Minimal, unless first queue times hops is larger than for a random non-minimal path.",
  cites: "Load-balanced routing in interconnection networks, A. Singh, 2005",
  params: schema(ugalFields),
  topologies: ["hyperx"],
  scratch: 1,
  direct: 1,
  vcs: () => 2,
  make: (p, on) => new UgalLocal(on.topology, on.vcs, p),
} satisfies RoutingPlugin<UgalParams, HyperX>
