// Shortest paths on any graph, one VC for each hop: the VC number rises along every path, so no cycle of waits can close.
// Among equally short ways: the first port, a random one, or the one with the fewest flits queued.
// Limits: the table has one byte for each pair of routers, and the network's diameter must fit the VCs.
import { type Complaint, complain } from "../../core/complaint.ts"
import { choice, schema } from "../../core/schema.ts"
import type { Graph } from "../../model/graph.ts"
import type { Packet, Port, Router, Vc } from "../../model/ids.ts"
import type { RoutingPlugin } from "../../model/plugin.ts"
import type { Candidates, NetView, RoutingFunction } from "../../model/routing.ts"
import type { Topology } from "../../model/topology.ts"
import { allVcs, vcRanks } from "../vcs.ts"
import { distancesTo, MOST_ROUTERS, UNREACHED } from "./distances.ts"

type Params = { spread: "first" | "random" | "least-queued" }

export class Shortest implements RoutingFunction {
  private readonly graph: Graph
  private readonly links: Uint8Array
  private readonly spread: "first" | "random" | "least-queued"
  private readonly masks: Int32Array
  private readonly all: number

  constructor(graph: Graph, vcs: number, params: Params) {
    this.graph = graph
    this.links = distancesTo(graph)
    this.spread = params.spread
    this.masks = vcRanks(vcs, Math.max(1, longest(graph, this.links)))
    this.all = allVcs(vcs)
  }

  route(p: Packet, at: Router, _inPort: Port, _inVc: Vc, net: NetView, out: Candidates): void {
    const { graph } = this
    const home = graph.home[net.dst(p) * graph.rails]!
    const goal = graph.routerOf[home]!
    if (goal === at) out.add(home - graph.firstChan[at]!, this.all, 0)
    else out.add(this.pick(p, at, goal, net), this.masks[net.hops(p)]!, 0)
  }

  private pick(p: Packet, at: Router, goal: Router, net: NetView): Port {
    const { spread } = this
    const first = this.graph.firstChan[at]!
    const end = this.graph.firstChan[at + 1]!
    let best = -1
    let found = 0
    let least = 0
    for (let c = first; c < end; c++) {
      if (!this.nearer(c, at, goal)) continue
      found++
      if (spread === "first") return c - first
      const queued = spread === "least-queued" ? net.queued(c) : 0
      if (best < 0 || queued < least) {
        best = c
        least = queued
        found = 1
      } else if (queued > least) found--
    }
    if (found === 1) return best - first
    let skip = net.draw(p, found)
    for (let c = best; ; c++) {
      if (!this.nearer(c, at, goal) || (spread === "least-queued" && net.queued(c) !== least)) continue
      if (skip-- === 0) return c - first
    }
  }

  private nearer(c: number, at: Router, goal: Router): boolean {
    const { graph, links } = this
    const into = graph.far[c]!
    return into >= 0 && links[goal * graph.routers + graph.routerOf[into]!]! === links[goal * graph.routers + at]! - 1
  }
}

/** Links of the longest of all shortest paths between routers that have endpoints. */
export function longest(graph: Graph, links: Uint8Array): number {
  const { home, entry, routerOf, routers } = graph
  const from = new Set(Array.from(entry, (c) => routerOf[c]!))
  const to = new Set(Array.from(home, (c) => routerOf[c]!))
  let most = 0
  for (const b of to) for (const a of from) if (links[b * routers + a]! !== UNREACHED) most = Math.max(most, links[b * routers + a]!)
  return most
}

export default {
  kind: "routing",
  name: "any.shortest",
  about: "A shortest path on any graph; the VC is the hop.",
  cites: "Deadlock avoidance in store-and-forward networks, P. M. Merlin and P. J. Schweitzer, 1980",
  limits: `at most ${MOST_ROUTERS} routers, paths of at most 254 links`,
  params: schema({
    spread: choice(["first", "random", "least-queued"], { about: "which of several equally short ways", default: "random" }),
  }),
  check(_, on): Complaint[] {
    const { routers } = on.topology.graph
    return routers > MOST_ROUTERS
      ? [
          complain(
            "",
            `the table of ${routers} routers would not fit`,
            `use at most ${MOST_ROUTERS} routers, or a routing of the topology's own`,
          ),
        ]
      : []
  },
  vcs: (_, topology) => Math.max(1, longest(topology.graph, distancesTo(topology.graph))),
  make: (p, on) => new Shortest(on.topology.graph, on.vcs, p),
} satisfies RoutingPlugin<Params, Topology>
