// Skeleton of adaptive mesh refinement: three levels, of which fewer ranks have the finer ones. On each level, ranks
// exchange ghost cells with those neighbours that have the level, and run a V-cycle. Each fine rank also sends to some
// coarse ranks nearby. All choices are pure functions of the seed `draws`, so every rank computes the same plan without
// communication.
import { below, draw, streamOf } from "../../../core/rng.ts"
import { Kind, type Program } from "../../program.ts"
import { written } from "../../writer.ts"
import { around, exchange, facesOf, type Grid, ranksOf, scaled, spotOf } from "./grid.ts"
import { type Sized, vCycle } from "./solvers.ts"

/** Fraction of the ranks that have boxes of each level. */
const SHARES = [1, 0.3, 0.1]
const FACE = 16 * 1024
const REACH = 3
const TAG = 1000

export interface AmrSize extends Sized {
  /** Seed of the random choice of refined ranks and of their partners. */
  readonly draws: number
}

interface Talk {
  readonly to: number
  readonly bytes: number
}

/**
 * Returns a random message size that is about log-normal: two to the power of the sum of four draws from [-1, 1),
 * linear between whole powers. The median is 4 KiB, and nearly all sizes are within a factor of 8. It uses no
 * transcendental function, so the result is bit-identical on all machines.
 */
export function scattered(word: number): number {
  let z = 0
  for (let i = 0; i < 4; i++) z += (draw(word, 8 + i) >>> 0) / 2 ** 31 - 1
  const whole = Math.floor(z)
  return 4096 * 2 ** whole * (1 + z - whole)
}

/** Returns the partners of a fine rank: 1 to 8 other ranks at most REACH away in each dimension. */
function partners(grid: Grid, r: number, word: number, size: (bytes: number) => number): Talk[] {
  const spot = spotOf(grid, r)
  const count = 1 + below(draw(word, 0), 8)
  const found = new Map<number, number>()
  for (let k = 0; k < count; k++) {
    let to = 0
    let stride = 1
    for (const [d, side] of grid.entries()) {
      const step = below(draw(word, 16 + 4 * k + d), 2 * REACH + 1) - REACH
      to += stride * Math.min(side - 1, Math.max(0, spot[d] + step))
      stride *= side
    }
    if (to !== r) found.set(to, size(scattered(streamOf(word, 100 + k))))
  }
  return [...found].map(([to, bytes]) => ({ to, bytes }))
}

export function amr({ grid, iterations, byteScale, draws }: AmrSize): Program {
  const ranks = ranksOf(grid)
  const size = scaled(byteScale)
  const has = (level: number, r: number) => (draw(streamOf(draws, level), r) >>> 0) / 2 ** 32 < SHARES[level]
  const talks = SHARES.map((_, level) =>
    Array.from({ length: ranks }, (__, r) =>
      level > 0 && has(level, r) ? partners(grid, r, streamOf(streamOf(draws, 16 + level), r), size) : [],
    ),
  )
  // The receiver needs the reverse list, because every receive names its source.
  const heard = talks.map((of) => {
    const from: Talk[][] = Array.from({ length: ranks }, () => [])
    of.forEach((list, r) => {
      for (const { to, bytes } of list) from[to].push({ to: r, bytes })
    })
    return from
  })
  return written(ranks, (r, w) => {
    w.loop(iterations, () => {
      for (let level = 0; level < SHARES.length; level++) {
        if (has(level, r)) {
          const near = around(grid, r, 1, true).filter((n) => has(level, n.rank))
          exchange(w, near, (off) => size(off === 1 ? FACE : off === 2 ? FACE / 16 : 8))
          vCycle(w, facesOf(near), 32, size, () => {})
        }
        const [out, into] = [talks[level][r], heard[level][r]]
        for (const [i, t] of into.entries()) w.irecv(t.to, t.bytes, TAG + level, i)
        for (const [i, t] of out.entries()) w.isend(t.to, t.bytes, TAG + level, into.length + i)
        if (into.length + out.length > 0) w.wait(Array.from({ length: into.length + out.length }, (_, i) => i))
        w.collective(Kind.ALLREDUCE, 8)
      }
    })
  })
}
