// PolarFly: the Erdos-Renyi polarity graph, the largest known family of diameter 2. "PolarFly: a cost-effective and
// flexible low-diameter topology", K. Lakhotia et al., 2022.
//
// The routers are the points of the projective plane over GF(q), and two of them are linked when their vectors are
// orthogonal. A point that is orthogonal to itself is called a quadric; there are q + 1 of them. A quadric has q links,
// every other router has q + 1. Two routers that are not linked have exactly one common neighbour, their cross product.
//
// Groups (racks) follow the paper for odd q: one holds the quadrics, each other one a neighbour of the first quadric
// with its own neighbours. For even q each quadric forms a group with the routers next to it. Links inside a group have
// the class "local", others "global". Ports: p endpoints, then links by ascending neighbour. Limits: q is a prime
// power, and every router has p endpoints.
import { complain } from "../core/complaint.ts"
import { nearPrimePowers, primePower } from "../core/galois.ts"
import { int, maybe, schema } from "../core/schema.ts"
import { type Graph, shared } from "../model/graph.ts"
import type { End, Port, Router } from "../model/ids.ts"
import type { TopologyPlugin } from "../model/plugin.ts"
import type { Topology } from "../model/topology.ts"
import { ProjectivePlane } from "./parts/projective.ts"
import { Wiring } from "./parts/wiring.ts"

type Params = { q: number; p: number | undefined }

/** Returns the endpoints of a router. The default is half of the network degree, rounded up, so that the links can
 *  carry uniform traffic of all endpoints over two hops. */
function endpointsOf({ q, p }: Params): number {
  return p ?? Math.ceil((q + 1) / 2)
}

export class PolarFly implements Topology {
  readonly name = "polarfly"
  readonly graph: Graph
  readonly q: number
  readonly p: number
  readonly plane: ProjectivePlane
  readonly group: Int32Array
  readonly representatives: readonly Router[]
  readonly classSizes: readonly number[]

  constructor(params: Params) {
    const { q } = params
    this.q = q
    this.p = endpointsOf(params)
    this.plane = new ProjectivePlane(q)
    const n = this.plane.points
    const near = Array.from({ length: n }, (_, u) => this.plane.line(u).filter((v) => v !== u))
    this.group = this.racks(near)
    const kinds = this.kinds(near)
    const sizes = new Map<number, number>()
    for (const kind of kinds) sizes.set(kind, (sizes.get(kind) ?? 0) + 1)
    this.representatives = [...sizes.keys()].map((kind) => kinds.indexOf(kind))
    this.classSizes = [...sizes.values()]
    const wiring = new Wiring(n, this.p)
    // by ascending smaller end, so that each router's links come in ascending order of its neighbours
    for (let u = 0; u < n; u++)
      for (const v of near[u]) if (u < v) wiring.link(u, v, this.group[u] === this.group[v] ? 1 : 2)
    this.graph = wiring.graph(["end", "local", "global"])
  }

  routerOf(e: End): Router {
    return Math.floor(e / this.p)
  }
  isQuadric(r: Router): boolean {
    return this.plane.dot(r, r) === 0
  }
  adjacent(a: Router, b: Router): boolean {
    return a !== b && this.plane.dot(a, b) === 0
  }
  /** Returns the only common neighbour of two different routers. It may be one of them: a quadric next to the other
   *  router is its own neighbour in the plane. */
  common(a: Router, b: Router): Router {
    return this.plane.join(a, b)
  }
  /** Returns the port of router `at` whose link leads to `to`, or -1. The search is binary, because links are ordered
   *  by neighbour. */
  portTo(at: Router, to: Router): Port {
    const { firstChan, far, routerOf } = this.graph
    let low = firstChan[at] + this.p
    let high = firstChan[at + 1] - 1
    while (low <= high) {
      const mid = (low + high) >> 1
      const there = routerOf[far[mid]]
      if (there === to) return mid - firstChan[at]
      if (there < to) low = mid + 1
      else high = mid - 1
    }
    return -1
  }
  hops(a: Router, b: Router): number {
    return a === b ? 0 : this.adjacent(a, b) ? 1 : 2
  }
  label(r: Router): string {
    return `(${this.plane.vector(r).join(",")})`
  }

  /** Returns the group of each router. */
  private racks(near: readonly (readonly number[])[]): Int32Array {
    const group = shared(Int32Array, near.length)
    const quadrics = near.flatMap((_, u) => (this.isQuadric(u) ? [u] : []))
    if (this.q % 2 === 0) {
      // the nucleus, next to all quadrics, stays in rack 0
      quadrics.forEach((w, i) => {
        group[w] = i
        for (const v of near[w]) if (near[v].filter((x) => this.isQuadric(x)).length === 1) group[v] = i
      })
      return group
    }
    near[quadrics[0]].forEach((centre, i) => {
      group[centre] = i + 1
      for (const v of near[centre]) if (!this.isQuadric(v)) group[v] = i + 1
    })
    return group
  }

  /** Returns a class for each router such that a symmetry of the plane can exchange routers of one class: quadrics, and
   *  the others by the number of quadrics next to them. */
  private kinds(near: readonly (readonly number[])[]): number[] {
    return near.map((around, u) => (this.isQuadric(u) ? -1 : around.filter((v) => this.isQuadric(v)).length))
  }
}

export default {
  kind: "topology",
  name: "polarfly",
  about: "q² + q + 1 routers of degree q + 1 with diameter 2, for every prime power q.",
  cites: "PolarFly: a cost-effective and flexible low-diameter topology, K. Lakhotia et al., 2022",
  limits: "q a prime power",
  params: schema({
    q: int({ about: "Prime power; there are q² + q + 1 routers", min: 2, max: 4096, default: 7 }),
    p: maybe(
      int({
        about: "Number of endpoints on each router (default: half the network degree)",
        min: 1,
        max: 4096,
        needed: false,
      }),
    ),
  }),
  check({ q }) {
    if (primePower(q) !== undefined) return []
    const near = nearPrimePowers(q, () => true)
    return [complain("q", `${q} is not a prime power, so there is no such plane`, `choose q = ${near.join(" or ")}`)]
  },
  size(params) {
    const { q } = params
    const n = q * q + q + 1
    return { ends: n * endpointsOf(params), routers: n, chans: n * (endpointsOf(params) + q + 1) - (q + 1) }
  },
  make: (p) => new PolarFly(p),
} satisfies TopologyPlugin<Params, PolarFly>
