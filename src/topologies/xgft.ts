// Extended generalised fat tree XGFT(h; m_1..m_h; w_1..w_h), with parallel links (PGFT). "On generalized fat trees", S.
// R. Ohring, M. Ibel, S. K. Das and M. J. Kumar, 1995; "D-Mod-K routing providing non-blocking traffic for shift
// permutations on real life fat trees", E. Zahavi, 2010.
//
// Endpoints are at level 0, routers at levels 1 to h. A router of level i has m_i children and w_(i+1) parents, with
// links_i cables to each child. An endpoint is the number with the digits a_h ... a_1 (a_1 fastest, a_i < m_i). A
// router of level i is the number with the digits a_h ... a_(i+1) b_i ... b_1 (b_i < w_i). Going up one level replaces
// a digit a by a digit b, so all digits b are free choices and the digits a are fixed by the endpoint below.
//
// The tree is slimmed (tapered, oversubscribed) where w_(i+1) links_(i+1) < m_i links_i. A k-ary n-tree is m = k ... k,
// w = 1 k ... k. With w_1 > 1 every endpoint has one rail into each of w_1 separate trees. Level 1 is numbered first.
// Ports: children (links to one child together), then parents. Limits: up to 12 levels, links_1 = 1.
import { type Complaint, complain } from "../core/complaint.ts"
import { Distances } from "../core/csr.ts"
import { int, list, maybe, schema } from "../core/schema.ts"
import { type Graph, GraphBuilder } from "../model/graph.ts"
import type { End, Port, Router } from "../model/ids.ts"
import { neighbours } from "../model/neighbours.ts"
import type { TopologyPlugin } from "../model/plugin.ts"
import type { Topology } from "../model/topology.ts"

type Params = { m: readonly number[]; w: readonly number[]; links: readonly number[] | undefined }

const product = (of: readonly number[]) => of.reduce((a, b) => a * b, 1)

export class Xgft implements Topology {
  readonly name = "xgft"
  readonly graph: Graph
  /** levels of routers */
  readonly levels: number
  /** [level] -> children, parents of the level below, parallel links to each child; index 0 is not used */
  readonly m: readonly number[]
  readonly w: readonly number[]
  readonly links: readonly number[]
  /** [level] -> its first router; one entry more than levels + 1 */
  readonly firstOf: readonly number[]
  /** [level] -> product of w_1..w_level, of m_(level+1)..m_h */
  private readonly below: readonly number[]
  private readonly above: readonly number[]
  readonly representatives: readonly Router[]
  readonly classSizes: readonly number[]
  private distances: Distances | undefined

  constructor({ m, w, links }: Params) {
    this.levels = m.length
    this.m = [1, ...m]
    this.w = [1, ...w]
    this.links = [1, ...(links ?? m.map(() => 1))]
    const all = [0, ...m.map((_, i) => i + 1)]
    this.below = all.map((i) => product(w.slice(0, i)))
    this.above = all.map((i) => product(m.slice(i)))
    const sizes = all.map((i) => (i === 0 ? 0 : this.above[i] * this.below[i]))
    this.firstOf = [0, ...all.map((i) => sizes.slice(0, i + 1).reduce((a, b) => a + b, 0))]
    // permuting the digits of a place moves any router of a level to any other of the same rail (the last digit)
    const rails = Array.from({ length: w[0] }, (_, rail) => rail)
    this.representatives = all.slice(1).flatMap((i) => rails.map((rail) => this.firstOf[i] + rail))
    this.classSizes = sizes.slice(1).flatMap((size) => rails.map(() => size / rails.length))
    this.graph = this.build()
  }

  levelOf(r: Router): number {
    let level = 1
    while (r >= this.firstOf[level + 1]) level++
    return level
  }
  routerOf(e: End, rail = 0): Router {
    return Math.floor(e / this.m[1]) * this.w[1] + rail
  }
  /** Returns whether endpoint e is below this router: their digits a above the level agree. */
  isAbove(r: Router, e: End): boolean {
    const i = this.levelOf(r)
    return Math.floor((r - this.firstOf[i]) / this.below[i]) === Math.floor(e / product(this.m.slice(1, i + 1)))
  }
  /** Returns the first of the parallel ports from a router down to the child that leads to endpoint e. */
  downPort(r: Router, e: End): Port {
    const i = this.levelOf(r)
    return (Math.floor(e / product(this.m.slice(1, i))) % this.m[i]) * this.links[i]
  }
  /** Returns the first of the parallel ports from a router up to its parent b. */
  upPort(r: Router, b: number): Port {
    const i = this.levelOf(r)
    return this.m[i] * this.links[i] + b * this.links[i + 1]
  }

