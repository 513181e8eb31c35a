// Places the entries in the table: the densest level first, each at the lowest offset where all its places are free.
// Distances are powers of two. Therefore this always succeeds if there are enough entries, and no level's entries are
// further apart than required.
import type { TableEntry } from "../../model/scheduler.ts"
import type { Configured } from "./search.ts"

/** An unused entry: weight 0 is skipped. */
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
    if (offset === undefined)
      throw new Error("A level does not fit into a table with enough entries. This is a bug in lacewing.")
    for (const [j, weight] of l.weights.entries()) table[offset + j * distance] = { queue: queue(l), weight }
  }
  return table.map((e) => e ?? NOBODY)
}
