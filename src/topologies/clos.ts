// Folded two-level Clos, also called leaf and spine: every leaf is linked to every spine. "A study of non-blocking switching networks",
// C. Clos, 1953. Drawing: a row of spines above a row of leaves, p endpoints below each leaf, `links` parallel cables between any leaf and spine;
// line cards across fabric cards, as in a chassis with an orthogonal midplane. Numbers: leaves 0.., then spines. Ports: leaf p endpoints, then spine
// by spine; spine leaf by leaf. Tapered (oversubscribed) when p > spines * links, non-blocking when p <= spines * links.
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
      for (let s = 0; s < spines; s++) for (let k = 0; k < links; k++) b.link(l, this.upPort(s) + k, leaves + s, this.downPort(l) + k, 1)
    }
    this.graph = b.finish()
  }
  routerOf(e: End): Router {
    return Math.floor(e / this.p)
  }
  isSpine(r: Router): boolean {
    return r >= this.leaves
  }
  /** First of the `links` parallel ports of a leaf to spine s. */
  upPort(s: number): Port {
    return this.p + s * this.links
  }
  /** First of the `links` parallel ports of a spine to leaf l. */
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
  about: "Two levels, every leaf linked to every spine.",
  cites: "A study of non-blocking switching networks, C. Clos, 1953",
  limits: "two levels of routers; for more see tree and xgft",
  params: schema({
    leaves: int({ about: "leaf routers", min: 1, max: 1_000_000, default: 8 }),
    spines: int({ about: "spine routers", min: 1, max: 1_000_000, default: 4 }),
    p: int({ about: "endpoints on each leaf", min: 1, max: 65_536, default: 4 }),
    links: int({ about: "parallel links between a leaf and a spine", min: 1, max: 1024, default: 1 }),
  }),
  size: ({ leaves, spines, p, links }) => ({
    ends: leaves * p,
    routers: leaves + spines,
    chans: leaves * (p + 2 * spines * links),
  }),
  make: (p) => new Clos(p),
} satisfies TopologyPlugin<Params, Clos>
