// When a rank was held back by others, and when it computed: in so many pieces of its time. Pieces become twice as long when time goes beyond the last.
import { BUSY, HELD_BACK, PIECE, PIECES, type RankColumns } from "./columns.ts"
import type { Words } from "./words.ts"

/** A piece is SHORTEST x 2^PIECE ps long; what lies in it is counted in parts of 2^-FINE of that. */
export const SHORTEST = 1e6
export const FINE = 16

export interface Timeline {
  /** From `since` to `t` rank was held back in a call (HELD_BACK), or it computed (BUSY). */
  add(rank: number, row: typeof HELD_BACK | typeof BUSY, since: number, t: number): void
}

export function makeTimeline(mem: Int32Array, { set, add }: Words, at: RankColumns): Timeline {
  const PARTS = 2 ** FINE
  // [PIECE] -> ps of a piece
  const lengths = Float64Array.from({ length: 64 }, (_, k) => SHORTEST * 2 ** k)
  /** Two pieces become one, of both rows. */
  function fold(r: number): void {
    set(r + PIECE, mem[r + PIECE]! + 1)
    foldRow(r + HELD_BACK)
    foldRow(r + BUSY)
  }
  function foldRow(row: number): void {
    for (let i = 0; i < PIECES; i++) set(row + i, i < PIECES / 2 ? (mem[row + 2 * i]! + mem[row + 2 * i + 1]!) >> 1 : 0)
  }

  return {
    add(rank, row, since, t) {
      const r = at.at[rank]!
      while (t >= PIECES * lengths[mem[r + PIECE]!]!) fold(r)
      const length = lengths[mem[r + PIECE]!]!
      const part = length / PARTS
      const last = Math.floor(t / length)
      for (let i = Math.floor(since / length); i <= last; i++) {
        const from = Math.max(since, i * length)
        const to = Math.min(t, (i + 1) * length)
        add(r + row + i, Math.round((to - from) / part))
      }
    },
  }
}
