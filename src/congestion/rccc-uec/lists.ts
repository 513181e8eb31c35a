// First-in, first-out lists of rows, one for each endpoint.
import type { EndpointSite } from "../../model/protocol.ts"

export interface List {
  /** [2 e] -> first row + 1, [2 e + 1] -> last row + 1 */
  readonly ends: Int32Array
  head(e: number): number
  after(row: number): number
  push(e: number, row: number): void
  pop(e: number): number
}

export interface Ring {
  readonly columns: Readonly<Record<string, Int32Array>>
  length(e: number): number
  at(e: number, n: number): number
  /** Returns false if there is no place. */
  push(e: number, row: number): boolean
  pop(e: number): number
}

/** FIFOs in which a row may be several times; `places`: those of one endpoint. */
export function makeRing({ rows, column }: EndpointSite, places: number): Ring {
  const ring = column(rows * places)
  const first = column(rows)
  const length = column(rows)
  const at = (e: number, n: number): number => e * places + ((first[e] + n) % places)
  return {
    columns: { "idle.rows": ring, "idle.first": first, "idle.length": length },
    length: (e) => length[e],
    at: (e, n) => ring[at(e, n)],
    push(e, row) {
      if (length[e] === places) return false
      ring[at(e, length[e]++)] = row
      return true
    },
    pop(e) {
      const row = ring[at(e, 0)]
      first[e] = (first[e] + 1) % places
      length[e]--
      return row
    },
  }
}

/** FIFOs of rows, one for each endpoint, linked through a word of the rows. */
export function makeList({ rows, column }: EndpointSite, link: Int32Array): List {
  const ends = column(2 * rows)
  return {
    ends,
    head: (e) => ends[2 * e] - 1,
    after: (row) => link[row] - 1,
    push(e, row) {
      link[row] = 0
      if (ends[2 * e] === 0) ends[2 * e] = row + 1
      else link[ends[2 * e + 1] - 1] = row + 1
      ends[2 * e + 1] = row + 1
    },
    pop(e) {
      const row = ends[2 * e] - 1
      ends[2 * e] = link[row]
      return row
    },
  }
}
