// Which flows of an endpoint are active: a hash map in columns (open addressing, linear probing, deletion by shifting back), one for each endpoint, so that
// no two workers write the same words. A flow has a row as long as it is open: a record, whose first word is its destination, and in which a protocol keeps its
// words of the flow (`word`), so that whoever has found a flow has all of it near. Rows are used again, nothing is allocated while it runs, and memory that no
// flow ever used is never touched.

import { bitsFor } from "../core/bitset.ts"
import type { EndpointSite } from "../model/protocol.ts"

export interface Flows {
  /** row of the flow from endpoint row `e` to `to`; -1 if it is not open */
  find(e: number, to: number): number
  /** the same, opened if need be; -1 if the endpoint has no row left */
  open(e: number, to: number): number
  close(e: number, to: number): void
  /** flows of e that are open, and the destination of a row; -1 if it is free */
  count(e: number): number
  to(row: number): number
  /** rows of endpoint e that were ever used: from firstRow(e) up to endRow(e), `size` apart */
  firstRow(e: number): number
  endRow(e: number): number
  readonly size: number
  /** rows of endpoint e that were ever used */
  used(e: number): number
  /** [row] -> the n-th word of the protocol's own; not cleared when a row is used again */
  word(n: number): Int32Array
  readonly columns: Readonly<Record<string, Int32Array>>
}

/** Every open flow of the endpoints that there are: its number in the network, and its row. For fingerprints. */
export function eachFlow(site: EndpointSite, flows: Flows, visit: (key: number, row: number) => void): void {
  for (let e = 0; e < site.rows; e++) {
    if (site.outer(e) < 0) continue
    for (let row = flows.firstRow(e); row < flows.endRow(e); row += flows.size)
      if (flows.to(row) >= 0) visit(site.outer(e) * site.ends + flows.to(row), row)
  }
}

/** `most`: flows of one endpoint that can be open; `words`: that a protocol has of each. */
export function makeFlows(ends: number, most: number, column: (n: number) => Int32Array, words = 0): Flows {
  const PLACES = 2 ** bitsFor(2 * most)
  const MASK = PLACES - 1
  const SIZE = 1 + words
  // [e * PLACES + place] -> 1 + number of the row among those of its endpoint, 0 = none
  const places = column(ends * PLACES)
  // [row] -> destination + 1; of a free row - the number of the next free one, 0 if it is the last
  const records = column(ends * most * SIZE)
  const freeHead = column(ends)
  const fresh = column(ends)
  const open_ = column(ends)

  function home(to: number): number {
    return (Math.imul(to + 1, 0x9e3779b1) >>> 7) & MASK
  }

  /** Row of number n of endpoint e, counted from 1. */
  function rowOf(e: number, n: number): number {
    return (e * most + n - 1) * SIZE
  }

  /** Place of a destination, or the empty one where it would be. */
  function place(e: number, to: number): number {
    const base = e * PLACES
    let i = home(to)
    for (;;) {
      const n = places[base + i]!
      if (n === 0 || records[rowOf(e, n)] === to + 1) return base + i
      i = (i + 1) & MASK
    }
  }

  function find(e: number, to: number): number {
    const n = places[place(e, to)]!
    return n === 0 ? -1 : rowOf(e, n)
  }

  function open(e: number, to: number): number {
    const at = place(e, to)
    if (places[at] !== 0) return rowOf(e, places[at]!)
    let n = freeHead[e]!
    if (n !== 0) freeHead[e] = -records[rowOf(e, n)]!
    else {
      if (fresh[e] === most) return -1
      n = ++fresh[e]!
    }
    const row = rowOf(e, n)
    places[at] = n
    records[row] = to + 1
    open_[e]!++
    return row
  }

  function close(e: number, to: number): void {
    const base = e * PLACES
    let hole = place(e, to)
    const n = places[hole]!
    if (n === 0) return
    // those behind the hole that could stand in it move up
    for (let i = (hole - base + 1) & MASK; places[base + i] !== 0; i = (i + 1) & MASK) {
      const wants = home(records[rowOf(e, places[base + i]!)]! - 1)
      if (((i - wants) & MASK) < ((i - (hole - base)) & MASK)) continue
      places[hole] = places[base + i]!
      hole = base + i
    }
    places[hole] = 0
    records[rowOf(e, n)] = -freeHead[e]!
    freeHead[e] = n
    open_[e]!--
  }

  return {
    find,
    open,
    close,
    count: (e) => open_[e]!,
    to: (row) => (records[row]! > 0 ? records[row]! - 1 : -1),
    firstRow: (e) => e * most * SIZE,
    endRow: (e) => (e * most + fresh[e]!) * SIZE,
    size: SIZE,
    used: (e) => fresh[e]!,
    word: (n) => records.subarray(1 + n),
    columns: { places, records, freeHead, fresh, open: open_ },
  }
}
