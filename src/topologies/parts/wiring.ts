// Turns a list of links into a graph. Each router has its endpoints on the first ports, then its links in the order in
// which they were listed. Topologies without a formula for port numbers use it (Cascade, Jellyfish, PolarFly,
// orthogonal fat tree).
import { type Graph, GraphBuilder } from "../../model/graph.ts"
import type { End, Router } from "../../model/ids.ts"

export class Wiring {
  readonly routers: number
  /** [router] -> endpoints on it */
  readonly endsOn: Int32Array
  private readonly a: number[] = []
  private readonly b: number[] = []
  private readonly cls: number[] = []

  /** `endsOn`: endpoints of each router, or one number for all routers. */
  constructor(routers: number, endsOn: number | ArrayLike<number>) {
    this.routers = routers
    this.endsOn = typeof endsOn === "number" ? new Int32Array(routers).fill(endsOn) : Int32Array.from(endsOn)
  }

  link(a: Router, b: Router, linkClass: number): void {
    this.a.push(a)
    this.b.push(b)
    this.cls.push(linkClass)
  }

  /** Returns the graph. `home`: [end] -> router; by default endpoints are numbered along the routers. */
  graph(classes: readonly string[], home?: ArrayLike<Router>): Graph {
    const { a, b, cls, endsOn, routers } = this
    const ports = endsOn.slice()
    for (let i = 0; i < a.length; i++) {
      ports[a[i]]++
      ports[b[i]]++
    }
    const ends = endsOn.reduce((sum, n) => sum + n, 0)
    const g = new GraphBuilder(ends, routers, ports, { classes })
    const used = new Int32Array(routers)
    const attach = (e: End, r: Router) => g.attach(e, r, used[r]++)
    if (home !== undefined) for (let e = 0; e < ends; e++) attach(e, home[e])
    else for (let r = 0, e = 0; r < routers; r++) for (let i = 0; i < endsOn[r]; i++) attach(e++, r)
    for (let i = 0; i < a.length; i++) g.link(a[i], used[a[i]]++, b[i], used[b[i]]++, cls[i])
    return g.finish()
  }
}
