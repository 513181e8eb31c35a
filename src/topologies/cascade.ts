// Cascade: the dragonfly with two-dimensional groups of the Cray XC. "Cray Cascade: a scalable HPC system based on a
// Dragonfly network", G. Faanes et al., 2012.
//
// A group is a grid of `rows` chassis by `columns` routers. All routers of a row are linked (class "green"), all
// routers of a column are linked by `black` parallel cables (class "black"). `bundle` neighbouring routers of a row
// connect to the same other group (class "blue"), with `blue` cables each. With `spread: row` each row reaches every
// other group, like the cabling of a machine with few groups (Theta has 9). With `spread: group` the bundles of all
// rows divide the other groups among them, which reaches the largest number of groups.
//
// Bundle B of group G serves the other groups L = B, B + bundles, ... in ascending order of their numbers. The routers
// of two bundles are joined by their position in the bundle. Routers are numbered (group * rows + row) * columns +
// column. Ports: p endpoints, then green, black and blue links. Limits: all groups are complete.
import { type Complaint, complain } from "../core/complaint.ts"
import { Distances } from "../core/csr.ts"
import { choice, int, schema } from "../core/schema.ts"
import { type Graph, shared } from "../model/graph.ts"
import type { End, Router } from "../model/ids.ts"
import { neighbours } from "../model/neighbours.ts"
import type { TopologyPlugin } from "../model/plugin.ts"
import type { Topology } from "../model/topology.ts"
import { Wiring } from "./parts/wiring.ts"

type Params = {
  groups: number
  rows: number
  columns: number
  bundle: number
  green: number
  black: number
  blue: number
  spread: "row" | "group"
  p: number
}

/** Returns the number of bundles that divide the other groups among them. */
function bundlesOf({ rows, columns, bundle, spread }: Params): number {
  return (columns / bundle) * (spread === "row" ? 1 : rows)
}

export class Cascade implements Topology {
  readonly name = "cascade"
  readonly graph: Graph
  readonly groups: number
  readonly rows: number
  readonly columns: number
  readonly p: number
  readonly group: Int32Array
  private distances: Distances | undefined

  constructor(params: Params) {
    this.groups = params.groups
    this.rows = params.rows
    this.columns = params.columns
    this.p = params.p
    const size = params.rows * params.columns
    this.group = shared(Int32Array, params.groups * size)
    for (let r = 0; r < this.group.length; r++) this.group[r] = Math.floor(r / size)
    this.graph = this.build(params)
  }

  routerOf(e: End): Router {
    return Math.floor(e / this.p)
  }
  rowOf(r: Router): number {
    return Math.floor(r / this.columns) % this.rows
  }
  columnOf(r: Router): number {
    return r % this.columns
  }
  hops(a: Router, b: Router): number {
    this.distances ??= new Distances(neighbours(this.graph))
    return this.distances.between(a, b)
  }
  label(r: Router): string {
    return `group ${this.group[r]} row ${this.rowOf(r)} column ${this.columnOf(r)}`
  }

  private build(params: Params): Graph {
    const { groups, rows, columns, bundle, green, black, blue, spread, p } = params
    const size = rows * columns
    const bundles = bundlesOf(params)
    const wiring = new Wiring(groups * size, p)
    const cable = (a: Router, b: Router, times: number, linkClass: number) => {
      for (let k = 0; k < times; k++) wiring.link(a, b, linkClass)
    }
    for (let r = 0; r < groups * size; r++) {
      for (let c = (r % columns) + 1; c < columns; c++) cable(r, r - (r % columns) + c, green, 1)
    }
    for (let r = 0; r < groups * size; r++) {
      for (let down = r + columns; down < (this.group[r] + 1) * size; down += columns) cable(r, down, black, 2)
    }
    /** Router at `place` of the bundle of group `from` that serves group `to`. */
    const at = (from: number, to: number, row: number, place: number): Router => {
      const served = (to < from ? to : to - 1) % bundles
      const first = spread === "row" ? row * columns + served * bundle : served * bundle
      return from * size + first + place
    }
    for (let a = 0; a < groups; a++)
      for (let b = a + 1; b < groups; b++)
        for (let row = 0; row < (spread === "row" ? rows : 1); row++)
          for (let place = 0; place < bundle; place++) cable(at(a, b, row, place), at(b, a, row, place), blue, 3)
    return wiring.graph(["end", "green", "black", "blue"])
  }
}

function check({ columns, bundle }: Params): Complaint[] {
  if (columns % bundle === 0) return []
  const near = Array.from({ length: columns }, (_, i) => i + 1).filter((n) => columns % n === 0)
  const best = near.reduce((a, b) => (Math.abs(b - bundle) < Math.abs(a - bundle) ? b : a))
  return [
    complain("bundle", `${columns} columns cannot be divided into bundles of ${bundle}`, `choose bundle = ${best}`),
  ]
}

export default {
  kind: "topology",
  name: "cascade",
  aliases: ["cray-xc", "dragonfly-2d"],
  about: "Dragonfly whose groups are grids with fully connected rows and columns (Cray XC).",
  cites: "Cray Cascade: a scalable HPC system based on a Dragonfly network, G. Faanes et al., 2012",
  limits: "all groups are complete",
  params: schema({
    groups: int({ about: "Number of groups", min: 1, max: 100_000, default: 9 }),
    rows: int({ about: "Number of chassis of each group", min: 1, max: 1024, default: 6 }),
    columns: int({ about: "Number of routers of each chassis", min: 1, max: 1024, default: 16 }),
    bundle: int({
      about: "Number of neighbouring routers that connect to the same other group",
      min: 1,
      max: 1024,
      default: 4,
    }),
    green: int({ about: "Number of cables between two routers of a chassis", min: 1, max: 64, default: 1 }),
    black: int({ about: "Number of cables between two routers of a column", min: 1, max: 64, default: 3 }),
    blue: int({
      about: "Number of cables from a router of a bundle to each group that it connects to",
      min: 1,
      max: 64,
      default: 2,
    }),
    spread: choice(["row", "group"], {
      about: "Part of a group that reaches all other groups: each row, or the group as a whole",
      default: "row",
    }),
    p: int({ about: "Number of endpoints on each router", min: 1, max: 65_536, default: 4 }),
  }),
  check,
  size(params) {
    const { groups, rows, columns, bundle, green, black, blue, spread, p } = params
    const routers = groups * rows * columns
    const local = (columns - 1) * green + (rows - 1) * black
    const global = groups * (groups - 1) * (spread === "row" ? rows : 1) * bundle * blue
    return { ends: routers * p, routers, chans: routers * (p + local) + global }
  },
  make: (p) => new Cascade(p),
} satisfies TopologyPlugin<Params, Cascade>
