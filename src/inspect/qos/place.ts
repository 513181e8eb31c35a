// Where the entries lie: the densest level first, each on the lowest offset that leaves all its places free. Distances are powers of two, so this always
// succeeds where there are entries enough, and no level's entries are further apart than it wished.
import type { TableEntry } from "../../model/scheduler.ts"
import type { Configured } from "./search.ts"

/** An entry of nobody: weight 0 is skipped. */
const NOBODY: TableEntry = { queue: 0, weight: 0 }

/** `queue`: the number by which the table names a level. */
export function place(levels: readonly Configured[], entries: number, queue: (of: Configured) => number): TableEntry[] {
  const table: (TableEntry | undefined)[] = new Array(entries).fill(undefined)
  const densest = levels.map((l, i) => ({ l, i })).sort((a, b) => a.l.level.distance - b.l.level.distance || a.i - b.i)
  for (const { l } of densest) {
    const { distance } = l.level
    const offset = Array.from({ length: distance }, (_, o) => o).find((o) =>
      l.weights.every((_, j) => table[o + j * distance] === undefined),
    )
    if (offset === undefined) throw new Error("a table that has entries enough has no place for a level")
    for (const [j, weight] of l.weights.entries()) table[offset + j * distance] = { queue: queue(l), weight }
  }
  return table.map((e) => e ?? NOBODY)
}
