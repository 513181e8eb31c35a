// Bits of queues (31 of them in a word) and of table entries (64 in two words): who is next is one or two instructions, however long the table.
import { MOST_ENTRIES, WEIGHT_BYTES } from "../model/arbitration.ts"
import type { TableEntry } from "../model/scheduler.ts"

/** Number of the lowest bit that is set; `bits` has one. */
export function lowest(bits: number): number {
  return 31 - Math.clz32(bits & -bits)
}

/** The first bit from `first` (0 to 31) on, else the lowest of all: round robin; `bits` has one. */
export function from(bits: number, first: number): number {
  const above = bits & (-1 << first)
  return lowest(above !== 0 ? above : bits)
}

/** The same over the entries of a table, `low` for 0 to 31 and `high` for 32 to 63; `first` is 0 to 64, and one bit is set at least. */
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

/** A table as columns; constant while cycles run. */
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

export function entriesOf(table: readonly TableEntry[]): Entries {
  if (table.length > MOST_ENTRIES) throw new Error(`a table has ${table.length} entries and can have ${MOST_ENTRIES}`)
  const queueOf = new Int32Array(MOST_ENTRIES)
  const bytesOf = new Int32Array(MOST_ENTRIES)
  const low = new Int32Array(32)
  const high = new Int32Array(32)
  let serves = 0
  for (let e = 0; e < table.length; e++) {
    const { queue, weight } = table[e]!
    queueOf[e] = queue
    bytesOf[e] = weight * WEIGHT_BYTES
    if (weight === 0) continue
    serves |= 1 << queue
    if (e < 32) low[queue]! |= 1 << e
    else high[queue]! |= 1 << (e - 32)
  }
  return { queueOf, bytesOf, low, high, serves }
}
