// Valiant's algorithm on a Slim Fly: minimal to a random router that is neither source nor destination, then minimal to
// the destination, with at most four links. A packet that meets its destination on the path is ejected there. The VC is
// the hop, so four VCs are needed.
import { schema } from "../../core/schema.ts"
import type { Packet, Port, Router, Vc } from "../../model/ids.ts"
import type { RoutingPlugin } from "../../model/plugin.ts"
import type { Candidates, NetView, RoutingFunction } from "../../model/routing.ts"
import type { SlimFly } from "../../topologies/slimfly.ts"
import { allVcs, vcRanks } from "../vcs.ts"
import { type Middle, middleField, Paths } from "./paths.ts"

export const LINKS = 4
/** Scratch slot: the intermediate router + 1, 0 = none or already visited. */
export const VIA = 0

export class Valiant implements RoutingFunction {
  protected readonly paths: Paths
  private readonly masks: Int32Array
  private readonly all: number

  constructor(t: SlimFly, vcs: number, middle: Middle) {
    this.paths = new Paths(t, middle)
    this.masks = vcRanks(vcs, LINKS)
    this.all = allVcs(vcs)
  }

  inject(p: Packet, at: Router, net: NetView): void {
    const goal = this.paths.goal(at, net.dst(p))
    net.set(p, VIA, goal === at ? 0 : 1 + this.drawn(p, at, goal, net))
  }

  /** Returns a random router of the same plane, neither `at` nor `goal`. */
  protected drawn(p: Packet, at: Router, goal: Router, net: NetView): Router {
    const { routers } = this.paths.t.plane
    const base = this.paths.t.planeOf(at) * routers
    let r = base + net.draw(p, routers - 2)
    if (r >= Math.min(at, goal)) r++
    if (r >= Math.max(at, goal)) r++
    return r
  }

  route(p: Packet, at: Router, _inPort: Port, _inVc: Vc, net: NetView, out: Candidates): void {
    const { paths } = this
    const dst = net.dst(p)
    const goal = paths.goal(at, dst)
    if (goal === at) {
      out.add(paths.ejectPort(at, dst), this.all, 0)
      return
    }
    if (net.get(p, VIA) === at + 1) net.set(p, VIA, 0)
    const via = net.get(p, VIA)
    out.add(paths.port(p, at, via === 0 ? goal : via - 1, net), this.masks[net.hops(p)], 0)
  }
}

export default {
  kind: "routing",
  name: "slimfly.valiant",
  about: "Minimal to a random router, then minimal to the destination.",
  cites: "Slim Fly: a cost effective low-diameter network topology, M. Besta and T. Hoefler, 2014",
  params: schema({ middle: middleField }),
  topologies: ["slimfly", "fitfly"],
  adaptive: false,
  scratch: 1,
  vcs: () => LINKS,
  make: (p, on) => new Valiant(on.topology, on.vcs, p.middle),
} satisfies RoutingPlugin<{ middle: Middle }, SlimFly>
