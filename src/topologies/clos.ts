// Folded two-level Clos network, also called leaf-spine: every leaf is linked to every spine. "A study of non-blocking
// switching networks", C. Clos, 1953.
//
// Each leaf has p endpoints, and there are `links` parallel cables between any leaf and any spine. A chassis with an
// orthogonal midplane has the same structure: line cards are leaves, fabric cards are spines. Leaves are numbered
// first, then spines. Ports of a leaf: p endpoints, then spine by spine; ports of a spine: leaf by leaf. The network is
// tapered (oversubscribed) when p > spines * links and non-blocking otherwise.
import { int, schema } from "../core/schema.ts"
import { type Graph, GraphBuilder } from "../model/graph.ts"
import type { End, Port, Router } from "../model/ids.ts"
import type { TopologyPlugin } from "../model/plugin.ts"
import type { Topology } from "../model/topology.ts"

type Params = { leaves: number; spines: number; p: number; links: number }

export class Clos implements Topology {
  readonly name = "clos"
  readonly graph: Graph
  readonly leaves: number
  readonly spines: number
  readonly p: number
  readonly links: number
  /** One router of each symmetry class: all leaves are alike, and so are all spines. */
  readonly representatives: readonly Router[]
  readonly classSizes: readonly number[]

  constructor({ leaves, spines, p, links }: Params) {
    this.leaves = leaves
    this.spines = spines
    this.p = p
    this.links = links
    this.representatives = [0, leaves]
    this.classSizes = [leaves, spines]
    const ports = new Int32Array(leaves + spines).fill(p + spines * links, 0, leaves).fill(leaves * links, leaves)
    const b = new GraphBuilder(leaves * p, leaves + spines, ports, { classes: ["end", "link"] })
    for (let l = 0; l < leaves; l++) {
      for (let i = 0; i < p; i++) b.attach(l * p + i, l, i)
      for (let s = 0; s < spines; s++)
        for (let k = 0; k < links; k++) b.link(l, this.upPort(s) + k, leaves + s, this.downPort(l) + k, 1)
    }
    this.graph = b.finish()
  }
  routerOf(e: End): Router {
    return Math.floor(e / this.p)
  }
  isSpine(r: Router): boolean {
    return r >= this.leaves
  }
  /** Returns the first of the `links` parallel ports of a leaf to spine s. */
  upPort(s: number): Port {
    return this.p + s * this.links
  }
  /** Returns the first of the `links` parallel ports of a spine to leaf l. */
  downPort(l: number): Port {
    return l * this.links
  }
  hops(a: Router, b: Router): number {
    return a === b ? 0 : this.isSpine(a) === this.isSpine(b) ? 2 : 1
  }
  label(r: Router): string {
    return this.isSpine(r) ? `spine ${r - this.leaves}` : `leaf ${r}`
  }
}

export default {
  kind: "topology",
  name: "clos",
  aliases: ["leaf-spine"],
  about: "Two levels of routers, with a link between each leaf and each spine.",
  cites: "A study of non-blocking switching networks, C. Clos, 1953",
  limits: "two levels of routers; for more see tree and xgft",
  params: schema({
    leaves: int({ about: "Number of leaf routers", min: 1, max: 1_000_000, default: 8 }),
    spines: int({ about: "Number of spine routers", min: 1, max: 1_000_000, default: 4 }),
    p: int({ about: "Number of endpoints on each leaf", min: 1, max: 65_536, default: 4 }),
    links: int({ about: "Number of parallel links between a leaf and a spine", min: 1, max: 1024, default: 1 }),
  }),
  size: ({ leaves, spines, p, links }) => ({
    ends: leaves * p,
    routers: leaves + spines,
    chans: leaves * (p + 2 * spines * links),
  }),
  make: (p) => new Clos(p),
} satisfies TopologyPlugin<Params, Clos>
