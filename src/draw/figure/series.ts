// Which swept key is the x axis, and which points make one line.
import { estimate, isCarried, type Point, pointsOf } from "../../results/compare/points.ts"
import { pointKeys } from "../../results/order.ts"
import type { RunRecord } from "../../results/record.ts"
import { shortKey, shown } from "./format.ts"

export type Series = { readonly name: string; readonly points: readonly Point[] }
export type Arranged = {
  /** the swept key along x; undefined when nothing numeric is swept */
  readonly x: string | undefined
  readonly isLoad: boolean
  /** loads of several streams rise together: x is one of them */
  readonly together: boolean
  readonly series: readonly Series[]
}

export function arrange(records: readonly RunRecord[]): Arranged {
  const points = pointsOf(records)
  const x = axisKey(records)
  const others = pointKeys(records).filter((k) => k !== x && new Set(points.map((p) => p.point[k])).size > 1)
  const rising = x === undefined ? [] : others.filter((k) => isLoadKey(x) && isLoadKey(k) && oneToOne(points, x, k))
  const varying = others.filter((k) => !rising.includes(k))
  const lines = new Map<string, Point[]>()
  for (const p of points) {
    const name = lineName(p, varying)
    lines.set(name, [...(lines.get(name) ?? []), p])
  }
  const isLoad = x !== undefined && isLoadKey(x)
  const at = (p: Point): number => (x === undefined ? 0 : xOf(p, x, isLoad))
  return {
    x,
    isLoad,
    together: rising.length > 0,
    series: [...lines].map(([name, ps]) => ({ name, points: ps.sort((p, q) => at(p) - at(q)) })),
  }
}

/** Where a point lies: the load that the sources really offered, or the swept value. */
export function xOf(p: Point, key: string, isLoad: boolean): number {
  const swept = Number(p.point[key])
  return isLoad ? (estimate(p.runs, "offered")?.mean ?? swept) : swept
}

/** Where a point lies, in words. */
export function whereOf(p: Point, a: Arranged): string {
  if (a.x === undefined) return ""
  return a.together ? `load ${shown(xOf(p, a.x, a.isLoad))} in all` : `${shortKey(a.x)} ${p.point[a.x]}`
}

/** Two keys of one `zip`: each value of one comes with one of the other. */
function oneToOne(points: readonly Point[], a: string, b: string): boolean {
  const count = (of: (p: Point) => unknown): number => new Set(points.map(of)).size
  const pairs = count((p) => `${p.point[a]} ${p.point[b]}`)
  return pairs === count((p) => p.point[a]) && pairs === count((p) => p.point[b])
}

function isLoadKey(key: string): boolean {
  return shortKey(key) === "load"
}

/** The load, or else the number with the most values, three at least. */
function axisKey(records: readonly RunRecord[]): string | undefined {
  const counted = pointKeys(records)
    .filter((k) => records.every((r) => typeof r.point[k] === "number"))
    .map((k) => ({ k, values: new Set(records.map((r) => r.point[k])).size }))
  const load = counted.find(({ k, values }) => isLoadKey(k) && values > 1)
  return load?.k ?? counted.filter((c) => c.values > 2).sort((a, b) => b.values - a.values)[0]?.k
}

/** One varying key: its value alone. Several: `buffer 64, vcs 4` for numbers, the words as they are. */
function lineName(p: Point, varying: readonly string[]): string {
  if (varying.length === 0) return "all runs"
  return varying
    .map((k) => (typeof p.point[k] === "number" ? `${shortKey(k)} ${p.point[k]}` : String(p.point[k] ?? "–")))
    .join(", ")
}

/** The point of a line at which tables are worth a look: the highest that is carried. */
export function telling(series: Series): Point {
  return series.points.findLast(isCarried) ?? series.points[0]
}
