// Slim Fly: a network of diameter 2 on McKay-Miller-Siran graphs (parts/mms.ts). "Slim Fly: a cost effective
// low-diameter network topology", M. Besta and T. Hoefler, 2014.
//
// The network has two halves of q columns. A column is a group of q routers, some of which are linked (class "local").
// Each router has one link into every column of the other half (class "global"). No link joins two columns of one half.
// The class also makes the planes of a Fit Fly (fitfly.ts), which are independent copies that share their endpoints.
//
// Ports: p endpoints, then (3q-d)/2 links in the order of MmsGraph. Limits: q is a prime power above 2, and all routers
// have p endpoints.
import { complain } from "../core/complaint.ts"
import { int, maybe, schema } from "../core/schema.ts"
import { type Graph, GraphBuilder, shared } from "../model/graph.ts"
import type { End, Port, Router } from "../model/ids.ts"
import type { TopologyPlugin } from "../model/plugin.ts"
import type { Topology } from "../model/topology.ts"
import { isMmsOrder, MmsGraph, mmsDegree, mmsOrdersNear } from "./parts/mms.ts"

export class SlimFly implements Topology {
  readonly name: string
  readonly graph: Graph
  readonly q: number
  readonly p: number
  readonly planes: number
  readonly plane: MmsGraph
  /** the 2q columns of each plane */
  readonly group: Int32Array
  readonly representatives: readonly Router[]
  readonly classSizes: readonly number[]
  private readonly found: Int32Array

  constructor(name: string, q: number, p: number, planes: number) {
    this.name = name
    this.q = q
    this.p = p
    this.planes = planes
    this.plane = new MmsGraph(q)
    this.found = new Int32Array(this.plane.degree)
    this.graph = this.build()
    this.group = shared(Int32Array, this.graph.routers)
    for (let r = 0; r < this.graph.routers; r++) this.group[r] = Math.floor(r / q)
    // Every column's y can be shifted. One plane has shifts of x (with c' = c - m s) and of m too, so each half is one
    // class; the mirrored endpoints of several planes keep only the first kind.
    const step = planes === 1 ? q * q : q
    this.representatives = Array.from({ length: this.graph.routers / step }, (_, i) => i * step)
    this.classSizes = this.representatives.map(() => step)
  }

  planeOf(r: Router): number {
    return Math.floor(r / this.plane.routers)
  }

  /** Returns the router to which endpoint e is attached in a plane. Odd planes are wired in reverse order, as in the
   *  Fit Fly paper. */
  routerOf(e: End, plane = 0): Router {
    const { routers } = this.plane
    const home = Math.floor(e / this.p)
    return plane * routers + (plane % 2 === 0 ? home : routers - 1 - home)
  }

  /** Returns the port of `at` whose link leads to `to`, or -1 if they are not neighbours. */
  portTo(at: Router, to: Router): Port {
    const base = this.planeOf(at) * this.plane.routers
    if (to < base || to >= base + this.plane.routers) return -1
    const i = this.plane.indexOf(at - base, to - base)
    return i < 0 ? -1 : this.p + i
  }

  adjacent(a: Router, b: Router): boolean {
    return this.portTo(a, b) >= 0
  }

  neighbour(at: Router, port: Port): Router {
    const base = this.planeOf(at) * this.plane.routers
    return base + this.plane.neighbour(at - base, port - this.p)
  }

  /** Writes the common neighbours of two different routers of one plane into `out`. Returns their number. */
  commons(a: Router, b: Router, out: Int32Array): number {
    const base = this.planeOf(a) * this.plane.routers
    const n = this.plane.commons(a - base, b - base, out)
    for (let i = 0; i < n; i++) out[i] += base
    return n
  }

  /** Returns the common neighbour with the lowest number: the middle of the minimal path between two routers that are
   *  not neighbours. */
  common(a: Router, b: Router): Router {
    const { found } = this
    const n = this.commons(a, b, found)
    let least = -1
    for (let i = 0; i < n; i++) if (least < 0 || found[i] < least) least = found[i]
    return least
  }

  /** Returns 0, 1 or 2, and Infinity between planes, because only endpoints join them. */
  hops(a: Router, b: Router): number {
    const base = this.planeOf(a) * this.plane.routers
    if (this.planeOf(b) !== this.planeOf(a)) return Number.POSITIVE_INFINITY
    return this.plane.hops(a - base, b - base)
  }

  label(r: Router): string {
    const { routers } = this.plane
    return this.planes === 1 ? this.plane.label(r) : `plane ${this.planeOf(r)} ${this.plane.label(r % routers)}`
  }

  private build(): Graph {
    const { p, plane, planes } = this
    const { routers, degree, localDegree } = plane
    const ends = routers * p
    const spec = { classes: ["end", "local", "global"], latencies: [1, 1, 1], rails: planes }
    const b = new GraphBuilder(ends, routers * planes, p + degree, spec)
    for (let k = 0; k < planes; k++) {
      for (let r = 0; r < routers; r++) {
        for (let i = 0; i < degree; i++) {
          const to = plane.neighbour(r, i)
          if (r < to)
            b.link(k * routers + r, p + i, k * routers + to, p + plane.indexOf(to, r), i < localDegree ? 1 : 2)
        }
      }
      for (let e = 0; e < ends; e++) b.attach(e, this.routerOf(e, k), e % p, k)
    }
    return b.finish()
  }
}

/** Returns half of the network degree, rounded up: the number of endpoints for which the paper calls the load of the
 *  links balanced. */
function endpointsFor(q: number): number {
  return Math.ceil(mmsDegree(q) / 2)
}

export const slimFlyParams = {
  q: int({ about: "Prime power; a plane has 2 q² routers", min: 2, max: 4096, default: 5 }),
  p: maybe(
    int({
      about: "Number of endpoints on each router (default: half the network degree)",
      min: 1,
      max: 4096,
      needed: false,
    }),
  ),
}

export function checkSlimFly(q: number) {
  if (isMmsOrder(q)) return []
  const near = mmsOrdersNear(q)
  return [
    complain("q", `${q} is not a prime power above 2, so there is no such graph`, `choose q = ${near.join(" or ")}`),
  ]
}

export type SlimFlyParams = { q: number; p: number | undefined }

export function slimFlySize({ q, p }: SlimFlyParams, planes: number) {
  const perRouter = p ?? endpointsFor(q)
  const routers = 2 * q * q
  return { ends: routers * perRouter, routers: routers * planes, chans: routers * planes * (perRouter + mmsDegree(q)) }
}

export function makeSlimFly(name: string, { q, p }: SlimFlyParams, planes: number): SlimFly {
  return new SlimFly(name, q, p ?? endpointsFor(q), planes)
}

export default {
  kind: "topology",
  name: "slimfly",
  about: "2 q² routers with diameter 2, for every prime power q.",
  cites: "Slim Fly: a cost effective low-diameter network topology, M. Besta and T. Hoefler, 2014",
  limits: "q a prime power above 2; every router carries p endpoints",
  params: schema(slimFlyParams),
  check: ({ q }) => checkSlimFly(q),
  size: (p) => slimFlySize(p, 1),
  make: (p) => makeSlimFly("slimfly", p, 1),
} satisfies TopologyPlugin<SlimFlyParams, SlimFly>
