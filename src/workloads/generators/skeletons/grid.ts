// Ranks on a grid of two or three dimensions, and the exchanges with neighbours that the skeletons consist of. The
// first dimension varies fastest.
import { type Complaint, complain } from "../../../core/complaint.ts"
import type { RankWriter } from "../../writer.ts"

export type Grid = readonly number[]

/** Returns the sides of a grid such as "10x10x10", or undefined if it does not have this number of dimensions. */
export function gridOf(written: string, directions: number): Grid | undefined {
  if (!/^\d+(x\d+)*$/.test(written)) return undefined
  const sides = written.split("x").map(Number)
  const ranks = sides.reduce((n, s) => n * s, 1)
  return sides.length !== directions || sides.some((s) => s < 1) || ranks > 1 << 20 ? undefined : sides
}

export function badGrid(written: string, directions: number): Complaint[] {
  if (gridOf(written, directions) !== undefined) return []
  const example = Array.from({ length: directions }, () => 4).join("x")
  return [complain("grid", `"${written}" is no grid of ranks`, `write ${directions} numbers such as ${example}`)]
}

export function ranksOf(grid: Grid): number {
  return grid.reduce((n, s) => n * s, 1)
}

/** Returns the coordinates of a rank. */
export function spotOf(grid: Grid, rank: number): number[] {
  let rest = rank
  return grid.map((side) => {
    const x = rest % side
    rest = Math.floor(rest / side)
    return x
  })
}

export interface Neighbour {
  readonly rank: number
  /** Direction, 0 to 26. The opposite direction is 26 minus this value. */
  readonly direction: number
  /** Number of dimensions in which it differs: 1 shares a face, 2 an edge, 3 a corner. */
  readonly off: number
}

/**
 * Returns the neighbours of a rank at a distance: 26, or fewer at the border of a grid that is not periodic. A rank is
 * never its own neighbour, so small periodic grids have fewer as well.
 */
export function around(grid: Grid, rank: number, distance = 1, periodic = false): Neighbour[] {
  const [px, py, pz] = grid as [number, number, number]
  const [x, y, z] = spotOf(grid, rank) as [number, number, number]
  const found: Neighbour[] = []
  const along = (at: number, step: number, side: number): number => {
    const to = at + step * distance
    if (periodic) return ((to % side) + side) % side
    return to >= 0 && to < side ? to : -1
  }
  for (let direction = 0; direction < 27; direction++) {
    const dx = (direction % 3) - 1
    const dy = (Math.floor(direction / 3) % 3) - 1
    const dz = Math.floor(direction / 9) - 1
    const [a, b, c] = [along(x, dx, px), along(y, dy, py), along(z, dz, pz)]
    if (a < 0 || b < 0 || c < 0) continue
    const to = a + px * (b + py * c)
    if (to !== rank) found.push({ rank: to, direction, off: Math.abs(dx) + Math.abs(dy) + Math.abs(dz) })
  }
  return found
}

/**
 * Writes an exchange: all receives, all sends, one wait. `bytes(off)` is the size of a message across a face (1), an
 * edge (2) or a corner (3).
 */
export function exchange(w: RankWriter, near: readonly Neighbour[], bytes: (off: number) => number, tag = 0): void {
  if (near.length === 0) return
  // A receive has the direction of its sender, the opposite one. On small grids two neighbours are the same rank, and
  // the tag separates their messages.
  for (const [i, n] of near.entries()) w.irecv(n.rank, bytes(n.off), tag + 26 - n.direction, i)
  for (const [i, n] of near.entries()) w.isend(n.rank, bytes(n.off), tag + n.direction, near.length + i)
  w.wait(Array.from({ length: 2 * near.length }, (_, i) => i))
}

export function facesOf(near: readonly Neighbour[]): Neighbour[] {
  return near.filter((n) => n.off === 1)
}

/** Returns a function that scales sizes; the result is at least one byte. */
export function scaled(byteScale: number): (bytes: number) => number {
  return (bytes) => Math.max(1, Math.round(bytes * byteScale))
}
