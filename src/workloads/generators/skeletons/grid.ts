// Ranks on a grid of two or three directions, and the exchanges that skeletons of applications are made of.
import { type Complaint, complain } from "../../../core/complaint.ts"
import type { RankWriter } from "../../writer.ts"

export type Grid = readonly number[]

/** "10x10x10" as numbers; undefined if it is no grid of so many directions. */
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
  /** its direction, 0 to 26; that of the way back is 26 less it */
  readonly direction: number
  /** directions in which it lies off: 1 shares a face, 2 an edge, 3 a corner */
  readonly off: number
}

/** Those around a rank at a distance: 26, or fewer at the border of a grid that does not close. Nobody is a neighbour of itself. */
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

/** All receives, all sends, one wait. `bytes(off)`: of a message to a neighbour across a face (1), an edge (2), a corner (3). */
export function exchange(w: RankWriter, near: readonly Neighbour[], bytes: (off: number) => number, tag = 0): void {
  if (near.length === 0) return
  for (const [i, n] of near.entries()) w.irecv(n.rank, bytes(n.off), tag + 26 - n.direction, i)
  for (const [i, n] of near.entries()) w.isend(n.rank, bytes(n.off), tag + n.direction, near.length + i)
  w.wait(Array.from({ length: 2 * near.length }, (_, i) => i))
}

export function facesOf(near: readonly Neighbour[]): Neighbour[] {
  return near.filter((n) => n.off === 1)
}

/** Sizes under one scale: at least a byte. */
export function scaled(byteScale: number): (bytes: number) => number {
  return (bytes) => Math.max(1, Math.round(bytes * byteScale))
}
