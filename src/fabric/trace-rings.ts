// Rings of trace events (model/trace-events.ts): one for each partition, so that workers write to separate words. A
// ring that overflows overwrites its oldest rows and records the last cycle that is incomplete. engines/flit/trace.ts
// writes the rows; run/ reads them.
import type { Watch } from "../model/probe.ts"
import { type Columns, i32, type Marks } from "./columns.ts"
import type { Layout } from "./layout.ts"

/**
 * Words of a row: cycle in which it was written, which never decreases within a ring; cycle of the event (an engine may
 * know it in advance); kind; three ints.
 */
export const ROW = { written: 0, cycle: 1, kind: 2, first: 3, size: 6 } as const
/**
 * Words of a ring: index of the next row; 1 if it has wrapped around; 1 + the last cycle of which a row was
 * overwritten, 0: none.
 */
export const TRACE_RING = { next: 0, full: 1, lost: 2, size: 4 } as const

export function traceColumns(l: Layout, watch: Watch) {
  return {
    traceRows: i32(Math.max(1, l.parts * watch.traceRows * ROW.size)),
    traceRings: i32(l.parts * TRACE_RING.size),
  }
}

/** Returns the rows of each ring that were ever written. */
export function traceMarks(watch: Watch, { traceRings }: Columns): Marks {
  if (watch.traceRows === 0) return {}
  const used = new Int32Array(traceRings!.length / TRACE_RING.size)
  for (let p = 0; p < used.length; p++) used[p] = rowsIn(watch.traceRows, traceRings!, p) * ROW.size
  return { traceRows: { capacity: watch.traceRows * ROW.size, used } }
}

/** Returns the number of rows in the ring of a partition. */
export function rowsIn(capacity: number, rings: ArrayLike<number>, part: number): number {
  const at = part * TRACE_RING.size
  return rings[at + TRACE_RING.full] !== 0 ? capacity : rings[at + TRACE_RING.next]
}
