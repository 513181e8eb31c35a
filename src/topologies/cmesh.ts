// Concentrated mesh: k x k routers with a block of 2 x 2 endpoints each. "Design tradeoffs for tiled CMP on-chip
// networks", J. Balfour and W. J. Dally, 2006. BookSim2 has the same network.
//
// The endpoints form a grid of 2k x 2k, numbered row by row. Ports 0 to 3 are the endpoints of the block, row by row;
// ports 4 to 7 lead to +x, -x, +y and -y. A plain mesh leaves the outward ports of a router at the edge unwired. With
// express links they lead to the router k/2 further along the same edge. The -y and +y ports then lead along x, the -x
// and +x ports along y.
//
// Limits: two dimensions, four endpoints per router, and an even k for express links.
import { type Complaint, complain } from "../core/complaint.ts"
import { Distances } from "../core/csr.ts"
import { flag, int, schema } from "../core/schema.ts"
import { type Graph, GraphBuilder } from "../model/graph.ts"
import type { Router } from "../model/ids.ts"
import { neighbours } from "../model/neighbours.ts"
import type { TopologyPlugin } from "../model/plugin.ts"
import type { Topology } from "../model/topology.ts"

type Params = { k: number; express: boolean }

const BLOCK = 2
const ENDS = BLOCK * BLOCK

export class ConcentratedMesh implements Topology {
  readonly name = "cmesh"
  readonly graph: Graph
  readonly k: number
  readonly express: boolean
  readonly digits: { readonly radix: number; readonly count: number; readonly ends: number }
  readonly sides: readonly number[]
  private readonly distances: Distances | undefined

  constructor({ k, express }: Params) {
    this.k = k
    this.express = express
    this.sides = [k, k]
    this.digits = { radix: BLOCK * k, count: 2, ends: 1 }
    this.graph = this.build()
    this.distances = express ? new Distances(neighbours(this.graph)) : undefined
  }

  private build(): Graph {
    const { k, express } = this
    const b = new GraphBuilder(k * k * ENDS, k * k, ENDS + 4, {
      classes: ["end", "link", "express"],
      latencies: [1, 2, k],
    })
    for (let y = 0; y < k; y++) {
      for (let x = 0; x < k; x++) {
        const r = y * k + x
        for (let i = 0; i < ENDS; i++) b.attach((BLOCK * y + (i >> 1)) * BLOCK * k + BLOCK * x + (i & 1), r, i)
        if (x + 1 < k) b.link(r, ENDS, r + 1, ENDS + 1)
        if (y + 1 < k) b.link(r, ENDS + 2, r + k, ENDS + 3)
      }
    }
    if (express) {
      // An edge router pairs with the one half an edge away, so each express link uses one free port at both of its
      // ends.
      const step = k >> 1
      for (let i = 0; i < step; i++) {
        b.link(i * k, ENDS + 1, (i + step) * k, ENDS + 1, 2)
        b.link(i * k + k - 1, ENDS, (i + step) * k + k - 1, ENDS, 2)
        b.link(i, ENDS + 3, i + step, ENDS + 3, 2)
        b.link((k - 1) * k + i, ENDS + 2, (k - 1) * k + i + step, ENDS + 2, 2)
      }
    }
    return b.finish()
  }

  hops(a: Router, b: Router): number {
    if (this.distances !== undefined) return this.distances.between(a, b)
    return Math.abs((a % this.k) - (b % this.k)) + Math.abs(Math.floor(a / this.k) - Math.floor(b / this.k))
  }

  label(r: Router): string {
    return `(${r % this.k},${Math.floor(r / this.k)})`
  }
}

export default {
  kind: "topology",
  name: "cmesh",
  about: "Concentrated mesh with 2 x 2 endpoints on each router and express links along its edges.",
  cites: "Design tradeoffs for tiled CMP on-chip networks, J. Balfour and W. J. Dally, 2006",
  limits: "two dimensions, four endpoints per router",
  params: schema({
    k: int({ about: "Number of routers in each of the two dimensions", min: 2 }),
    express: flag({ about: "Add links along the edges that skip k/2 routers", default: true }),
  }),
  check(p): Complaint[] {
    return p.express && p.k % 2 === 1
      ? [
          complain(
            "k",
            `${p.k} is odd, but express links connect routers k/2 apart`,
            `set k: ${p.k + 1}, or express: false`,
          ),
        ]
      : []
  },
  size: ({ k }) => ({ ends: k * k * ENDS, routers: k * k, chans: k * k * (ENDS + 4) }),
  make: (p) => new ConcentratedMesh(p),
} satisfies TopologyPlugin<Params, ConcentratedMesh>
