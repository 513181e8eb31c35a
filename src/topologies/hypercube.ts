// Hypercube (binary n-cube): 2^n routers, two of which are linked when their numbers differ in one bit. "The cosmic
// cube", C. L. Seitz, 1985. Ports: p endpoints, then dimensions 0 to n-1.
//
// Limits: n up to 24, and all links have one class. (`torus` with k = 2 has two links where this network has one.)
import { int, schema } from "../core/schema.ts"
import { type Graph, GraphBuilder } from "../model/graph.ts"
import type { End, Port, Router } from "../model/ids.ts"
import type { TopologyPlugin } from "../model/plugin.ts"
import type { Topology } from "../model/topology.ts"

export class Hypercube implements Topology {
  readonly name = "hypercube"
  readonly graph: Graph
  readonly n: number
  readonly p: number
  readonly digits: { radix: number; count: number; ends: number }
  readonly sides: readonly number[]
  /** All routers are alike: exclusive or with a constant maps any router to any other and keeps the links. */
  readonly representatives: readonly Router[] = [0]

  constructor(n: number, p: number) {
    this.n = n
    this.p = p
    this.digits = { radix: 2, count: n, ends: p }
    this.sides = new Array<number>(n).fill(2)
    const routers = 2 ** n
    const b = new GraphBuilder(routers * p, routers, p + n, { classes: ["end", "link"] })
    for (let r = 0; r < routers; r++) {
      for (let i = 0; i < p; i++) b.attach(r * p + i, r, i)
      for (let d = 0; d < n; d++) if ((r & (1 << d)) === 0) b.link(r, p + d, r | (1 << d), p + d, 1)
    }
    this.graph = b.finish()
  }
  routerOf(e: End): Router {
    return Math.floor(e / this.p)
  }
  portOf(dimension: number): Port {
    return this.p + dimension
  }
  /** Returns the number of bits in which the two numbers differ. */
  hops(a: Router, b: Router): number {
    let bits = a ^ b
    let n = 0
    for (; bits !== 0; n++) bits &= bits - 1
    return n
  }
  label(r: Router): string {
    return r.toString(2).padStart(this.n, "0")
  }
}

export default {
  kind: "topology",
  name: "hypercube",
  aliases: ["cube"],
  about: "2^n routers with a link between each two whose numbers differ in one bit.",
  cites: "The cosmic cube, C. L. Seitz, 1985",
  limits: "n up to 24",
  params: schema({
    n: int({ about: "Number of dimensions", min: 1, max: 24, default: 4 }),
    p: int({ about: "Number of endpoints on each router", min: 1, max: 65_536, default: 1 }),
  }),
  size: ({ n, p }) => ({ ends: 2 ** n * p, routers: 2 ** n, chans: 2 ** n * (p + n) }),
  make: ({ n, p }) => new Hypercube(n, p),
} satisfies TopologyPlugin<{ n: number; p: number }, Hypercube>
