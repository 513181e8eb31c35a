// Megafly, also called dragonfly+: groups that are complete bipartite graphs of leaves and spines. "Megafly: a topology
// for exascale systems", M. Flajslik, E. Borch and M. A. Parker, 2018; "Dragonfly+: low cost topology for scaling
// datacenters", A. Shpiner et al., 2017.
//
// Each leaf has p endpoints and is linked to every spine of its group (class "local"). Each spine has h links to other
// groups (class "global"). Link L = spine * h + j of a group goes to the (L mod (g-1))-th group after its own and
// returns as link T-1-L, where T links leave each group. It thus arrives at the mirrored spine, as in the network files
// of CODES.
//
// In group G, leaf l is router G * (leaves + spines) + l; the spines follow. Ports of a leaf: endpoints, spines; ports
// of a spine: leaves, global links. Limits: T is the largest multiple of g-1 within spines * h, and the remaining ports
// stay unwired. A group with links < p / spines is tapered.
import { complain } from "../core/complaint.ts"
import { Distances } from "../core/csr.ts"
import { int, maybe, schema } from "../core/schema.ts"
import { type Graph, GraphBuilder, shared } from "../model/graph.ts"
import type { End, Port, Router } from "../model/ids.ts"
import { neighbours } from "../model/neighbours.ts"
import type { TopologyPlugin } from "../model/plugin.ts"
import type { Topology } from "../model/topology.ts"

type Params = { groups: number; leaves: number; spines: number; p: number; h: number | undefined; links: number }

/** Returns the number of global links that leave each group. */
function globalLinks(p: Params): number {
  return p.groups === 1 ? 0 : Math.floor((p.spines * globalPorts(p)) / (p.groups - 1)) * (p.groups - 1)
}
/** Returns the global ports of each spine. By default a spine has as many up as down. */
function globalPorts(p: Params): number {
  return p.groups === 1 ? 0 : (p.h ?? p.leaves * p.links)
}

export class Megafly implements Topology {
  readonly name = "megafly"
  readonly graph: Graph
  readonly groups: number
  readonly leaves: number
  readonly spines: number
  readonly p: number
  readonly h: number
  /** parallel links between a leaf and a spine */
  readonly links: number
  readonly globalsPerGroup: number
  readonly group: Int32Array
  readonly representatives: readonly Router[]
  readonly classSizes: readonly number[]
  private distances: Distances | undefined

  constructor(params: Params) {
    this.groups = params.groups
    this.leaves = params.leaves
    this.spines = params.spines
    this.p = params.p
    this.h = globalPorts(params)
    this.links = params.links
    this.globalsPerGroup = globalLinks(params)
    this.graph = this.build()
    const size = this.leaves + this.spines
    this.group = shared(Int32Array, this.graph.routers)
    for (let r = 0; r < this.graph.routers; r++) this.group[r] = Math.floor(r / size)
    // Groups can be rotated; the leaves of a group are alike, its spines need not be.
    this.representatives = [0, ...Array.from({ length: this.spines }, (_, s) => this.leaves + s)]
    this.classSizes = this.representatives.map((_, i) => this.groups * (i === 0 ? this.leaves : 1))
  }

  isSpine(r: Router): boolean {
    return r % (this.leaves + this.spines) >= this.leaves
  }
  routerOf(e: End): Router {
    const leaf = Math.floor(e / this.p)
    return this.leaf(Math.floor(leaf / this.leaves), leaf % this.leaves)
  }
  leaf(group: number, l: number): Router {
    return group * (this.leaves + this.spines) + l
  }
  spine(group: number, s: number): Router {
    return group * (this.leaves + this.spines) + this.leaves + s
  }
  /** Returns the first of the `links` parallel ports of a leaf to spine s of its group. */
  upPort(s: number): Port {
    return this.p + s * this.links
  }
  /** Returns the first of the `links` parallel ports of a spine to leaf l of its group. */
  downPort(l: number): Port {
    return l * this.links
  }
  /** Returns the first port of a spine that leads to the given other group, or -1. The further ones follow in steps of
   *  groups - 1, below lastPort(spine), because a round reaches each other group once. */
  portToward(spine: Router, group: number): Port {
    const { groups, h, leaves, spines, links } = this
    const size = leaves + spines
    const here = Math.floor(spine / size)
    const s = (spine % size) - leaves
    const entry = (group - here - 1 + groups) % groups
    const j = (((entry - s * h) % (groups - 1)) + groups - 1) % (groups - 1)
    return leaves * links + j < this.lastPort(spine) ? leaves * links + j : -1
  }
  /** One past the last wired global port of a spine. */
  lastPort(spine: Router): Port {
    const s = (spine % (this.leaves + this.spines)) - this.leaves
    return this.leaves * this.links + Math.max(0, Math.min(this.h, this.globalsPerGroup - s * this.h))
  }

