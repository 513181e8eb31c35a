// A stencil on a periodic grid of ranks. Each iteration computes and then exchanges with the six neighbours; the
// program ends with one all-reduce of 4 bytes.
import { BLOCKS, Kind, type Program } from "../program.ts"
import { written } from "../writer.ts"

export interface HaloSize {
  readonly grid: readonly [number, number, number]
  readonly bytes: number
  readonly iterations: number
  /** Computing time in ps before each exchange. */
  readonly compute: number
}

const steps = [
  [1, 0, 0],
  [-1, 0, 0],
  [0, 1, 0],
  [0, -1, 0],
  [0, 0, 1],
  [0, 0, -1],
] as const

/** Returns the six neighbours of rank r: +x, -x, +y, -y, +z, -z. */
export function neighbours([px, py, pz]: HaloSize["grid"], r: number): number[] {
  const x = r % px
  const y = Math.floor(r / px) % py
  const z = Math.floor(r / (px * py))
  return steps.map(([dx, dy, dz]) => ((x + dx + px) % px) + px * (((y + dy + py) % py) + py * ((z + dz + pz) % pz)))
}

export function halo({ grid, bytes, iterations, compute }: HaloSize): Program {
  const [px, py, pz] = grid
  return written(px * py * pz, (r, w) => {
    const near = neighbours(grid, r)
    w.op(Kind.INIT, { flags: BLOCKS })
    w.loop(iterations, () => {
      w.compute(compute)
      // The message that arrives from direction d was sent in the opposite one, d ^ 1.
      for (const [d, to] of near.entries()) w.irecv(to, bytes, 100 + d, d)
      for (const [d, to] of near.entries()) w.isend(to, bytes, 100 + (d ^ 1), 6 + d)
      w.wait([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
    })
    w.collective(Kind.ALLREDUCE, 4)
    w.op(Kind.FINALIZE, { flags: BLOCKS })
  })
}
