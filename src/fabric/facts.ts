// Rows of facts (model/facts.ts): a ring for each partition, its own words alone. What a ring has lost is told by the last cycle of which it lost something.
import type { Watch } from "../model/probe.ts"
import { type Columns, i32, type Marks } from "./columns.ts"
import type { Layout } from "./layout.ts"

/** Words of a row: the cycle in which it was written, which never goes back within a ring; when it happened (an engine may know that ahead); kind; three ints. */
export const ROW = { written: 0, cycle: 1, kind: 2, first: 3, size: 6 } as const
/** Words about a ring: place of the next row; 1 if it has gone round; 1 + the last cycle of which a row was overwritten, 0 = none */
export const RING_OF_FACTS = { next: 0, full: 1, lost: 2, size: 4 } as const

export function factColumns(l: Layout, watch: Watch) {
  return { facts: i32(Math.max(1, l.parts * watch.facts * ROW.size)), factRings: i32(l.parts * RING_OF_FACTS.size) }
}

/** Of each ring the rows that were ever written. */
export function factMarks(watch: Watch, { factRings }: Columns): Marks {
  if (watch.facts === 0) return {}
  const used = new Int32Array(factRings!.length / RING_OF_FACTS.size)
  for (let p = 0; p < used.length; p++) used[p] = rowsIn(watch.facts, factRings!, p) * ROW.size
  return { facts: { room: watch.facts * ROW.size, used } }
}

/** Rows that the ring of a partition holds. */
export function rowsIn(room: number, rings: ArrayLike<number>, part: number): number {
  const at = part * RING_OF_FACTS.size
  return rings[at + RING_OF_FACTS.full] !== 0 ? room : rings[at + RING_OF_FACTS.next]!
}