  hops(a: Router, b: Router): number {
    if (a === b) return 0
    const same = this.group[a] === this.group[b]
    if (same) return this.isSpine(a) === this.isSpine(b) ? 2 : 1
    if (!this.isSpine(a) && !this.isSpine(b)) return 3
    this.distances ??= new Distances(neighbours(this.graph))
    return this.distances.between(a, b)
  }

  label(r: Router): string {
    const i = r % (this.leaves + this.spines)
    return `group ${this.group[r]} ${i < this.leaves ? `leaf ${i}` : `spine ${i - this.leaves}`}`
  }

  private build(): Graph {
    const { groups, leaves, spines, p, h, links, globalsPerGroup: t } = this
    const size = leaves + spines
    const ports = new Int32Array(groups * size)
    for (let r = 0; r < ports.length; r++) ports[r] = r % size < leaves ? p + spines * links : leaves * links + h
    const b = new GraphBuilder(groups * leaves * p, groups * size, ports, { classes: ["end", "local", "global"] })
    for (let e = 0; e < groups * leaves * p; e++) b.attach(e, this.routerOf(e), e % p)
    for (let g = 0; g < groups; g++) {
      for (let l = 0; l < leaves; l++)
        for (let s = 0; s < spines; s++)
          for (let k = 0; k < links; k++)
            b.link(this.leaf(g, l), this.upPort(s) + k, this.spine(g, s), this.downPort(l) + k, 1)
      for (let link = 0; link < t; link++) {
        const peer = (g + 1 + (link % (groups - 1))) % groups
        const back = t - 1 - link
        if (g > peer) continue
        const port = leaves * links
        b.link(
          this.spine(g, Math.floor(link / h)),
          port + (link % h),
          this.spine(peer, Math.floor(back / h)),
          port + (back % h),
          2,
        )
      }
    }
    return b.finish()
  }
}

export default {
  kind: "topology",
  name: "megafly",
  aliases: ["dragonfly+", "dragonflyplus"],
  about: "Groups of leaves and spines (dragonfly+), with links from each spine to other groups.",
  cites: "Megafly: a topology for exascale systems, M. Flajslik, E. Borch and M. A. Parker, 2018",
  limits: "global links are used in whole rounds over the other groups",
  params: schema({
    groups: int({ about: "Number of groups", min: 1, max: 1_000_000, default: 5 }),
    leaves: int({ about: "Number of leaf routers of each group", min: 1, max: 65_536, default: 4 }),
    spines: int({ about: "Number of spine routers of each group", min: 1, max: 65_536, default: 4 }),
    p: int({ about: "Number of endpoints on each leaf", min: 1, max: 65_536, default: 4 }),
    h: maybe(
      int({
        about: "Number of global ports of each spine (default: its number of ports down)",
        min: 1,
        max: 65_536,
        needed: false,
      }),
    ),
    links: int({ about: "Number of parallel links between a leaf and a spine", min: 1, max: 1024, default: 1 }),
  }),
  check(p) {
    const most = p.spines * (p.h ?? p.leaves * p.links) + 1
    if (p.groups <= most) return []
    return [
      complain(
        "groups",
        `${p.groups} groups need ${p.groups - 1} global links each, but ` +
          `${p.spines} spines have ${most - 1} ports for them`,
        `choose groups = ${most}, or h = ${Math.ceil((p.groups - 1) / p.spines)}`,
      ),
    ]
  },
  size(p) {
    const { groups, leaves, spines, links } = p
    return {
      ends: groups * leaves * p.p,
      routers: groups * (leaves + spines),
      chans: groups * (leaves * p.p + 2 * leaves * spines * links + spines * globalPorts(p)),
    }
  },
  make: (p) => new Megafly(p),
} satisfies TopologyPlugin<Params, Megafly>
