// Bit sets of queues (31 in a word) and of table entries (64 in two words). With them the next entry is found in one or
// two instructions, however long the table is. The schedulers of this folder share them.
import { MOST_ENTRIES, WEIGHT_BYTES } from "../model/arbitration.ts"
import type { TableEntry } from "../model/scheduler.ts"

/** Returns the number of the lowest bit that is set; at least one bit is set. */
export function lowest(bits: number): number {
  return 31 - Math.clz32(bits & -bits)
}

/** Returns the first bit from `first` (0 to 31) on, otherwise the lowest of all: round robin. At least one bit is
 *  set. */
export function from(bits: number, first: number): number {
  const above = bits & (-1 << first)
  return lowest(above !== 0 ? above : bits)
}

/** Does the same for the entries of a table, `low` for 0 to 31 and `high` for 32 to 63; `first` is 0 to 64, and at
 *  least one bit is set. */
export function entryFrom(low: number, high: number, first: number): number {
  if (first < 32) {
    const above = low & (-1 << first)
    if (above !== 0) return lowest(above)
    return high !== 0 ? 32 + lowest(high) : lowest(low)
  }
  const above = first < 64 ? high & (-1 << (first - 32)) : 0
  if (above !== 0) return 32 + lowest(above)
  return low !== 0 ? lowest(low) : 32 + lowest(high)
}

/** A table as columns, constant during a run. */
export interface Entries {
  /** [entry] -> its queue, and its weight in bytes */
  readonly queueOf: Int32Array
  readonly bytesOf: Int32Array
  /** [queue] -> bits of its entries that have a weight */
  readonly low: Int32Array
  readonly high: Int32Array
  /** bits of the queues that have one */
  readonly serves: number
}

/** Returns the columns of a table. An entry of weight 0 is never served, as in InfiniBand. */
export function entriesOf(table: readonly TableEntry[]): Entries {
  if (table.length > MOST_ENTRIES) throw new Error(`a table has ${table.length} entries and can have ${MOST_ENTRIES}`)
  const queueOf = new Int32Array(MOST_ENTRIES)
  const bytesOf = new Int32Array(MOST_ENTRIES)
  const low = new Int32Array(32)
  const high = new Int32Array(32)
  let serves = 0
  for (let e = 0; e < table.length; e++) {
    const { queue, weight } = table[e]
    queueOf[e] = queue
    bytesOf[e] = weight * WEIGHT_BYTES
    if (weight === 0) continue
    serves |= 1 << queue
    if (e < 32) low[queue] |= 1 << e
    else high[queue] |= 1 << (e - 32)
  }
  return { queueOf, bytesOf, low, high, serves }
}
