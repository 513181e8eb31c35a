// Minimal routing on a Slim Fly, with at most two links; paths.ts has the paths. The VC is the hop.
import { schema } from "../../core/schema.ts"
import type { Packet, Port, Router, Vc } from "../../model/ids.ts"
import type { RoutingPlugin } from "../../model/plugin.ts"
import type { Candidates, NetView, RoutingFunction } from "../../model/routing.ts"
import type { SlimFly } from "../../topologies/slimfly.ts"
import { allVcs, vcRanks } from "../vcs.ts"
import { type Middle, middleField, Paths } from "./paths.ts"

const LINKS = 2

export class Minimal implements RoutingFunction {
  private readonly paths: Paths
  private readonly masks: Int32Array
  private readonly all: number

  constructor(t: SlimFly, vcs: number, middle: Middle) {
    this.paths = new Paths(t, middle)
    this.masks = vcRanks(vcs, LINKS)
    this.all = allVcs(vcs)
  }

  route(p: Packet, at: Router, _inPort: Port, _inVc: Vc, net: NetView, out: Candidates): void {
    const { paths } = this
    const dst = net.dst(p)
    const goal = paths.goal(at, dst)
    if (goal === at) out.add(paths.ejectPort(at, dst), this.all, 0)
    else out.add(paths.port(p, at, goal, net), this.masks[net.hops(p)], 0)
  }
}

export default {
  kind: "routing",
  name: "slimfly.minimal",
  about: "The direct link, or two links over a common neighbour; the VC is the hop number.",
  cites: "Slim Fly: a cost effective low-diameter network topology, M. Besta and T. Hoefler, 2014",
  params: schema({ middle: middleField }),
  topologies: ["slimfly", "fitfly"],
  adaptive: false,
  vcs: () => LINKS,
  make: (p, on) => new Minimal(on.topology, on.vcs, p.middle),
} satisfies RoutingPlugin<{ middle: Middle }, SlimFly>
