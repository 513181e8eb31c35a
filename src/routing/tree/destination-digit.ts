// Deterministic routing on k-ary n-trees (DESTRO). A packet goes up from stage s by up port k + d_s and down from stage
// s by down port d_s, where d is its destination. Every down link then carries packets to one destination only. Any VC
// is used: up before down is free of deadlock.
import { schema } from "../../core/schema.ts"
import type { Packet, Port, Router, Vc } from "../../model/ids.ts"
import type { RoutingPlugin } from "../../model/plugin.ts"
import type { Candidates, NetView, RoutingFunction } from "../../model/routing.ts"
import type { Tree } from "../../topologies/tree.ts"
import { allVcs } from "../vcs.ts"

export class DestinationDigit implements RoutingFunction {
  private readonly tree: Tree
  private readonly mask: number

  constructor(tree: Tree, vcs: number) {
    this.tree = tree
    this.mask = allVcs(vcs)
  }

  route(p: Packet, at: Router, _inPort: Port, _inVc: Vc, net: NetView, out: Candidates): void {
    const { tree } = this
    const dst = net.dst(p)
    const digit = tree.digit(dst, tree.stageOf(at))
    out.add(tree.covers(at, dst) ? digit : tree.k + digit, this.mask, 0)
  }
}

export default {
  kind: "routing",
  name: "tree.destination-digit",
  aliases: ["tree.destro"],
  about: "Up and down by the digits of the destination on one fixed path; packets may use all VCs.",
  cites: "Deterministic versus adaptive routing in fat-trees, C. Gomez and others, 2007",
  params: schema({}),
  topologies: ["tree"],
  adaptive: false,
  vcs: () => 1,
  make: (_, on) => new DestinationDigit(on.topology, on.vcs),
} satisfies RoutingPlugin<Record<never, never>, Tree>
