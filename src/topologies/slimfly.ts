// Slim Fly: a diameter-2 network on McKay-Miller-Siran graphs. "Slim Fly: a cost effective low-diameter network topology", M. Besta and
// T. Hoefler, 2014. Drawing: two halves of q columns; a column is a group of q routers, some of them linked (class "local"); each router has
// one link into every column of the other half (class "global"); no link joins two columns of one half.
// Also the several planes of a Fit Fly (fitfly.ts): independent copies that share their endpoints.
// Ports: p endpoints, then (3q-d)/2 links as MmsGraph numbers them. Limits: q a prime power above 2; all routers carry p endpoints.
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
    // Every column's y can be shifted. One plane has shifts of x (with c' = c - m s) and of m too, so each half is one class; the mirrored
    // endpoints of several planes keep only the first kind.
    const step = planes === 1 ? q * q : q
    this.representatives = Array.from({ length: this.graph.routers / step }, (_, i) => i * step)
    this.classSizes = this.representatives.map(() => step)
  }

  planeOf(r: Router): number {
    return Math.floor(r / this.plane.routers)
  }

  /** The router where endpoint e sits in a plane: odd planes are wired in reverse order. */
  routerOf(e: End, plane = 0): Router {
    const { routers } = this.plane
    const home = Math.floor(e / this.p)
    return plane * routers + (plane % 2 === 0 ? home : routers - 1 - home)
  }

  /** The port of `at` whose link goes to `to`; -1 if they are not neighbours. */
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

  /** Writes the common neighbours of two different routers of one plane into `out`; answers how many. */
  commons(a: Router, b: Router, out: Int32Array): number {
    const base = this.planeOf(a) * this.plane.routers
    const n = this.plane.commons(a - base, b - base, out)
    for (let i = 0; i < n; i++) out[i]! += base
    return n
  }

  /** The common neighbour with the lowest number: the middle of the minimal path of two routers that are not neighbours. */
  common(a: Router, b: Router): Router {
    const { found } = this
    const n = this.commons(a, b, found)
    let least = -1
    for (let i = 0; i < n; i++) if (least < 0 || found[i]! < least) least = found[i]!
    return least
  }

  /** Infinity between planes: only endpoints join them. */
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
          if (r < to) b.link(k * routers + r, p + i, k * routers + to, p + plane.indexOf(to, r), i < localDegree ? 1 : 2)
        }
      }
      for (let e = 0; e < ends; e++) b.attach(e, this.routerOf(e, k), e % p, k)
    }
    return b.finish()
  }
}

/** Half of the network degree, rounded up: what the paper calls a balanced load of the links. */
function endpointsFor(q: number): number {
  return Math.ceil(mmsDegree(q) / 2)
}

export const slimFlyParams = {
  q: int({ about: "prime power; a plane has 2 q² routers", min: 2, max: 4096, default: 5 }),
  p: maybe(int({ about: "endpoints on each router; half the network degree if left out", min: 1, max: 4096, needed: false })),
}

export function checkSlimFly(q: number) {
  if (isMmsOrder(q)) return []
  const near = mmsOrdersNear(q)
  return [complain("q", `${q} is not a prime power above 2, so there is no such graph`, `choose q = ${near.join(" or ")}`)]
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
  about: "2 q² routers at most two links apart, for every prime power q.",
  cites: "Slim Fly: a cost effective low-diameter network topology, M. Besta and T. Hoefler, 2014",
  limits: "q a prime power above 2; every router carries p endpoints",
  params: schema(slimFlyParams),
  check: ({ q }) => checkSlimFly(q),
  size: (p) => slimFlySize(p, 1),
  make: (p) => makeSlimFly("slimfly", p, 1),
} satisfies TopologyPlugin<SlimFlyParams, SlimFly>
