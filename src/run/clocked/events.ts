// Merges the trace events of all partitions into one list, sorted by cycle, kind and arguments. The list is the same
// for any number of partitions. Each partition writes to a ring buffer of `watch.traceRows` rows. If a ring has
// overwritten rows, or if all rings together hold more rows than one ring, the list contains only the last complete
// cycles that fit into one ring. This makes the list of a parallel run equal to that of a single-threaded run.
import type { ClockedEngine } from "../../engines/flit/clocked.ts"
import { ROW, rowsIn, TRACE_RING } from "../../fabric/trace-rings.ts"
import type { Events } from "../../model/probe.ts"

type Written = {
  readonly columns: Pick<ClockedEngine["columns"], "traceRows" | "traceRings">
  readonly constants: Pick<ClockedEngine["constants"], "watch">
  readonly parts: number
}

/** Returns the merged events; `from` is the first cycle that is complete. */
export function eventsOf({ columns, constants, parts }: Written): Events {
  const { traceRows, traceRings } = columns
  const capacity = constants.watch.traceRows
  // A ring that lost rows is complete only after the last cycle that it lost.
  let from = 0
  for (let p = 0; p < parts; p++) from = Math.max(from, traceRings[p * TRACE_RING.size + TRACE_RING.lost])
  let places: number[] = []
  for (let p = 0; p < parts; p++)
    for (let i = 0, at = p * capacity * ROW.size; i < rowsIn(capacity, traceRings, p); i++, at += ROW.size)
      if (traceRows[at] >= from) places.push(at)
  places.sort((x, y) => traceRows[x] - traceRows[y])
  if (places.length > capacity) {
    // The cycle of the first row that does not fit is incomplete, so it is removed with everything before it.
    from = traceRows[places[places.length - capacity - 1]] + 1
    places = places.filter((at) => traceRows[at] >= from)
  }
  // Rows of one cycle are sorted by all words: partitions write them in an order that depends on the partition.
  places.sort((x, y) => {
    for (let w: number = ROW.cycle; w < ROW.size; w++)
      if (traceRows[x + w] !== traceRows[y + w]) return traceRows[x + w] - traceRows[y + w]
    return 0
  })
  const word = (w: number) => Int32Array.from(places, (at) => traceRows[at + w])
  return {
    from,
    cycle: word(ROW.cycle),
    kind: word(ROW.kind),
    a: word(ROW.first),
    b: word(ROW.first + 1),
    c: word(ROW.first + 2),
  }
}
