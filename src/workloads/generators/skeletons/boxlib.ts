// The geometric multigrid solver of BoxLib, as a published trace of rank 0 of 125 shows it: the application MultiGrid
// of the Design Forward programme, recorded with DUMPI. Boxes have 64^3 cells on six levels. One V-cycle has 52
// exchanges and 12 all-reduces. An exchange has two parts, each with its receives, blocking sends one after the other,
// and an MPI_Waitsome. The first part is with the face neighbours inside the domain. The second part is with all
// neighbours across the periodic boundary: faces, edges and corners. Rank 0 sends 1,144 messages to 22 ranks, 2,662
// bytes on average.
//
// Limits: the 5 reductions, the all-gather and the barrier around the V-cycle are left out; each part ends with one
// wait, where the trace has one to three.
import { BLOCKS, Kind, PARTIAL, type Program } from "../../program.ts"
import { type RankWriter, written } from "../../writer.ts"
import { around, facesOf, type Neighbour, ranksOf, scaled } from "./grid.ts"
import type { Sized } from "./solvers.ts"

const DOUBLE = 8
/** Sides of the boxes of a rank on the levels of the V-cycle, from fine to coarse. */
const sides = [64, 32, 16, 8, 4, 2]

export function boxlib({ grid, iterations, byteScale }: Sized): Program {
  const size = scaled(byteScale)
  return written(ranksOf(grid), (r, w) => {
    const all = around(grid, r, 1, true)
    const within = new Set(around(grid, r).map((n) => n.direction))
    const parts = [facesOf(all).filter((n) => within.has(n.direction)), all.filter((n) => !within.has(n.direction))]
    const reduce = (times: number) => w.loop(times, () => w.collective(Kind.ALLREDUCE, DOUBLE))
    const turn = (side: number, times: number) =>
      w.loop(times, () => {
        for (const near of parts) sentInTurn(w, near, (off) => size(DOUBLE * side ** (3 - off)))
      })
    const [finest, ...coarser] = sides
    const down = [finest, ...coarser.slice(0, -1)]
    w.loop(iterations, () => {
      turn(finest, 2)
      reduce(2)
      for (const side of down) turn(side, 5)
      for (const reductions of [2, 2, 3, 2]) {
        turn(sides[sides.length - 1], 1)
        reduce(reductions)
      }
      for (const side of down.toReversed()) turn(side, 4)
      turn(finest, 1)
      reduce(1)
    })
  })
}

/** Writes an exchange with blocking sends: all receives, then one send after the other, then waits for some receives. */
function sentInTurn(w: RankWriter, near: readonly Neighbour[], bytes: (off: number) => number): void {
  if (near.length === 0) return
  for (const [i, n] of near.entries()) w.irecv(n.rank, bytes(n.off), 26 - n.direction, i)
  for (const n of near) w.send(n.rank, bytes(n.off), n.direction)
  w.op(Kind.WAIT, { flags: BLOCKS | PARTIAL, needs: near.map((_, i) => i) })
}
