// Skeletons of iterative solvers: what one rank of AMG, MultiGrid, MiniFE, Nekbone and HILO sends, without what it computes.
import { Kind, type Program } from "../../program.ts"
import { type RankWriter, written } from "../../writer.ts"
import { around, exchange, facesOf, type Grid, type Neighbour, ranksOf, scaled, spotOf } from "./grid.ts"

export interface Sized {
  readonly grid: Grid
  readonly turns: number
  readonly byteScale: number
}

const DOUBLE = 8

/** Algebraic multigrid: an all-gather of counts, then cycles over seven levels; on level l the 26 neighbours at distance 2^l, three exchanges. */
export function amg({ grid, turns, byteScale }: Sized): Program {
  const size = scaled(byteScale)
  return written(ranksOf(grid), (r, w) => {
    w.collective(Kind.ALLGATHER, 4)
    w.loop(turns, () => {
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

/** One V-cycle of geometric multigrid over the faces `near`: two smoothings and a restriction on the way down, the same on the way up. */
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

/** Geometric multigrid (BoxLib): boxes of 64^3 cells, V-cycles of six-face exchanges, eight all-reduces at the bottom and one for each cycle. */
export function multigrid({ grid, turns, byteScale }: Sized): Program {
  const size = scaled(byteScale)
  return written(ranksOf(grid), (r, w) => {
    const near = facesOf(around(grid, r, 1, true))
    w.loop(turns, () => {
      vCycle(w, near, 64, size, () => w.loop(8, () => w.collective(Kind.ALLREDUCE, DOUBLE)))
      w.collective(Kind.ALLREDUCE, DOUBLE)
    })
  })
}

/** Conjugate gradients: an exchange with 26 neighbours and some all-reduces in each turn. */
function gradients({ grid, turns, byteScale }: Sized, face: number, edge: number, reductions: number): Program {
  const size = scaled(byteScale)
  return written(ranksOf(grid), (r, w) => {
    const near = around(grid, r)
    w.loop(turns, () => {
      exchange(w, near, (off) => size(off === 1 ? face : off === 2 ? edge : DOUBLE))
      for (let i = 0; i < reductions; i++) w.collective(Kind.ALLREDUCE, DOUBLE)
    })
  })
}

export const minife = (s: Sized): Program => gradients(s, 8 * 1024, 512, 2)
export const nekbone = (s: Sized): Program => gradients(s, 4 * 1024, 256, 3)

/** Sweeps along rows and columns of a square, there and back, with messages of 1 KiB; an all-reduce in each turn. */
export function hilo({ grid, turns, byteScale }: Sized): Program {
  const bytes = scaled(byteScale)(1024)
  const [px, py] = grid as [number, number]
  return written(px * py, (r, w) => {
    const [x, y] = spotOf(grid, r) as [number, number]
    const sweep = (tag: number, at: number, side: number, step: number) => {
      const [before, after] = step > 0 ? [at - 1, at + 1] : [side - 1 - at - 1, side - 1 - at + 1]
      const stride = tag < 2 ? step : step * px
      if (before >= 0) w.recv(r - stride, bytes, tag)
      if (after < side) w.send(r + stride, bytes, tag)
    }
    w.loop(turns, () => {
      sweep(0, x, px, 1)
      sweep(1, x, px, -1)
      sweep(2, y, py, 1)
      sweep(3, y, py, -1)
      w.collective(Kind.ALLREDUCE, DOUBLE)
    })
  })
}
