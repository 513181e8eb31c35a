// Mesh and torus (k-ary n-mesh, k-ary n-cube) with sides of any length and trunks of parallel links. mesh.ts and
// torus.ts make plug-ins of this class. Each router is linked to its two neighbours in every dimension; the torus
// closes each line into a ring.
//
// Port numbers: (2d + direction) * trunk + member, where direction 0 leads to larger coordinates and 1 to smaller ones;
// the endpoints follow. Member i of the positive direction on one router is member i of the negative direction on its
// neighbour, so both ends of a link have the same member number. Ports at the edge of a mesh stay unwired. A torus side
// of 2 has both of its links between the same two routers.
//
// A torus of accelerators is often built of blocks, whose outer links lead to optical circuit switches: "TPU v4: an
// optically reconfigurable supercomputer for machine learning with hardware support for embeddings", N. P. Jouppi and
// others, 2023. `blocks` gives these links a separate class, so that they can have another latency and bandwidth. A
// circuit switch forwards no packets; it only joins links, and its circuits do not change during a run.
import { type Complaint, complain } from "../core/complaint.ts"
import { int, list, maybe } from "../core/schema.ts"
import { type Graph, GraphBuilder } from "../model/graph.ts"
import type { Port, Router } from "../model/ids.ts"
import type { Topology } from "../model/topology.ts"
import { checkSides, Grid, type SidesParams, sidesFields, sidesOf } from "./grid.ts"

export type CubeParams = SidesParams & { p: number; trunk: number; blocks?: readonly number[] | undefined }

export const cubeFields = {
  ...sidesFields,
  p: int({ about: "Number of endpoints on each router", min: 1, default: 1 }),
  trunk: int({ about: "Number of parallel links between two neighbours", min: 1, default: 1 }),
}

/** The fields of a torus. */
export const torusFields = {
  ...cubeFields,
  blocks: maybe(
    list(int({ min: 1 }), {
      about: "Number of routers of a block in each dimension, as 4x4x4; links between blocks have the class optical",
      needed: false,
      atLeast: 1,
    }),
  ),
}

export class Cube implements Topology {
  readonly name: "mesh" | "torus"
  readonly graph: Graph
  readonly grid: Grid
  readonly p: number
  readonly trunk: number
  readonly digits?: { readonly radix: number; readonly count: number; readonly ends: number }
  readonly sides: readonly number[]
  readonly representatives?: readonly Router[]

  constructor(name: "mesh" | "torus", params: CubeParams) {
    this.name = name
    this.p = params.p
    this.trunk = params.trunk
    this.grid = new Grid(sidesOf(params))
    this.sides = this.grid.sides
    // a torus can be shifted in every dimension
    if (name === "torus") this.representatives = [0]
    const radix = this.grid.radix
    if (radix !== undefined) this.digits = { radix, count: this.grid.n, ends: this.p }
    this.graph = this.build(params.blocks)
  }

  private build(blocks: readonly number[] | undefined): Graph {
    const { grid, p, trunk, name } = this
    const { n, size, sides, stride } = grid
    const b = new GraphBuilder(size * p, size, 2 * n * trunk + p, {
      classes: ["end", "link", ...(blocks === undefined ? [] : ["optical"])],
      latencies: [1, name === "torus" ? 2 : 1, ...(blocks === undefined ? [] : [2])],
    })
    for (let r = 0; r < size; r++) {
      for (let d = 0; d < n; d++) {
        const last = grid.coordinate(r, d) === sides[d] - 1
        if (last && name === "mesh") continue
        const optical = blocks !== undefined && (grid.coordinate(r, d) + 1) % blocks[d] === 0
        const next = last ? r - (sides[d] - 1) * stride[d] : r + stride[d]
        for (let i = 0; i < trunk; i++) b.link(r, this.port(d, 0, i), next, this.port(d, 1, i), optical ? 2 : 1)
      }
      for (let i = 0; i < p; i++) b.attach(r * p + i, r, 2 * n * trunk + i)
    }
    return b.finish()
  }

  /** direction 0: towards larger coordinates, 1: smaller */
  port(d: number, direction: number, member: number): Port {
    return (2 * d + direction) * this.trunk + member
  }

  hops(a: Router, b: Router): number {
    const { grid, name } = this
    let sum = 0
    for (let d = 0; d < grid.n; d++) {
      const apart = Math.abs(grid.coordinate(a, d) - grid.coordinate(b, d))
      sum += name === "torus" ? Math.min(apart, grid.sides[d] - apart) : apart
    }
    return sum
  }

  label(r: Router): string {
    return this.grid.label(r)
  }
}

export const checkCube = checkSides

/** Returns errors for sides, and for blocks that do not divide them. */
export function checkTorus(p: CubeParams): Complaint[] {
  const bad = checkSides(p)
  const { blocks } = p
  if (bad.length > 0 || blocks === undefined) return bad
  const sides = sidesOf(p)
  if (blocks.length === sides.length && sides.every((s, d) => s % blocks[d] === 0)) return []
  return [
    complain(
      "blocks",
      `${blocks.join("x")} does not divide a torus of ${sides.join("x")}`,
      "give a divisor of each side",
    ),
  ]
}

export function cubeSize(p: CubeParams): { ends: number; routers: number; chans: number } {
  const sides = sidesOf(p)
  const routers = sides.reduce((a, b) => a * b, 1)
  return { ends: routers * p.p, routers, chans: routers * (2 * sides.length * p.trunk + p.p) }
}