  hops(a: Router, b: Router): number {
    if (a === b) return 0
    this.distances ??= new Distances(neighbours(this.graph))
    return this.distances.between(a, b)
  }
  label(r: Router): string {
    const i = this.levelOf(r)
    return `level ${i} router ${r - this.firstOf[i]}`
  }

  private build(): Graph {
    const { m, w, links, levels, firstOf, below, above } = this
    const routers = firstOf[levels + 1]
    const ports = new Int32Array(routers)
    for (let i = 1; i <= levels; i++) ports.fill(portsAt(i, m, w, links), firstOf[i], firstOf[i + 1])
    const ends = above[0]
    const b = new GraphBuilder(ends, routers, ports, { classes: ["end", "link"], rails: w[1] })
    for (let e = 0; e < ends; e++)
      for (let rail = 0; rail < w[1]; rail++) b.attach(e, this.routerOf(e, rail), e % m[1], rail)
    for (let i = 1; i < levels; i++) {
      const [down, up] = [m[i] * links[i], links[i + 1]]
      // alpha are the digits a of the router (above its level), beta its digits b; the parent drops the lowest digit of
      // alpha and gains `digit` as the highest digit of beta
      for (let alpha = 0; alpha < above[i]; alpha++) {
        const child = alpha % m[i + 1]
        for (let beta = 0; beta < below[i]; beta++) {
          const r = firstOf[i] + alpha * below[i] + beta
          for (let digit = 0; digit < w[i + 1]; digit++) {
            const parent = firstOf[i + 1] + Math.floor(alpha / m[i + 1]) * below[i + 1] + digit * below[i] + beta
            for (let k = 0; k < up; k++) b.link(r, down + digit * up + k, parent, child * up + k, 1)
          }
        }
      }
    }
    return b.finish()
  }
}

/** Returns the ports of a router of level i: to its children and parents. */
function portsAt(i: number, m: readonly number[], w: readonly number[], links: readonly number[]): number {
  return m[i] * links[i] + (i + 1 < m.length ? w[i + 1] * links[i + 1] : 0)
}

function check({ m, w, links }: Params): Complaint[] {
  const bad: Complaint[] = []
  if (w.length !== m.length)
    bad.push(complain("w", `has ${w.length} levels, m has ${m.length}`, `give ${m.length} numbers of parents`))
  if (links !== undefined && links.length !== m.length)
    bad.push(
      complain("links", `has ${links.length} levels, m has ${m.length}`, `give ${m.length} numbers of parallel links`),
    )
  if (links !== undefined && links[0] !== 1)
    bad.push(
      complain(
        "links",
        `the first, ${links[0]}, is an endpoint's link`,
        "set it to 1; more rails are made by the first w",
      ),
    )
  return bad
}

export default {
  kind: "topology",
  name: "xgft",
  aliases: ["pgft", "fat-tree"],
  about: "Extended generalised fat tree with any number of children and parents at each level.",
  cites: "On generalized fat trees, S. R. Ohring, M. Ibel, S. K. Das and M. J. Kumar, 1995",
  limits: "up to 12 levels",
  params: schema({
    m: list(int({ min: 1, max: 1_000_000 }), {
      about: "Number of children of a router of each level, lowest first, as 4x4",
      atLeast: 1,
      default: [4, 4],
    }),
    w: list(int({ min: 1, max: 1_000_000 }), {
      about: "Number of parents of an endpoint, then of a router of each level, as 1x4",
      atLeast: 1,
      default: [1, 4],
    }),
    links: maybe(
      list(int({ min: 1, max: 1024 }), {
        about: "Number of parallel links below each level, as 1x2 (default: 1)",
        atLeast: 1,
        needed: false,
      }),
    ),
  }),
  check,
  size(p) {
    const levels = p.m.map((_, i) => i + 1)
    const [m, w, links] = [
      [1, ...p.m],
      [1, ...p.w],
      [1, ...(p.links ?? p.m.map(() => 1))],
    ]
    const count = (i: number) => product(m.slice(i + 1)) * product(w.slice(1, i + 1))
    const sum = (of: (i: number) => number) => levels.reduce((total, i) => total + of(i), 0)
    return { ends: product(p.m), routers: sum(count), chans: sum((i) => count(i) * portsAt(i, m, w, links)) }
  },
  make: (p) => new Xgft(p),
} satisfies TopologyPlugin<Params, Xgft>
