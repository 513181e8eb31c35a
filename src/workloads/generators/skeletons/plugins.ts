// Skeletons of applications by name: who sends what to whom in one of each, without what is computed. Sizes are those of published runs as far as these say
// them; `byteScale` makes all but collectives of a few bytes smaller or larger together.
import { int, real, type Schema, schema, text } from "../../../core/schema.ts"
import type { Program } from "../../program.ts"
import type { WorkloadPlugin } from "../workload-plugin.ts"
import { amr } from "./amr.ts"
import { bigfft, cns, fillBoundary } from "./boxes.ts"
import { badGrid, gridOf } from "./grid.ts"
import { amg, hilo, minife, multigrid, nekbone, type Sized } from "./solvers.ts"

interface Written {
  readonly grid: string
  readonly turns: number
  readonly byteScale: number
}

function fields(grid: string, turns: number, of: string, byteScale: number) {
  return {
    grid: text({ about: `ranks in each direction, such as ${grid}`, default: grid }),
    turns: int({ about: of, min: 1, max: 1_000_000, default: turns }),
    byteScale: real({ about: "factor on the bytes of its messages", above: 0, max: 1024, default: byteScale }),
  }
}

function skeleton<P extends Written>(
  name: string,
  about: string,
  params: Schema<P>,
  make: (size: Sized, p: P) => Program,
  directions = 3,
): WorkloadPlugin<P> {
  return {
    kind: "workload",
    name,
    about,
    params,
    check: (p) => badGrid(p.grid, directions),
    make: (p) => make({ ...p, grid: gridOf(p.grid, directions)! }, p),
  }
}

export const skeletons = [
  skeleton(
    "amg",
    "AMG: algebraic multigrid, mostly short messages to ever more distant neighbours.",
    schema(fields("12x12x12", 10, "cycles", 1)),
    amg,
  ),
  skeleton(
    "multigrid",
    "Geometric multigrid on boxes of 64^3 cells: V-cycles of six-face exchanges.",
    schema(fields("10x10x10", 4, "V-cycles", 1)),
    multigrid,
  ),
  skeleton("minife", "MiniFE: conjugate gradients with 26 neighbours.", schema(fields("12x12x8", 50, "iterations", 1)), minife),
  skeleton(
    "nekbone",
    "Nekbone: conjugate gradients with 26 neighbours and more all-reduces.",
    schema(fields("4x4x4", 50, "iterations", 1)),
    nekbone,
  ),
  skeleton("hilo", "HILO: sweeps along rows and columns of a square.", schema(fields("8x8", 10, "rounds of four sweeps", 1)), hilo, 2),
  skeleton(
    "fill-boundary",
    "FillBoundary: ghost cells of every depth and number of components, bound by bandwidth.",
    schema(fields("10x10x10", 1, "rounds", 1)),
    fillBoundary,
  ),
  skeleton(
    "cns",
    "CNS: compressible flow, exchanges with 26 neighbours in three stages.",
    schema(fields("4x4x4", 10, "time steps", 1 / 16)),
    cns,
  ),
  skeleton(
    "bigfft",
    "BigFFT: a transform of a cube over pencils, all-to-all in rows and columns, bound by bandwidth.",
    schema({
      ...fields("32x32", 1, "transforms there and back", 1),
      points: int({ about: "points along a side of the cube", min: 2, max: 65536, default: 512 }),
    }),
    (size, p) => bigfft({ ...size, points: p.points }),
    2,
  ),
  skeleton(
    "amr",
    "AMR: adaptive mesh refinement, three levels on ever fewer ranks.",
    schema({ ...fields("12x12x12", 1, "time steps", 1), draws: int({ about: "seed of who is refined and who tells whom", default: 1 }) }),
    (size, p) => amr({ ...size, draws: p.draws }),
  ),
] as const
