// Shortest paths on any graph, with one VC for each hop. The VC number rises along every path, so no cycle of
// dependencies can close. Among equally short paths it takes the first port, a random one, or the one with the fewest
// queued flits. Limits: the table has one byte for each pair of routers, and the diameter of the network must not
// exceed the number of VCs.
import { schema } from "../../core/schema.ts"
import type { Graph } from "../../model/graph.ts"
import type { Packet, Port, Router, Vc } from "../../model/ids.ts"
import type { RoutingPlugin } from "../../model/plugin.ts"
import type { Candidates, NetView, RoutingFunction } from "../../model/routing.ts"
import type { Topology } from "../../model/topology.ts"
import { allVcs, vcRanks } from "../vcs.ts"
import { checkTable, distancesTo, Homes, hopsNeeded, MOST_ROUTERS } from "./distances.ts"
import { Spread, type SpreadRule, spreadField } from "./spread.ts"

type Params = { spread: SpreadRule }

export class Shortest implements RoutingFunction {
  private readonly graph: Graph
  private readonly links: Uint8Array
  private readonly spread: Spread
  private readonly masks: Int32Array
  private readonly all: number
  private readonly homes: Homes

  constructor(graph: Graph, vcs: number, params: Params) {
    this.graph = graph
    this.links = distancesTo(graph)
    this.spread = new Spread(graph, params.spread)
    this.masks = vcRanks(vcs, hopsNeeded(graph))
    this.all = allVcs(vcs)
    this.homes = new Homes(graph)
  }

  route(p: Packet, at: Router, _inPort: Port, _inVc: Vc, net: NetView, out: Candidates): void {
    const { graph, links, spread } = this
    const { firstChan, far, routerOf, routers } = graph
    const home = this.homes.of(net.dst(p), at)
    const goal = routerOf[home]
    const first = firstChan[at]
    if (goal === at) {
      out.add(home - first, this.all, 0)
      return
    }
    const row = goal * routers
    const nearer = links[row + at] - 1
    spread.clear()
    for (let c = first; c < firstChan[at + 1]; c++)
      if (far[c] >= 0 && links[row + routerOf[far[c]]] === nearer) spread.add(c - first)
    out.add(spread.pick(p, at, net), this.masks[net.hops(p)], 0)
  }
}

export default {
  kind: "routing",
  name: "any.shortest",
  about: "A shortest path on any graph; the VC is the hop.",
  cites: "Deadlock avoidance in store-and-forward networks, P. M. Merlin and P. J. Schweitzer, 1980",
  limits: `at most ${MOST_ROUTERS} routers, paths of at most 254 links`,
  params: schema({ spread: spreadField }),
  check: (_, on) => checkTable(on.topology.graph),
  vcs: (_, topology) => hopsNeeded(topology.graph),
  make: (p, on) => new Shortest(on.topology.graph, on.vcs, p),
} satisfies RoutingPlugin<Params, Topology>
