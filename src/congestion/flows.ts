// The active flows of each endpoint: a hash map in columns, one for each endpoint, so that two workers never write to
// the same words. It uses open addressing with linear probing and deletion by backward shift. An open flow has a row: a
// record whose first word is the destination, followed by the protocol's words of the flow (`word`). A protocol that
// has found a flow thus has all of its state in one place. Rows are reused, nothing is allocated during a run, and
// memory that no flow ever used is never touched. Most congestion protocols use it, directly or through windows.ts.

import { bitsFor } from "../core/bitset.ts"
import type { EndpointSite } from "../model/protocol.ts"

export interface Flows {
  /** Returns the row of the flow from endpoint row `e` to `to`; -1 if it is not open. */
  find(e: number, to: number): number
  /** The same; opens the flow if necessary. Returns -1 if the endpoint has no free row. */
  open(e: number, to: number): number
  close(e: number, to: number): void
  /** number of open flows of e; destination of a row, -1 if it is free */
  count(e: number): number
  to(row: number): number
  /** rows of endpoint e that were ever used: from firstRow(e) to endRow(e) (exclusive), `size` words apart */
  firstRow(e: number): number
  endRow(e: number): number
  readonly size: number
  /** number of rows of endpoint e that were ever used */
  used(e: number): number
  /** [row] -> the protocol's n-th word; not cleared when a row is reused */
  word(n: number): Int32Array
  readonly columns: Readonly<Record<string, Int32Array>>
}

/** Visits every open flow: its number in the network, and its row. Fingerprints use it. */
export function eachFlow(site: EndpointSite, flows: Flows, visit: (key: number, row: number) => void): void {
  for (let e = 0; e < site.rows; e++) {
    if (site.outer(e) < 0) continue
    for (let row = flows.firstRow(e); row < flows.endRow(e); row += flows.size)
      if (flows.to(row) >= 0) visit(site.outer(e) * site.ends + flows.to(row), row)
  }
}

/** `most`: maximum number of open flows of one endpoint; `words`: protocol words of each flow. */
export function makeFlows(ends: number, most: number, column: (n: number) => Int32Array, words = 0): Flows {
  // A load factor of at most 1/2 keeps probe sequences short.
  const PLACES = 2 ** bitsFor(2 * most)
  const MASK = PLACES - 1
  const SIZE = 1 + words
  // [e * PLACES + place] -> 1 + number of the row within its endpoint, 0: empty
  const places = column(ends * PLACES)
  // [row] -> destination + 1; for a free row, minus the number of the next free one, 0 if it is the last
  const records = column(ends * most * SIZE)
  const freeHead = column(ends)
  const fresh = column(ends)
  const open_ = column(ends)

  /** Returns the preferred slot of a destination (multiplicative hashing). */
  function home(to: number): number {
    return (Math.imul(to + 1, 0x9e3779b1) >>> 7) & MASK
  }

  /** Returns the row with number n of endpoint e, counted from 1. */
  function rowOf(e: number, n: number): number {
    return (e * most + n - 1) * SIZE
  }

  /** Returns the slot of a destination, or the empty slot where it would be inserted. */
  function place(e: number, to: number): number {
    const base = e * PLACES
    let i = home(to)
    for (;;) {
      const n = places[base + i]
      if (n === 0 || records[rowOf(e, n)] === to + 1) return base + i
      i = (i + 1) & MASK
    }
  }

  function find(e: number, to: number): number {
    const n = places[place(e, to)]
    return n === 0 ? -1 : rowOf(e, n)
  }

  function open(e: number, to: number): number {
    const at = place(e, to)
    if (places[at] !== 0) return rowOf(e, places[at])
    let n = freeHead[e]
    if (n !== 0) freeHead[e] = -records[rowOf(e, n)]
    else {
      if (fresh[e] === most) return -1
      n = ++fresh[e]
    }
    const row = rowOf(e, n)
    places[at] = n
    records[row] = to + 1
    open_[e]++
    return row
  }

  function close(e: number, to: number): void {
    const base = e * PLACES
    let hole = place(e, to)
    const n = places[hole]
    if (n === 0) return
    // Backward shift: each later entry whose preferred slot is not after the gap moves into it. No tombstones are
    // needed.
    for (let i = (hole - base + 1) & MASK; places[base + i] !== 0; i = (i + 1) & MASK) {
      const wants = home(records[rowOf(e, places[base + i])] - 1)
      if (((i - wants) & MASK) < ((i - (hole - base)) & MASK)) continue
      places[hole] = places[base + i]
      hole = base + i
    }
    places[hole] = 0
    records[rowOf(e, n)] = -freeHead[e]
    freeHead[e] = n
    open_[e]--
  }

  return {
    find,
    open,
    close,
    count: (e) => open_[e],
    to: (row) => (records[row] > 0 ? records[row] - 1 : -1),
    firstRow: (e) => e * most * SIZE,
    endRow: (e) => (e * most + fresh[e]) * SIZE,
    size: SIZE,
    used: (e) => fresh[e],
    word: (n) => records.subarray(1 + n),
    columns: { places, records, freeHead, fresh, open: open_ },
  }
}
