// HammingMesh: boards with a mesh of accelerators, whose rows and columns are joined by switches. "HammingMesh: a
// network topology for large-scale deep learning", T. Hoefler and others, 2022.
//
// A board has a x b accelerators, and x x y boards make a grid of (x a) x (y b) accelerators. Links inside a board have
// the class "board". Both ends of each row of a board lead to the switch of that row of the grid, and both ends of each
// column to the switch of that column (class "global"). So any two boards of a row are two links apart.
//
// Accelerators are numbered row by row over the whole grid. Routers: accelerators, switches of rows, switches of
// columns. Ports of an accelerator: endpoint, west, east, north, south. Ports of a switch: west and east (north and
// south) of the first board, then of the next. Limits: one switch for each row and column, where large networks have
// fat trees; one of the planes of the paper.
import { Distances } from "../core/csr.ts"
import { int, schema } from "../core/schema.ts"
import { type Graph, GraphBuilder } from "../model/graph.ts"
import type { End, Router } from "../model/ids.ts"
import { neighbours } from "../model/neighbours.ts"
import type { TopologyPlugin } from "../model/plugin.ts"
import type { Topology } from "../model/topology.ts"

type Params = { a: number; b: number; x: number; y: number }

/** The first of the two ports of an accelerator in each dimension: west, north. East and south follow. */
const firstPort = [1, 3] as const
const BOARD = 1
const GLOBAL = 2

export class HammingMesh implements Topology {
  readonly name = "hammingmesh"
  readonly graph: Graph
  readonly firstPort = firstPort
  /** [dimension] -> accelerators of a board, boards, accelerators of the grid */
  readonly side: readonly [number, number]
  readonly boards: readonly [number, number]
  readonly size: readonly [number, number]
  private distances: Distances | undefined

  constructor({ a, b, x, y }: Params) {
    this.side = [a, b]
    this.boards = [x, y]
    this.size = [a * x, b * y]
    this.graph = this.build()
  }

  /** Returns the coordinate of an accelerator in a dimension. */
  coordinate(e: End, dimension: 0 | 1): number {
    return dimension === 0 ? e % this.size[0] : Math.floor(e / this.size[0])
  }
  isAccelerator(r: Router): boolean {
    return r < this.size[0] * this.size[1]
  }
  /** Returns the dimension that a switch joins: 0 for the switch of a row. */
  dimensionOf(r: Router): 0 | 1 {
    return r < this.size[0] * this.size[1] + this.size[1] ? 0 : 1
  }

  hops(a: Router, b: Router): number {
    if (a === b) return 0
    this.distances ??= new Distances(neighbours(this.graph))
    return this.distances.between(a, b)
  }

  label(r: Router): string {
    const { size } = this
    const all = size[0] * size[1]
    if (r < all) return `accelerator ${this.coordinate(r, 0)},${this.coordinate(r, 1)}`
    return r < all + size[1] ? `row switch ${r - all}` : `column switch ${r - all - size[1]}`
  }

  private build(): Graph {
    const { side, boards, size } = this
    const all = size[0] * size[1]
    const ports = new Int32Array(all + size[0] + size[1])
      .fill(5, 0, all)
      .fill(2 * boards[0], all, all + size[1])
      .fill(2 * boards[1], all + size[1])
    const b = new GraphBuilder(all, ports.length, ports, { classes: ["end", "board", "global"] })
    for (let e = 0; e < all; e++) {
      b.attach(e, e, 0)
      for (const d of [0, 1] as const) {
        const at = this.coordinate(e, d)
        const to = d === 0 ? all + this.coordinate(e, 1) : all + size[1] + this.coordinate(e, 0)
        const board = Math.floor(at / side[d])
        if (at % side[d] === 0) b.link(e, firstPort[d], to, 2 * board, GLOBAL)
        if (at % side[d] === side[d] - 1) b.link(e, firstPort[d] + 1, to, 2 * board + 1, GLOBAL)
        else b.link(e, firstPort[d] + 1, e + (d === 0 ? 1 : size[0]), firstPort[d], BOARD)
      }
    }
    return b.finish()
  }
}

export default {
  kind: "topology",
  name: "hammingmesh",
  aliases: ["hxmesh"],
  about: "Boards with a mesh of accelerators; a switch joins the boards of each row and of each column.",
  cites: "HammingMesh: a network topology for large-scale deep learning, T. Hoefler and others, 2022",
  limits: "one switch for each row and column of accelerators; one plane",
  params: schema({
    a: int({ about: "Number of accelerators in a row of a board", min: 1, max: 256, default: 2 }),
    b: int({ about: "Number of accelerators in a column of a board", min: 1, max: 256, default: 2 }),
    x: int({ about: "Number of boards in a row", min: 1, max: 1024, default: 4 }),
    y: int({ about: "Number of boards in a column", min: 1, max: 1024, default: 4 }),
  }),
  size({ a, b, x, y }) {
    const [rows, columns] = [b * y, a * x]
    return {
      ends: rows * columns,
      routers: rows * columns + rows + columns,
      chans: 5 * rows * columns + 2 * x * rows + 2 * y * columns,
    }
  },
  make: (p) => new HammingMesh(p),
} satisfies TopologyPlugin<Params, HammingMesh>
