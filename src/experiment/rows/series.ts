// Values at several points: what a reference means that leaves a swept key open. Each value is the mean over the seeds
// of its point.

/** The part of a finished run that rows read. */
export interface MeasuredRun {
  readonly point: Readonly<Record<string, string | number>>
  readonly spec?: { readonly measure: { readonly drain: string } }
  readonly result: {
    readonly why?: string
    readonly values: Readonly<Record<string, number>>
    readonly tables: Readonly<Record<string, Readonly<Record<string, ArrayLike<number | string>>>>>
  }
}

export type Point = Readonly<Record<string, string | number>>
export interface Series {
  readonly points: readonly Point[]
  readonly values: readonly number[]
}
export type Value = number | Series

export const valuesOf = (value: Value): readonly number[] => (typeof value === "number" ? [value] : value.values)

/** Applies an operation point by point. Series of different lengths have no common points, so the result is NaN. */
export function combined(left: Value, right: Value, apply: (a: number, b: number) => number): Value {
  if (typeof left === "number" && typeof right === "number") return apply(left, right)
  if (typeof left === "number") return mapped(right, (b) => apply(left, b))
  if (typeof right === "number") return mapped(left, (a) => apply(a, right))
  if (left.values.length !== right.values.length) return Number.NaN
  return { points: left.points, values: left.values.map((a, i) => apply(a, right.values[i])) }
}

export function mapped(value: Value, apply: (a: number) => number): Value {
  return typeof value === "number" ? apply(value) : { points: value.points, values: value.values.map((v) => apply(v)) }
}

/** Returns the mean; NaN without values. */
export function meanOf(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0) / values.length
}

export const none: Series = { points: [], values: [] }

/** Returns one value as a number, none as NaN, several as a series. */
export function scalarIfOne(series: Series): Value {
  if (series.values.length === 0) return Number.NaN
  return series.values.length === 1 ? series.values[0] : series
}

/**
 * Returns groups of runs with the same point, without the keys of `fixed`. They are in ascending order of the key that
 * is left if this is a single one with numbers, else in the order of the runs.
 */
export function grouped<R extends MeasuredRun>(
  runs: readonly R[],
  fixed: readonly string[],
): { readonly point: Point; readonly runs: readonly R[] }[] {
  const groups = new Map<string, { point: Point; runs: R[] }>()
  for (const run of runs) {
    const point = Object.fromEntries(Object.entries(run.point).filter(([key]) => !fixed.includes(key)))
    const name = JSON.stringify(point)
    const group = groups.get(name)
    if (group === undefined) groups.set(name, { point, runs: [run] })
    else group.runs.push(run)
  }
  const all = [...groups.values()]
  const keys = new Set(all.flatMap((g) => Object.keys(g.point)))
  const [key] = keys
  if (keys.size !== 1 || all.some((g) => typeof g.point[key] !== "number")) return all
  return all.sort((a, b) => Number(a.point[key]) - Number(b.point[key]))
}

/** Returns a column of a table over time: at each interval the mean over the runs that have a number there. */
export function overTime(
  runs: readonly MeasuredRun[],
  table: string,
  column: string,
): { readonly time: readonly number[]; readonly value: readonly number[] } {
  const of = (r: MeasuredRun, name: string) => Array.from(r.result.tables[table]?.[name] ?? [], Number)
  const time = runs.map((r) => of(r, "time")).reduce((a, b) => (b.length > a.length ? b : a), [])
  const values = runs.map((r) => of(r, column))
  const value = time.map((_, i) => meanOf(values.map((v) => v[i]).filter((v) => Number.isFinite(v))))
  return { time, value }
}
