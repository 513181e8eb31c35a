// Shortest paths of a Slim Fly (or of one plane of a Fit Fly): direct between neighbours, else over a common neighbour. Where there are several (routers of
// one column), the first by the equations looks the same from every router of the column, which keeps the network's symmetry; the lowest-numbered does
// not. A packet stays in the plane it was injected into. The VC is the hop, so it rises along every path.
import { choice } from "../../core/schema.ts"
import type { End, Packet, Port, Router } from "../../model/ids.ts"
import type { NetView } from "../../model/routing.ts"
import type { SlimFly } from "../../topologies/slimfly.ts"

export type Middle = "first" | "lowest" | "random"

export const middleField = choice(["first", "lowest", "random"], {
  about: "which common neighbour a path of two links takes: first by the equations, lowest-numbered, or random",
  default: "first",
})

export class Paths {
  readonly t: SlimFly
  private readonly middle: Middle
  private readonly found: Int32Array
  /** [at * routers + goal] -> next port, + FAR where the goal is two links away; within one plane, absent where it would be too large */
  private readonly next: Uint16Array | undefined

  constructor(t: SlimFly, middle: Middle) {
    this.t = t
    this.middle = middle
    this.found = new Int32Array(t.plane.degree)
    this.next = t.plane.routers <= MOST_KEPT ? this.table() : undefined
  }

  /** The next router, where nothing is drawn. */
  private over(a: Router, b: Router): Router {
    const { t, found } = this
    if (t.adjacent(a, b)) return b
    if (this.middle === "lowest") return t.common(a, b)
    t.commons(a, b, found)
    return found[0]!
  }

  private table(): Uint16Array {
    const { t } = this
    const { routers } = t.plane
    const next = new Uint16Array(routers * routers)
    for (let a = 0; a < routers; a++)
      for (let b = 0; b < routers; b++) if (a !== b) next[a * routers + b] = t.portTo(a, this.over(a, b)) + (t.adjacent(a, b) ? 0 : FAR)
    return next
  }

  /** Links between two different routers of one plane. */
  hops(a: Router, b: Router): number {
    const { t, next } = this
    if (next === undefined) return t.hops(a, b)
    const { routers } = t.plane
    return next[(a % routers) * routers + (b % routers)]! >= FAR ? 2 : 1
  }

  /** The router where a packet in the plane of `at` leaves for endpoint e. */
  goal(at: Router, e: End): Router {
    return this.t.routerOf(e, this.t.planeOf(at))
  }

  /** Port of the destination's router that ejects. */
  ejectPort(at: Router, e: End): Port {
    const { graph } = this.t
    return graph.home[e * graph.rails + this.t.planeOf(at)]! - graph.firstChan[at]!
  }

  /** Port to the router after `at` on the way to `goal`, of the same plane and different. */
  port(p: Packet, at: Router, goal: Router, net: NetView): Port {
    const { t, next } = this
    const { routers } = t.plane
    if (this.middle === "random" && !t.adjacent(at, goal)) {
      const n = t.commons(at, goal, this.found)
      return t.portTo(at, this.found[n === 1 ? 0 : net.draw(p, n)]!)
    }
    return next === undefined ? t.portTo(at, this.over(at, goal)) : next[(at % routers) * routers + (goal % routers)]! & (FAR - 1)
  }
}

const FAR = 0x8000
/** Routers of a plane up to which the next hops are kept: 32 MiB. */
const MOST_KEPT = 4096
