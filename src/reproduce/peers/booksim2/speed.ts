// The recorded speed of BookSim2 (speed.tsv). `lacewing bench booksim2` compares with it when no BookSim2 program is
// given.
import { readRecorded } from "../recorded.ts"

/** Returns the flit-hops per user CPU second of BookSim2 for the recorded run `id`. */
export function recordedSpeed(id: string): number {
  const row = readRecorded("booksim2/speed.tsv", ["id", "rate"]).find((r) => r.id === id)
  if (row === undefined) throw new Error(`no recorded speed of ${id}`)
  return Number(row.rate)
}
