// Minimal routing on a megafly: up to the least loaded spine with a link to the destination group, a random one of its
// links, down. Inside a group a packet goes up to the least loaded spine and down. Any VC is used: up, global and down
// channels follow each other once, so one VC is free of deadlock.
import { schema } from "../../core/schema.ts"
import type { Packet, Port, Router, Vc } from "../../model/ids.ts"
import type { RoutingPlugin } from "../../model/plugin.ts"
import type { Candidates, NetView, RoutingFunction } from "../../model/routing.ts"
import type { Megafly } from "../../topologies/megafly.ts"
import { allVcs } from "../vcs.ts"
import { Hops } from "./hops.ts"

export class Minimal implements RoutingFunction {
  private readonly t: Megafly
  private readonly hops: Hops
  private readonly all: number

  constructor(t: Megafly, vcs: number) {
    this.t = t
    this.hops = new Hops(t)
    this.all = allVcs(vcs)
  }

  route(p: Packet, at: Router, _inPort: Port, _inVc: Vc, net: NetView, out: Candidates): void {
    out.add(this.port(p, at, net), this.all, 0)
  }

  private port(p: Packet, at: Router, net: NetView): Port {
    const { t, hops } = this
    const dst = net.dst(p)
    const goal = t.routerOf(dst)
    const there = t.group[goal]
    if (goal === at) return t.graph.home[dst] - t.graph.firstChan[at]
    if (!t.isSpine(at)) return hops.up(p, at, there, net)
    return t.group[at] === there ? hops.down(p, at, goal, net) : hops.across(p, at, there, 1, net)
  }
}

export default {
  kind: "routing",
  name: "megafly.minimal",
  about: "Up, across and down, over the emptiest spine that reaches the group; packets may use all VCs.",
  cites: "Megafly: a topology for exascale systems, M. Flajslik, E. Borch and M. A. Parker, 2018",
  params: schema({}),
  topologies: ["megafly"],
  vcs: () => 1,
  make: (_, on) => new Minimal(on.topology, on.vcs),
} satisfies RoutingPlugin<Record<never, never>, Megafly>
