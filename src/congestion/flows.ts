// Which flows of an endpoint are active: a hash map in columns (open addressing, linear probing, deletion by shifting back), one for each endpoint, so that
// no two workers write the same words. A flow has a row as long as it is open; a protocol keeps its words of the flow in columns of its own at that row.
// Rows are used again, nothing is allocated while it runs, and memory that no flow ever used is never touched.

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
  /** rows of endpoint e: [firstRow(e), firstRow(e) + used(e)) were ever used */
  firstRow(e: number): number
  used(e: number): number
  /** rows in all */
  readonly rows: number
  readonly columns: Readonly<Record<string, Int32Array>>
}

/** Every open flow of the endpoints that there are: its number in the network, and its row. For fingerprints. */
export function eachFlow(site: EndpointSite, flows: Flows, visit: (key: number, row: number) => void): void {
  for (let e = 0; e < site.rows; e++) {
    if (site.outer(e) < 0) continue
    for (let row = flows.firstRow(e); row < flows.firstRow(e) + flows.used(e); row++)
      if (flows.to(row) >= 0) visit(site.outer(e) * site.ends + flows.to(row), row)
  }
}

/** `most`: flows of one endpoint that can be open. */
export function makeFlows(ends: number, most: number, column: (n: number) => Int32Array): Flows {
  const SIZE = 2 ** bitsFor(2 * most)
  const MASK = SIZE - 1
  // [e * SIZE + place] -> destination + 1, 0 = none; its row
  const keys = column(ends * SIZE)
  const rowAt = column(ends * SIZE)
  // [row] -> destination + 1, or 0 and the next free row + 1
  const dest = column(ends * most)
  const next = column(ends * most)
  const freeHead = column(ends)
  const fresh = column(ends)
  const open_ = column(ends)

  function home(to: number): number {
    return (Math.imul(to + 1, 0x9e3779b1) >>> 7) & MASK
  }

  /** Place of a destination, or the empty one where it would be. */
  function place(base: number, to: number): number {
    let i = home(to)
    while (keys[base + i] !== 0 && keys[base + i] !== to + 1) i = (i + 1) & MASK
    return base + i
  }

  function find(e: number, to: number): number {
    const at = place(e * SIZE, to)
    return keys[at] === 0 ? -1 : rowAt[at]!
  }

  function open(e: number, to: number): number {
    const at = place(e * SIZE, to)
    if (keys[at] !== 0) return rowAt[at]!
    let row = freeHead[e]! - 1
    if (row >= 0) freeHead[e] = next[row]!
    else {
      if (fresh[e] === most) return -1
      row = e * most + fresh[e]!++
    }
    keys[at] = to + 1
    rowAt[at] = row
    dest[row] = to + 1
    open_[e]!++
    return row
  }

  function close(e: number, to: number): void {
    const base = e * SIZE
    let hole = place(base, to)
    if (keys[hole] === 0) return
    const row = rowAt[hole]!
    dest[row] = 0
    next[row] = freeHead[e]!
    freeHead[e] = row + 1
    open_[e]!--
    // those behind the hole that could stand in it move up
    for (let i = (hole - base + 1) & MASK; keys[base + i] !== 0; i = (i + 1) & MASK) {
      const wants = home(keys[base + i]! - 1)
      if (((i - wants) & MASK) < ((i - (hole - base)) & MASK)) continue
      keys[hole] = keys[base + i]!
      rowAt[hole] = rowAt[base + i]!
      hole = base + i
    }
    keys[hole] = 0
  }

  return {
    find,
    open,
    close,
    count: (e) => open_[e]!,
    to: (row) => dest[row]! - 1,
    firstRow: (e) => e * most,
    used: (e) => fresh[e]!,
    rows: ends * most,
    columns: { keys, rowAt, dest, next, freeHead, fresh, open: open_ },
  }
}
