// Skeletons of codes on boxes of a mesh: FillBoundary and CNS (BoxLib), and the transform BigFFT. Each rank has one box
// of 64^3 cells.
import { BLOCKS, Kind, type Program, WORLD } from "../../program.ts"
import { written } from "../../writer.ts"
import { around, exchange, facesOf, ranksOf, scaled } from "./grid.ts"
import type { Sized } from "./solvers.ts"

const DOUBLE = 8
/** Cells along one side of a box. */
const SIDE = 64

/** Returns the bytes of a layer of `ghosts` cells across a face (off = 1), an edge (2) or a corner (3). */
function layer(off: number, ghosts: number, components: number): number {
  return SIDE ** (3 - off) * ghosts ** off * components * DOUBLE
}

/**
 * BoxLib's FillBoundary: ghost cells of 1, 4 and 20 components, 1 to 4 deep, first to the six faces only, then to all
 * 26 neighbours of a periodic grid.
 */
export function fillBoundary({ grid, iterations, byteScale }: Sized): Program {
  const size = scaled(byteScale)
  return written(ranksOf(grid), (r, w) => {
    const all = around(grid, r, 1, true)
    const faces = facesOf(all)
    w.loop(iterations, () => {
      for (const components of [1, 4, 20])
        for (const ghosts of [1, 2, 3, 4])
          for (const near of [faces, all]) exchange(w, near, (off) => size(layer(off, ghosts, components)))
    })
  })
}

/**
 * Compressible flow: three Runge-Kutta stages, each with an exchange of 5 components, 4 ghost cells deep, with 26
 * neighbours, then one all-reduce.
 */
export function cns({ grid, iterations, byteScale }: Sized): Program {
  const size = scaled(byteScale)
  return written(ranksOf(grid), (r, w) => {
    const near = around(grid, r, 1, true)
    w.loop(iterations, () => {
      w.loop(3, () => exchange(w, near, (off) => size(layer(off, 4, 5))))
      w.collective(Kind.ALLREDUCE, DOUBLE)
    })
  })
}

export interface FftSize extends Sized {
  /** Points along one side of the cube. */
  readonly points: number
}

const ROW = 2
const COLUMN = 3

/** A three-dimensional transform over pencils: all-to-all in rows, then in columns, then the inverse. */
export function bigfft({ grid, iterations, byteScale, points }: FftSize): Program {
  const [columns, rows] = grid as [number, number]
  const ranks = columns * rows
  /**
   * Returns the bytes from one rank to another: a rank's part of the cube (16 bytes per point), divided among the
   * members.
   */
  const block = (among: number) => scaled(byteScale)((points ** 3 * 16) / ranks / among)
  return written(ranks, (r, w) => {
    const row = Math.floor(r / columns)
    const column = r % columns
    w.op(Kind.COMM_SPLIT, { comm: WORLD, peer: ROW, tag: row, amount: column })
    w.op(Kind.COMM_SPLIT, { comm: WORLD, peer: COLUMN, tag: column, amount: row })
    const transpose = (comm: number, among: number) => {
      const values = new Int32Array(2 * among).fill(block(among))
      w.op(Kind.ALLTOALLV, { flags: BLOCKS, comm, values })
    }
    w.loop(iterations, () => {
      transpose(ROW, columns)
      transpose(COLUMN, rows)
      transpose(COLUMN, rows)
      transpose(ROW, columns)
    })
  })
}
