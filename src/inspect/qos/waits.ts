// The worst-case wait of a queue with an arbitration table: the bytes that all other backlogged queues can send between
// one of its entries and the next.
import { WEIGHT_BYTES } from "../../model/arbitration.ts"
import type { TableEntry } from "../../model/scheduler.ts"

/**
 * Returns [queue] -> the maximum of bytes that others send between the moment its head could leave and the moment it
 * leaves, with a deficit table; Infinity for a queue without an entry. `largest`: [queue] -> bytes of its largest
 * message; `step`: sizes are multiples of this many bytes. Each entry's weight must hold the largest message of its
 * queue. Otherwise a visit may send nothing and the wait has more rounds.
 *
 * In one gap a queue sends its weights there plus its saved deficit, which is less than a message.
 */
export function worstWaits(table: readonly TableEntry[], largest: ArrayLike<number>, step: number): Float64Array {
  const queues = largest.length
  const waits = new Float64Array(queues).fill(Number.POSITIVE_INFINITY)
  for (let q = 0; q < queues; q++) {
    const own = table.flatMap((e, i) => (e.queue === q && e.weight > 0 ? [i] : []))
    if (own.length === 0) continue
    waits[q] = Math.max(...own.map((e, i) => gap(table, largest, step, e, own[(i + 1) % own.length])))
  }
  return waits
}

/**
 * Returns the maximum of bytes that others send between two entries of a queue: all weights in between, plus the
 * largest saved deficit of each queue that has an entry there.
 */
function gap(
  table: readonly TableEntry[],
  largest: ArrayLike<number>,
  step: number,
  first: number,
  last: number,
): number {
  const met = new Set<number>()
  let bytes = 0
  for (let e = (first + 1) % table.length; e !== last; e = (e + 1) % table.length) {
    const { queue, weight } = table[e]
    bytes += weight * WEIGHT_BYTES
    if (weight > 0) met.add(queue)
  }
  for (const queue of met) bytes += largest[queue] - step
  return bytes
}
