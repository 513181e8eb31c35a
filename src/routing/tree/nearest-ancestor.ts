// Up to a nearest common ancestor, by a random up port at every climb, then down the only way. Any VC: up before down is free of deadlock.
// `up: adaptive` draws two up ports and takes the one with fewer flits queued (the first on a tie).
import { choice, schema } from "../../core/schema.ts"
import type { Packet, Port, Router, Vc } from "../../model/ids.ts"
import type { RoutingPlugin } from "../../model/plugin.ts"
import type { Candidates, NetView, RoutingFunction } from "../../model/routing.ts"
import type { Tree } from "../../topologies/tree.ts"
import { allVcs } from "../vcs.ts"

type Params = { up: "random" | "adaptive" }

export class NearestAncestor implements RoutingFunction {
  private readonly tree: Tree
  private readonly adaptive: boolean
  private readonly mask: number

  constructor(tree: Tree, vcs: number, params: Params) {
    this.tree = tree
    this.adaptive = params.up === "adaptive"
    this.mask = allVcs(vcs)
  }

  route(p: Packet, at: Router, _inPort: Port, _inVc: Vc, net: NetView, out: Candidates): void {
    const { tree, mask } = this
    const dst = net.dst(p)
    out.add(tree.covers(at, dst) ? tree.digit(dst, tree.stageOf(at)) : tree.k + this.up(p, at, net), mask, 0)
  }

  private up(p: Packet, at: Router, net: NetView): number {
    const { k, graph } = this.tree
    const one = net.draw(p, k)
    if (!this.adaptive) return one
    const two = net.draw(p, k)
    const first = graph.firstChan[at]! + k
    return net.queued(first + one) > net.queued(first + two) ? two : one
  }
}

export default {
  kind: "routing",
  name: "tree.nearest-ancestor",
  aliases: ["tree.nca"],
  about: "Random (or adaptive) climb to a nearest common ancestor, then down; all VCs.",
  cites: "Principles and Practices of Interconnection Networks, W. J. Dally and B. Towles, 2004",
  params: schema({
    up: choice(["random", "adaptive"], { about: "a random up port, or the emptier of two random ones", default: "random" }),
  }),
  topologies: ["tree"],
  vcs: () => 1,
  make: (p, on) => new NearestAncestor(on.topology, on.vcs, p),
} satisfies RoutingPlugin<Params, Tree>
