// The timeline of a rank: how long it was blocked and how long it computed, in PIECES intervals. The length of the run
// is unknown in advance. Therefore the intervals double in length (and neighbours are merged) when the time exceeds the
// last one. The memory is constant and the relative resolution stays above 1/32.
import { BUSY, HELD_BACK, PIECE, PIECES, type RankColumns } from "./columns.ts"
import type { Words } from "./words.ts"

/**
 * An interval is SHORTEST x 2^PIECE ps long. Time within it is counted in units of 2^-FINE of its length, so a count
 * fits a word.
 */
export const SHORTEST = 1e6
export const FINE = 16

export interface Timeline {
  /** Adds the interval from `since` to `t`, in which the rank was blocked in a call (HELD_BACK) or computed (BUSY). */
  add(rank: number, row: typeof HELD_BACK | typeof BUSY, since: number, t: number): void
}

export function makeTimeline(mem: Int32Array, { set, add }: Words, { at }: Pick<RankColumns, "at">): Timeline {
  const PARTS = 2 ** FINE
  // [PIECE] -> length of an interval in ps
  const lengths = Float64Array.from({ length: 64 }, (_, k) => SHORTEST * 2 ** k)
  /** Doubles the length of the intervals: merges neighbours in both rows. */
  function fold(r: number): void {
    set(r + PIECE, mem[r + PIECE] + 1)
    foldRow(r + HELD_BACK)
    foldRow(r + BUSY)
  }
  /** The mean of two counts is the count of the merged interval, because the unit doubles as well. */
  function foldRow(row: number): void {
    for (let i = 0; i < PIECES; i++) set(row + i, i < PIECES / 2 ? (mem[row + 2 * i] + mem[row + 2 * i + 1]) >> 1 : 0)
  }

  return {
    add(rank, row, since, t) {
      const r = at[rank]
      while (t >= PIECES * lengths[mem[r + PIECE]]) fold(r)
      const length = lengths[mem[r + PIECE]]
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
