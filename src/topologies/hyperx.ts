// HyperX(L; S_1..S_L; K_1..K_L; T): routers on a grid, where all routers of a line are fully connected by K_d parallel
// links in dimension d, with T endpoints on each router. "HyperX: topology, routing, and packaging of efficient
// large-scale networks", J. H. Ahn et al., 2009. The flattened butterfly is the case of equal sides and single links.
//
// Ports: the endpoints, then dimension 0 (peers ascending, own coordinate skipped, links to one peer together), then
// dimension 1, and so on. Endpoints of router r are r * p + i. With `block: [xr, yr]` they form a grid of S_1 * xr
// columns instead, on which each router owns a block of xr x yr. With `latency: distance` a link between routers dx
// columns and dy rows apart takes xr * |dx| + yr * |dy| cycles, where rows are all dimensions but the first. Blocks and
// distances reproduce BookSim2's flatfly.
import { type Complaint, complain } from "../core/complaint.ts"
import { choice, int, list, maybe, schema } from "../core/schema.ts"
import { type Graph, GraphBuilder, shared } from "../model/graph.ts"
import type { Port, Router } from "../model/ids.ts"
import type { TopologyPlugin } from "../model/plugin.ts"
import type { Topology } from "../model/topology.ts"
import { checkSides, Grid, type SidesParams, sidesFields, sidesOf } from "./grid.ts"

type Params = SidesParams & {
  p: number
  links: readonly number[]
  block: readonly number[] | undefined
  latency: "unit" | "distance"
  inputs: "mirror" | "source"
}

/** Maximum number of router pairs for which tables are made: up to this size they fit into the cache of a core. */
const MOST_PAIRS = 2 ** 15

export class HyperX implements Topology {
  readonly name = "hyperx"
  readonly graph: Graph
  readonly grid: Grid
  readonly p: number
  /** [d] -> parallel links to each peer */
  readonly links: readonly number[]
  /** [d] -> first port of dimension d */
  readonly firstPort: Int32Array
  readonly radix: number
  /** [router * routers + router] -> first port of the dimension-order path. `distances` has the number of its links.
   *  Only small networks have these tables; for large ones the sum is quicker than a cache miss. */
  readonly firstPorts: Uint16Array | undefined
  readonly distances: Uint8Array | undefined
  /** no two links lead to the same peer */
  readonly single: boolean
  readonly digits?: { readonly radix: number; readonly count: number; readonly ends: number }
  readonly representatives = [0]
  readonly sides: readonly number[]

  constructor(params: Params) {
    this.p = params.p
    this.grid = new Grid(sidesOf(params))
    this.sides = this.grid.sides
    const { n, sides } = this.grid
    this.links = sides.map((_, d) => params.links[params.links.length === 1 ? 0 : d])
    this.firstPort = new Int32Array(n)
    let ports = this.p
    for (let d = 0; d < n; d++) {
      this.firstPort[d] = ports
      ports += (sides[d] - 1) * this.links[d]
    }
    this.radix = ports
    this.single = this.links.every((k) => k === 1)
    const pairs = this.grid.size ** 2
    this.firstPorts = pairs <= MOST_PAIRS ? shared(Uint16Array, pairs) : undefined
    this.distances = pairs <= MOST_PAIRS ? shared(Uint8Array, pairs) : undefined
    if (pairs <= MOST_PAIRS) this.tabulate()
    const side = this.grid.radix
    if (params.block !== undefined && n === 2 && side !== undefined && params.block[0] === params.block[1])
      this.digits = { radix: side * params.block[0], count: 2, ends: 1 }
    else if (side !== undefined && params.block === undefined) this.digits = { radix: side, count: n, ends: this.p }
    this.graph = this.build(params.block ?? [this.p, 1], params.latency, params.inputs === "source" && this.single)
  }

  /** Returns the input port of router `at` in the numbering of BookSim2: by the router it comes from, all dimensions
   *  together. Round-robin arbiters visit inputs in this order, so results depend on it. */
  private inputBySource(at: Router, from: Router): Port {
    const { n, sides, stride } = this.grid
    let before = 0
    for (let d = 0; d < n; d++) {
      const here = this.grid.coordinate(at, d)
      for (let c = 0; c < sides[d]; c++) if (c !== here && at + (c - here) * stride[d] < from) before++
    }
    return this.p + before
  }

