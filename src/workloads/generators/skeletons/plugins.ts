// Skeletons of applications by name: the messages of each application without its computation. The sizes are those of
// published runs where these state them. `byteScale` scales all messages except collectives of a few bytes.
import { int, real, type Schema, schema, text } from "../../../core/schema.ts"
import type { Program } from "../../program.ts"
import type { WorkloadPlugin } from "../workload-plugin.ts"
import { amr } from "./amr.ts"
import { bigfft, cns, fillBoundary } from "./boxes.ts"
import { boxlib } from "./boxlib.ts"
import { badGrid, gridOf } from "./grid.ts"
import { amg, hilo, minife, multigrid, nekbone, type Sized } from "./solvers.ts"

interface Written {
  readonly grid: string
  readonly iterations: number
  readonly byteScale: number
}

function fields(grid: string, iterations: number, of: string, byteScale: number) {
  return {
    grid: text({ about: `Number of ranks in each dimension, such as ${grid}`, default: grid }),
    iterations: int({ aliases: ["turns"], about: of, min: 1, max: 1_000_000, default: iterations }),
    byteScale: real({ about: "Factor on the size of its messages", above: 0, max: 1024, default: byteScale }),
  }
}

/** Returns the plug-in of one skeleton on a grid of ranks with `directions` dimensions. */
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
    "AMG: algebraic multigrid, mostly short messages to neighbours at distance 1, 2, 4 and more.",
    schema(fields("12x12x12", 10, "Number of multigrid cycles", 1)),
    amg,
  ),
  skeleton(
    "multigrid",
    "Geometric multigrid on boxes of 64^3 cells, with V-cycles of exchanges over six faces.",
    schema(fields("10x10x10", 4, "Number of V-cycles", 1)),
    multigrid,
  ),
  skeleton(
    "boxlib-multigrid",
    "Multigrid of BoxLib as a trace shows it: blocking sends to face neighbours and across the periodic boundary.",
    schema(fields("10x10x10", 1, "Number of V-cycles", 1)),
    boxlib,
  ),
  skeleton(
    "minife",
    "MiniFE: conjugate gradients with 26 neighbours.",
    schema(fields("12x12x8", 50, "Number of iterations", 1)),
    minife,
  ),
  skeleton(
    "nekbone",
    "Nekbone: conjugate gradients with 26 neighbours and more all-reduces.",
    schema(fields("4x4x4", 50, "Number of iterations", 1)),
    nekbone,
  ),
  skeleton(
    "hilo",
    "HILO: sweeps along rows and columns of a square.",
    schema(fields("8x8", 10, "Number of rounds of four sweeps", 1)),
    hilo,
    2,
  ),
  skeleton(
    "fill-boundary",
    "FillBoundary: exchange of ghost cells of all depths and numbers of components, limited by bandwidth.",
    schema(fields("10x10x10", 1, "Number of rounds", 1)),
    fillBoundary,
  ),
  skeleton(
    "cns",
    "CNS: compressible flow, exchanges with 26 neighbours in three stages.",
    schema(fields("4x4x4", 10, "Number of time steps", 1 / 16)),
    cns,
  ),
  skeleton(
    "bigfft",
    "BigFFT: Fourier transform of a cube in pencils, with all-to-all in rows and columns, limited by bandwidth.",
    schema({
      ...fields("32x32", 1, "Number of forward and backward transforms", 1),
      points: int({ about: "Points along one side of the cube", min: 2, max: 65536, default: 512 }),
    }),
    (size, p) => bigfft({ ...size, points: p.points }),
    2,
  ),
  skeleton(
    "amr",
    "AMR: adaptive mesh refinement, three levels; fewer ranks have the finer ones.",
    schema({
      ...fields("12x12x12", 1, "Number of time steps", 1),
      draws: int({ about: "Seed of the random choice of refined ranks and of their partners", default: 1 }),
    }),
    (size, p) => amr({ ...size, draws: p.draws }),
  ),
] as const
