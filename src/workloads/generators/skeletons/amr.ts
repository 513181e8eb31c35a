// Adaptive mesh refinement: three levels, of which fewer ranks have the finer ones; each fine rank also tells some coarse ones nearby.
import { below, draw, streamOf } from "../../../core/rng.ts"
import { Kind, type Program } from "../../program.ts"
import { written } from "../../writer.ts"
import { around, exchange, facesOf, type Grid, ranksOf, scaled, spotOf } from "./grid.ts"
import { type Sized, vCycle } from "./solvers.ts"

/** share of the ranks that have boxes of a level */
const SHARES = [1, 0.3, 0.1]
const FACE = 16 * 1024
const REACH = 3
const TAG = 1000

export interface AmrSize extends Sized {
  /** of who is refined, and who tells whom */
  readonly draws: number
}

interface Talk {
  readonly to: number
  readonly bytes: number
}

/** About log-normal: the sum of four draws of [-1, 1) as a power of two, straight between whole powers. Median 4 KiB, nearly all within a factor of 8. */
export function scattered(word: number): number {
  let z = 0
  for (let i = 0; i < 4; i++) z += (draw(word, 8 + i) >>> 0) / 2 ** 31 - 1
  const whole = Math.floor(z)
  return 4096 * 2 ** whole * (1 + z - whole)
}

/** Partners of a fine rank: 1 to 8 others at most REACH away in each direction. */
function partners(grid: Grid, r: number, word: number, size: (bytes: number) => number): Talk[] {
  const spot = spotOf(grid, r)
  const count = 1 + below(draw(word, 0), 8)
  const found = new Map<number, number>()
  for (let k = 0; k < count; k++) {
    let to = 0
    let stride = 1
    for (const [d, side] of grid.entries()) {
      const step = below(draw(word, 16 + 4 * k + d), 2 * REACH + 1) - REACH
      to += stride * Math.min(side - 1, Math.max(0, spot[d]! + step))
      stride *= side
    }
    if (to !== r) found.set(to, size(scattered(streamOf(word, 100 + k))))
  }
  return [...found].map(([to, bytes]) => ({ to, bytes }))
}

export function amr({ grid, turns, byteScale, draws }: AmrSize): Program {
  const ranks = ranksOf(grid)
  const size = scaled(byteScale)
  const has = (level: number, r: number) => (draw(streamOf(draws, level), r) >>> 0) / 2 ** 32 < SHARES[level]!
  const talks = SHARES.map((_, level) =>
    Array.from({ length: ranks }, (__, r) =>
      level > 0 && has(level, r) ? partners(grid, r, streamOf(streamOf(draws, 16 + level), r), size) : [],
    ),
  )
  const heard = talks.map((of) => {
    const from: Talk[][] = Array.from({ length: ranks }, () => [])
    of.forEach((list, r) => {
      for (const { to, bytes } of list) from[to]!.push({ to: r, bytes })
    })
    return from
  })
  return written(ranks, (r, w) => {
    w.loop(turns, () => {
      for (let level = 0; level < SHARES.length; level++) {
        if (has(level, r)) {
          const near = around(grid, r, 1, true).filter((n) => has(level, n.rank))
          exchange(w, near, (off) => size(off === 1 ? FACE : off === 2 ? FACE / 16 : 8))
          vCycle(w, facesOf(near), 32, size, () => {})
        }
        const [out, into] = [talks[level]![r]!, heard[level]![r]!]
        for (const [i, t] of into.entries()) w.irecv(t.to, t.bytes, TAG + level, i)
        for (const [i, t] of out.entries()) w.isend(t.to, t.bytes, TAG + level, into.length + i)
        if (into.length + out.length > 0) w.wait(Array.from({ length: into.length + out.length }, (_, i) => i))
        w.collective(Kind.ALLREDUCE, 8)
      }
    })
  })
}
