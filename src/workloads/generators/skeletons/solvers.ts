// Skeletons of iterative solvers: the messages of AMG, MultiGrid, MiniFE, Nekbone and HILO without their computation.
// grid.ts has the exchanges with neighbours.
import { Kind, type Program } from "../../program.ts"
import { type RankWriter, written } from "../../writer.ts"
import { around, exchange, facesOf, type Grid, type Neighbour, ranksOf, scaled, spotOf } from "./grid.ts"

export interface Sized {
  readonly grid: Grid
  readonly iterations: number
  readonly byteScale: number
}

const DOUBLE = 8

/**
 * Algebraic multigrid: an all-gather of counts, then cycles over seven levels. On level l, a rank exchanges three times
 * with the 26 neighbours at distance 2^l. Coarser levels send fewer bytes.
 */
export function amg({ grid, iterations, byteScale }: Sized): Program {
  const size = scaled(byteScale)
  return written(ranksOf(grid), (r, w) => {
    w.collective(Kind.ALLGATHER, 4)
    w.loop(iterations, () => {
      for (let level = 0; level < 7; level++) {
        const near = around(grid, r, 2 ** level)
        if (near.length === 0) continue
        const face = Math.max(DOUBLE, (24 * 1024) / 4 ** level)
        const bytes = (off: number) => size(off === 1 ? face : off === 2 ? Math.max(DOUBLE, face / 16) : DOUBLE)
        w.loop(3, () => exchange(w, near, bytes, 32 * level))
      }
      for (let i = 0; i < 2; i++) w.collective(Kind.ALLREDUCE, DOUBLE)
    })
  })
}

/**
 * Writes one V-cycle of geometric multigrid over the faces `near`: on each level two smoothings and a restriction,
 * first from fine to coarse, then back from coarse to fine.
 */
export function vCycle(
  w: RankWriter,
  near: readonly Neighbour[],
  cells: number,
  size: (bytes: number) => number,
  bottom: () => void,
): void {
  const sides: number[] = []
  for (let side = cells; side >= 2; side /= 2) sides.push(side)
  const level = (side: number) => w.loop(3, () => exchange(w, near, () => size(side * side * DOUBLE)))
  sides.forEach(level)
  bottom()
  sides.reverse().forEach(level)
}

/**
 * Geometric multigrid (BoxLib): boxes of 64^3 cells, V-cycles of six-face exchanges, eight all-reduces on the coarsest
 * level and one for each cycle.
 */
export function multigrid({ grid, iterations, byteScale }: Sized): Program {
  const size = scaled(byteScale)
  return written(ranksOf(grid), (r, w) => {
    const near = facesOf(around(grid, r, 1, true))
    w.loop(iterations, () => {
      vCycle(w, near, 64, size, () => w.loop(8, () => w.collective(Kind.ALLREDUCE, DOUBLE)))
      w.collective(Kind.ALLREDUCE, DOUBLE)
    })
  })
}

/** Conjugate gradients: in each iteration an exchange with 26 neighbours and `reductions` all-reduces. */
function gradients({ grid, iterations, byteScale }: Sized, face: number, edge: number, reductions: number): Program {
  const size = scaled(byteScale)
  return written(ranksOf(grid), (r, w) => {
    const near = around(grid, r)
    w.loop(iterations, () => {
      exchange(w, near, (off) => size(off === 1 ? face : off === 2 ? edge : DOUBLE))
      for (let i = 0; i < reductions; i++) w.collective(Kind.ALLREDUCE, DOUBLE)
    })
  })
}

export const minife = (s: Sized): Program => gradients(s, 8 * 1024, 512, 2)
export const nekbone = (s: Sized): Program => gradients(s, 4 * 1024, 256, 3)

/**
 * Sweeps along the rows and columns of a square, in both directions, with messages of 1 KiB, and one all-reduce per
 * iteration.
 */
export function hilo({ grid, iterations, byteScale }: Sized): Program {
  const bytes = scaled(byteScale)(1024)
  const [px, py] = grid as [number, number]
  return written(px * py, (r, w) => {
    const [x, y] = spotOf(grid, r) as [number, number]
    /**
     * Writes one sweep: receive from the predecessor, then send to the successor, so the ranks of a line run one after
     * another.
     */
    const sweep = (tag: number, at: number, side: number, step: number) => {
      const [before, after] = step > 0 ? [at - 1, at + 1] : [side - 1 - at - 1, side - 1 - at + 1]
      const stride = tag < 2 ? step : step * px
      if (before >= 0) w.recv(r - stride, bytes, tag)
      if (after < side) w.send(r + stride, bytes, tag)
    }
    w.loop(iterations, () => {
      sweep(0, x, px, 1)
      sweep(1, x, px, -1)
      sweep(2, y, py, 1)
      sweep(3, y, py, -1)
      w.collective(Kind.ALLREDUCE, DOUBLE)
    })
  })
}
