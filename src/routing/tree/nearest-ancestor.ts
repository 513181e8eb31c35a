// Routing on a k-ary n-tree over a nearest common ancestor: a random up port at every upward hop, then the only path
// down. Any VC is used: up before down is free of deadlock. Where links have failed, only up ports are drawn from which
// the destination can still be reached. `up: adaptive` draws two up ports and takes the one with fewer queued flits,
// the first one on a tie.
import { choice, schema } from "../../core/schema.ts"
import { endMark, UNWIRED } from "../../model/graph.ts"
import type { End, Packet, Port, Router, Vc } from "../../model/ids.ts"
import type { RoutingPlugin } from "../../model/plugin.ts"
import type { Candidates, NetView, RoutingFunction } from "../../model/routing.ts"
import type { Tree } from "../../topologies/tree.ts"
import { allVcs } from "../vcs.ts"

type Params = { up: "random" | "adaptive" }

export class NearestAncestor implements RoutingFunction {
  private readonly tree: Tree
  private readonly adaptive: boolean
  readonly readsQueues: boolean
  private readonly mask: number
  /** some link has failed: paths are searched before they are taken */
  private readonly broken: boolean
  private readonly ports: Int32Array

  constructor(tree: Tree, vcs: number, params: Params) {
    this.tree = tree
    this.adaptive = params.up === "adaptive"
    this.readsQueues = this.adaptive
    this.mask = allVcs(vcs)
    this.broken = tree.graph.far.includes(UNWIRED)
    this.ports = new Int32Array(tree.k)
  }

  route(p: Packet, at: Router, _inPort: Port, _inVc: Vc, net: NetView, out: Candidates): void {
    const { tree, mask } = this
    const dst = net.dst(p)
    out.add(tree.covers(at, dst) ? tree.digit(dst, tree.stageOf(at)) : tree.k + this.up(p, at, net), mask, 0)
  }

  private up(p: Packet, at: Router, net: NetView): number {
    const { k, graph } = this.tree
    const choices = this.broken ? this.open(at, net.dst(p)) : k
    if (choices === 0) return 0
    const one = this.place(net.draw(p, choices))
    if (!this.adaptive) return one
    const two = this.place(net.draw(p, choices))
    const first = graph.firstChan[at] + k
    return net.queued(first + one) > net.queued(first + two) ? two : one
  }

  private place(i: number): number {
    return this.broken ? this.ports[i] : i
  }

  /** Writes the up ports that still lead to the endpoint into `ports`. Returns their number. */
  private open(at: Router, dst: End): number {
    const { k } = this.tree
    let n = 0
    for (let up = 0; up < k; up++) if (this.leads(at, k + up, dst)) this.ports[n++] = up
    return n
  }

  private leads(at: Router, port: Port, dst: End): boolean {
    const { tree } = this
    const { far, firstChan, routerOf } = tree.graph
    const into = far[firstChan[at] + port]
    if (into < 0) return into === endMark(dst)
    const next = routerOf[into]
    if (tree.covers(next, dst)) return this.leads(next, tree.digit(dst, tree.stageOf(next)), dst)
    for (let up = tree.k; up < 2 * tree.k; up++) if (this.leads(next, up, dst)) return true
    return false
  }
}

export default {
  kind: "routing",
  name: "tree.nearest-ancestor",
  aliases: ["tree.nca"],
  about: "Random or adaptive up to a nearest common ancestor, then down; packets may use all VCs.",
  cites: "Principles and Practices of Interconnection Networks, W. J. Dally and B. Towles, 2004",
  params: schema({
    up: choice(["random", "adaptive"], {
      about: "Up port: a random one, or the emptier of two random ones",
      default: "random",
    }),
  }),
  topologies: ["tree"],
  vcs: () => 1,
  make: (p, on) => new NearestAncestor(on.topology, on.vcs, p),
} satisfies RoutingPlugin<Params, Tree>