  private build(block: readonly number[], latency: "unit" | "distance", bySource: boolean): Graph {
    const { grid, p, links } = this
    const { n, size, sides, stride } = grid
    const [xr, yr] = [block[0], block[1]]
    const columns = sides[0]
    const b = new GraphBuilder(size * p, size, this.radix, { classes: ["end", "link"] })
    for (let r = 0; r < size; r++) {
      const x = r % columns
      const y = Math.floor(r / columns)
      for (let i = 0; i < p; i++) b.attach(columns * xr * (yr * y + Math.floor(i / xr)) + xr * x + (i % xr), r, i)
      for (let d = 0; d < n; d++) {
        const here = grid.coordinate(r, d)
        for (let c = 0; c < sides[d]; c++) {
          if (c === here) continue
          const peer = r + (c - here) * stride[d]
          const length = xr * Math.abs(x - (peer % columns)) + yr * Math.abs(y - Math.floor(peer / columns))
          for (let i = 0; i < links[d]; i++)
            b.wire(
              r,
              this.port(d, here, c, i),
              peer,
              bySource ? this.inputBySource(peer, r) : this.port(d, c, here, i),
              1,
              latency === "distance" ? length : 1,
            )
        }
      }
    }
    return b.finish()
  }

  /** Returns the port of a router with coordinate `here` in dimension d that leads to coordinate `there`. */
  port(d: number, here: number, there: number, member: number): Port {
    return this.firstPort[d] + (there < here ? there : there - 1) * this.links[d] + member
  }

  /** Fills the tables. Dimensions are visited from the last to the first, so the entry that remains is that of the
   *  first dimension that differs: dimension order. */
  private tabulate(): void {
    const { grid } = this
    const { n, size, at } = grid
    for (let a = 0; a < size; a++)
      for (let b = 0; b < size; b++) {
        let links = 0
        for (let d = n - 1; d >= 0; d--) {
          if (at[a * n + d] === at[b * n + d]) continue
          links++
          this.firstPorts![a * size + b] = this.port(d, at[a * n + d], at[b * n + d], 0)
        }
        this.distances![a * size + b] = links
      }
  }

  hops(a: Router, b: Router): number {
    const { grid, distances } = this
    if (distances !== undefined) return distances[a * grid.size + b]
    let sum = 0
    for (let d = 0; d < grid.n; d++) if (grid.coordinate(a, d) !== grid.coordinate(b, d)) sum++
    return sum
  }

  label(r: Router): string {
    return this.grid.label(r)
  }
}

export default {
  kind: "topology",
  name: "hyperx",
  aliases: ["flatfly"],
  about: "Grid of routers in which all routers of a line are directly connected; includes the flattened butterfly.",
  cites: "HyperX: topology, routing, and packaging of efficient large-scale networks, J. H. Ahn and others, 2009",
  params: schema({
    ...sidesFields,
    p: int({ about: "Number of endpoints on each router", min: 1, default: 1 }),
    links: list(int({ min: 1 }), {
      about: "Number of parallel links between two routers, one number or one for each dimension",
      default: [1],
    }),
    block: maybe(
      list(int({ min: 1 }), {
        about: "Columns and rows of the grid of endpoints that belong to one router, as 2x2",
        needed: false,
      }),
    ),
    inputs: choice(["mirror", "source"], {
      about:
        "Order of the input ports: that of the opposite outputs, or that of the routers they come from " +
        "(BookSim2, single links)",
      default: "mirror",
    }),
    latency: choice(["unit", "distance"], {
      about: "Latency of a link: 1 cycle, or its length on the grid of endpoints",
      default: "unit",
    }),
  }),
  check(p): Complaint[] {
    const bad = checkSides(p)
    const n = sidesOf(p).length
    if (p.links.length !== 1 && p.links.length !== n)
      bad.push(complain("links", `has ${p.links.length} entries for ${n} dimensions`, `give 1 entry, or ${n}`))
    if (p.block !== undefined && (p.block.length !== 2 || p.block[0] * p.block[1] !== p.p))
      bad.push(
        complain(
          "block",
          `${p.block.join("x")} does not contain ${p.p} endpoints`,
          `give columns x rows = p, as ${p.p}x1`,
        ),
      )
    return bad
  },
  size(p) {
    const sides = sidesOf(p)
    const routers = sides.reduce((a, b) => a * b, 1)
    const ports = sides.reduce((sum, s, d) => sum + (s - 1) * p.links[p.links.length === 1 ? 0 : d], p.p)
    return { ends: routers * p.p, routers, chans: routers * ports }
  },
  make: (p) => new HyperX(p),
} satisfies TopologyPlugin<Params, HyperX>
