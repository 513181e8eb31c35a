// Orthogonal fat tree with two levels: the largest two-level tree in which any two leaves share a spine. "Recursively
// scalable fat-trees as interconnection networks", M. Valerio, L. E. Moser and P. M. Melliar-Smith, 1994.
//
// The spines are the q² + q + 1 lines of the projective plane over GF(q). The leaves are its points, each of them
// `copies` times. A leaf is linked to the q + 1 lines through its point. Two leaves share exactly one spine, or all q +
// 1 if they are copies of one point. With copies = 2 and p = q + 1 every router has 2 (q + 1) ports.
//
// Leaves are numbered copy by copy, then the spines. Ports of a leaf: p endpoints, then spines ascending; ports of a
// spine: leaves ascending. Limits: q is a prime power.
import { complain } from "../core/complaint.ts"
import { nearPrimePowers, primePower } from "../core/galois.ts"
import { int, maybe, schema } from "../core/schema.ts"
import type { Graph } from "../model/graph.ts"
import type { End, Router } from "../model/ids.ts"
import type { TopologyPlugin } from "../model/plugin.ts"
import type { Topology } from "../model/topology.ts"
import { ProjectivePlane } from "./parts/projective.ts"
import { Wiring } from "./parts/wiring.ts"

type Params = { q: number; p: number | undefined; copies: number }

export class OrthogonalFatTree implements Topology {
  readonly name = "oft"
  readonly graph: Graph
  readonly p: number
  readonly leaves: number
  readonly plane: ProjectivePlane
  readonly representatives: readonly Router[]
  readonly classSizes: readonly number[]

  constructor({ q, p, copies }: Params) {
    this.plane = new ProjectivePlane(q)
    this.p = p ?? q + 1
    const { points } = this.plane
    this.leaves = points * copies
    const ends = new Int32Array(this.leaves + points).fill(this.p, 0, this.leaves)
    const wiring = new Wiring(this.leaves + points, ends)
    for (let leaf = 0; leaf < this.leaves; leaf++)
      for (const line of this.plane.line(leaf % points)) wiring.link(leaf, this.leaves + line, 1)
    this.graph = wiring.graph(["end", "link"])
    // the symmetries of the plane move any point to any other, and any line
    this.representatives = [0, this.leaves]
    this.classSizes = [this.leaves, points]
  }
  routerOf(e: End): Router {
    return Math.floor(e / this.p)
  }
  isSpine(r: Router): boolean {
    return r >= this.leaves
  }
  /** Returns a spine above both leaves: the only one, or the first of those above two copies of a point. */
  common(a: Router, b: Router): Router {
    const { points } = this.plane
    const [u, v] = [a % points, b % points]
    return this.leaves + (u === v ? this.plane.line(u)[0] : this.plane.join(u, v))
  }
  /** Returns the links of the shortest path. A leaf and a spine are linked when the point lies on the line, that is
   *  when their dot product is 0; otherwise another leaf and spine lie between them. */
  hops(a: Router, b: Router): number {
    if (a === b) return 0
    if (this.isSpine(a) === this.isSpine(b)) return 2
    const { points } = this.plane
    const [leaf, spine] = this.isSpine(a) ? [b, a] : [a, b]
    return this.plane.dot(leaf % points, spine - this.leaves) === 0 ? 1 : 3
  }
  label(r: Router): string {
    return this.isSpine(r) ? `spine ${r - this.leaves}` : `leaf ${r}`
  }
}

export default {
  kind: "topology",
  name: "oft",
  aliases: ["orthogonal-fat-tree"],
  about: "Orthogonal fat tree: two levels in which any two leaves share exactly one spine, as in a projective plane.",
  cites:
    "Recursively scalable fat-trees as interconnection networks, M. Valerio, L. E. Moser and P. M. Melliar-Smith, 1994",
  limits: "q a prime power; two levels",
  params: schema({
    q: int({
      about: "Prime power; there are q² + q + 1 spines with q + 1 links to each copy",
      min: 2,
      max: 1024,
      default: 3,
    }),
    p: maybe(int({ about: "Number of endpoints on each leaf (default: q + 1)", min: 1, max: 65_536, needed: false })),
    copies: int({ about: "Number of leaves for each point of the plane", min: 1, max: 64, default: 2 }),
  }),
  check({ q }) {
    if (primePower(q) !== undefined) return []
    const near = nearPrimePowers(q, () => true)
    return [complain("q", `${q} is not a prime power, so there is no such plane`, `choose q = ${near.join(" or ")}`)]
  },
  size({ q, p, copies }) {
    const n = q * q + q + 1
    return {
      ends: n * copies * (p ?? q + 1),
      routers: n * (copies + 1),
      chans: n * copies * ((p ?? q + 1) + 2 * (q + 1)),
    }
  },
  make: (p) => new OrthogonalFatTree(p),
} satisfies TopologyPlugin<Params, OrthogonalFatTree>
