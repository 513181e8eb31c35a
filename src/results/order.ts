// The order in which runs are shown and exported: by point (numbers as numbers), then seed, whatever order they
// finished in.
import type { RunRecord } from "./record.ts"

type Point = RunRecord["point"]

export function sortRecords(records: readonly RunRecord[]): RunRecord[] {
  const byHash = [...records].sort((a, b) => compareCells(a.hash, b.hash))
  const keys = pointKeys(byHash)
  return byHash.sort((a, b) => comparePoints(a.point, b.point, keys) || a.seed - b.seed)
}

/** Swept keys of all records, in the order of the file. */
export function pointKeys(records: readonly { readonly point: Point }[]): string[] {
  const keys = new Set<string>()
  for (const r of records) for (const key of Object.keys(r.point)) keys.add(key)
  return [...keys]
}

export function comparePoints(a: Point, b: Point, keys: readonly string[]): number {
  for (const key of keys) {
    const order = compareCells(a[key], b[key])
    if (order !== 0) return order
  }
  return 0
}

/** Numbers by size, then texts by code unit so that every machine agrees, then what is absent. */
function compareCells(a: string | number | undefined, b: string | number | undefined): number {
  const kind = (c: string | number | undefined): number => (typeof c === "number" ? 0 : typeof c === "string" ? 1 : 2)
  if (typeof a === "number" && typeof b === "number") return a - b
  if (typeof a === "string" && typeof b === "string") return a < b ? -1 : a > b ? 1 : 0
  return kind(a) - kind(b)
}

/** The name of a point: equal for equal swept values, whatever the order of the keys. */
export function pointKey(point: Point): string {
  return JSON.stringify(Object.entries(point).sort(([a], [b]) => (a < b ? -1 : 1)))
}
