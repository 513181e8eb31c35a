// Shortest paths of a Slim Fly (or of one plane of a Fit Fly): direct between neighbours, else over a common neighbour, the lowest-numbered or a random one.
// A packet stays in the plane it was injected into. The VC is the hop, so it rises along every path.
import { choice } from "../../core/schema.ts"
import type { End, Packet, Port, Router } from "../../model/ids.ts"
import type { NetView } from "../../model/routing.ts"
import type { SlimFly } from "../../topologies/slimfly.ts"

export type Middle = "lowest" | "random"

export const middleField = choice(["lowest", "random"], {
  about: "which common neighbour a path of two links takes: the lowest-numbered, or a random one",
  default: "lowest",
})

export class Paths {
  readonly t: SlimFly
  private readonly random: boolean
  private readonly found: Int32Array
  /** [at * routers + goal] -> next router, within one plane; absent where it would be too large */
  private readonly next: Uint16Array | undefined

  constructor(t: SlimFly, middle: Middle) {
    this.t = t
    this.random = middle === "random"
    this.found = new Int32Array(t.plane.degree)
    this.next = t.plane.routers <= MOST_KEPT ? this.table() : undefined
  }

  private table(): Uint16Array {
    const { t } = this
    const { routers } = t.plane
    const next = new Uint16Array(routers * routers)
    for (let a = 0; a < routers; a++)
      for (let b = 0; b < routers; b++) if (a !== b) next[a * routers + b] = t.adjacent(a, b) ? b : t.common(a, b)
    return next
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

  /** The router after `at` on the way to `goal`, of the same plane and different. */
  step(p: Packet, at: Router, goal: Router, net: NetView): Router {
    const { t } = this
    if (this.random && !t.adjacent(at, goal)) {
      const n = t.commons(at, goal, this.found)
      return this.found[n === 1 ? 0 : net.draw(p, n)]!
    }
    const { routers } = t.plane
    if (this.next === undefined) return t.adjacent(at, goal) ? goal : t.common(at, goal)
    const base = t.planeOf(at) * routers
    return base + this.next[(at - base) * routers + goal - base]!
  }

  port(p: Packet, at: Router, goal: Router, net: NetView): Port {
    return this.t.portTo(at, this.step(p, at, goal, net))
  }
}

/** Routers of a plane up to which the next hops are kept: 32 MiB. */
const MOST_KEPT = 4096
