// Valiant's algorithm on a k-ary n-tree. All upward hops are drawn once, at the source (a digit for each stage); the
// path down is then fixed. Unlike tree.nearest-ancestor nothing is drawn in the switches, so a packet could carry its
// path in its header. Any VC is used: up before down is free of deadlock.
//   root: nearest  turns at the nearest common ancestor
//   root: top      always goes up to the top stage, except for packets that stay on one leaf switch
import { choice, schema } from "../../core/schema.ts"
import type { Packet, Port, Router, Vc } from "../../model/ids.ts"
import type { RoutingPlugin } from "../../model/plugin.ts"
import type { Candidates, NetView, RoutingFunction } from "../../model/routing.ts"
import type { Tree } from "../../topologies/tree.ts"
import { allVcs } from "../vcs.ts"

type Params = { root: "nearest" | "top" }

/** scratch slot: the drawn up digits, digit s for stage s */
const CLIMB = 0

export class Valiant implements RoutingFunction {
  private readonly tree: Tree
  private readonly top: boolean
  private readonly mask: number

  constructor(tree: Tree, vcs: number, params: Params) {
    this.tree = tree
    this.top = params.root === "top"
    this.mask = allVcs(vcs)
  }

  inject(p: Packet, at: Router, net: NetView): void {
    if (!this.tree.covers(at, net.dst(p))) net.set(p, CLIMB, net.draw(p, this.tree.width))
  }

  route(p: Packet, at: Router, inPort: Port, _inVc: Vc, net: NetView, out: Candidates): void {
    const { tree } = this
    const dst = net.dst(p)
    const stage = tree.stageOf(at)
    const climbs = this.top && stage > 0 ? stage < tree.n - 1 && inPort < tree.k : !tree.covers(at, dst)
    out.add(climbs ? tree.k + tree.digit(net.get(p, CLIMB), stage) : tree.digit(dst, stage), this.mask, 0)
  }
}

export default {
  kind: "routing",
  name: "tree.valiant",
  about: "Up to a random common ancestor that the source selects, then down; packets may use all VCs.",
  cites: "A scheme for fast parallel communication, L. G. Valiant, 1982",
  params: schema({
    root: choice(["nearest", "top"], {
      about: "Turn at the nearest common ancestor, or always at the top",
      default: "nearest",
    }),
  }),
  topologies: ["tree"],
  scratch: 1,
  vcs: () => 1,
  make: (p, on) => new Valiant(on.topology, on.vcs, p),
} satisfies RoutingPlugin<Params, Tree>
