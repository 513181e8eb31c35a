// Shortest paths of a Slim Fly, or of one plane of a Fit Fly: direct between neighbours, otherwise over a common
// neighbour. Routers of one column may have several common neighbours. The first one by the equations looks the same
// from every router of the column and keeps the symmetry of the network; the lowest-numbered one does not. A packet
// stays in the plane where it was injected. The VC is the hop, so it rises along every path.
import { choice } from "../../core/schema.ts"
import type { End, Packet, Port, Router } from "../../model/ids.ts"
import type { NetView } from "../../model/routing.ts"
import type { SlimFly } from "../../topologies/slimfly.ts"

export type Middle = "first" | "lowest" | "random"

export const middleField = choice(["first", "lowest", "random"], {
  about: "Common neighbour of a path of two links: the first by the equations, the lowest-numbered, or a random one",
  default: "first",
})

export class Paths {
  readonly t: SlimFly
  private readonly middle: Middle
  private readonly found: Int32Array
  /** [at * routers + goal] -> next port, + FAR where the goal is two links away. The table covers one plane, because
   *  all planes are alike, and is absent where it would be too large. */
  private readonly next: Uint16Array | undefined

  constructor(t: SlimFly, middle: Middle) {
    this.t = t
    this.middle = middle
    this.found = new Int32Array(t.plane.degree)
    this.next = t.plane.routers <= MOST_KEPT ? this.table() : undefined
  }

  /** Returns the next router, where nothing is drawn. */
  private over(a: Router, b: Router): Router {
    const { t, found } = this
    if (t.adjacent(a, b)) return b
    if (this.middle === "lowest") return t.common(a, b)
    t.commons(a, b, found)
    return found[0]
  }

  /** Returns the table of next ports. */
  private table(): Uint16Array {
    const { t } = this
    const { routers } = t.plane
    const next = new Uint16Array(routers * routers)
    for (let a = 0; a < routers; a++)
      for (let b = 0; b < routers; b++)
        if (a !== b) next[a * routers + b] = t.portTo(a, this.over(a, b)) + (t.adjacent(a, b) ? 0 : FAR)
    return next
  }

  /** Returns the links between two different routers of one plane. */
  hops(a: Router, b: Router): number {
    const { t, next } = this
    if (next === undefined) return t.hops(a, b)
    const { routers } = t.plane
    return next[(a % routers) * routers + (b % routers)] >= FAR ? 2 : 1
  }

  /** Returns the router where a packet in the plane of `at` is ejected to endpoint e. */
  goal(at: Router, e: End): Router {
    return this.t.routerOf(e, this.t.planeOf(at))
  }

  /** Returns the port of the destination router that ejects. */
  ejectPort(at: Router, e: End): Port {
    const { graph } = this.t
    return graph.home[e * graph.rails + this.t.planeOf(at)] - graph.firstChan[at]
  }

  /** Returns the port to the router after `at` on the path to `goal`, a different router of the same plane. */
  port(p: Packet, at: Router, goal: Router, net: NetView): Port {
    const { t, next } = this
    const { routers } = t.plane
    if (this.middle === "random" && !t.adjacent(at, goal)) {
      const n = t.commons(at, goal, this.found)
      return t.portTo(at, this.found[n === 1 ? 0 : net.draw(p, n)])
    }
    return next === undefined
      ? t.portTo(at, this.over(at, goal))
      : next[(at % routers) * routers + (goal % routers)] & (FAR - 1)
  }
}

const FAR = 0x8000
/** Maximum number of routers of a plane with a table of next hops: 32 MiB. */
const MOST_KEPT = 4096
