// From a reference to the runs that it means: those of its variant and its conditions, in all experiments of the figure
// or in the ones that `in=` names. Several conditions on one key leave the runs that fulfil any of them.
import {
  grouped,
  type MeasuredRun,
  meanOf,
  overTime,
  type Point,
  type Series,
  scalarIfOne,
  type Value,
} from "./series.ts"

/** A condition with its values: a text, a number, or both ends of a range. */
export interface Wanted {
  readonly key: string
  readonly from: string | number
  readonly to?: number
}

export type Runs = Readonly<Record<string, readonly MeasuredRun[]>>

const near = 1e-9

function fulfils(value: string | number | undefined, { from, to }: Wanted): boolean {
  if (value === undefined) return false
  if (typeof from === "string") return String(value) === from
  const number = Number(value)
  return to === undefined ? Math.abs(number - from) < near : number >= from - near && number <= to + near
}

export function selected(runs: Runs, wanted: readonly Wanted[]): readonly MeasuredRun[] {
  const within = wanted.filter((w) => w.key === "in").map((w) => String(w.from))
  const rest = wanted.filter((w) => w.key !== "in" && w.key !== "time")
  const keys = [...new Set(rest.map((w) => w.key))]
  return Object.entries(runs)
    .filter(([name]) => within.length === 0 || within.includes(name))
    .flatMap(([, all]) => all)
    .filter((run) => keys.every((key) => rest.some((w) => w.key === key && fulfils(run.point[key], w))))
}

/** Returns the keys that have one value: points that differ in other keys alone make a series. */
function fixedBy(wanted: readonly Wanted[]): string[] {
  return wanted
    .filter((w) => w.to === undefined && wanted.filter((other) => other.key === w.key).length === 1)
    .map((w) => w.key)
}

/** Returns a value, or a swept key, at each point. */
export function measured(runs: Runs, name: string, wanted: readonly Wanted[]): Value {
  const groups = grouped(selected(runs, wanted), fixedBy(wanted))
  const of = (run: MeasuredRun) =>
    Object.hasOwn(run.point, name) ? Number(run.point[name]) : (run.result.values[name] ?? Number.NaN)
  return scalarIfOne({
    points: groups.map((g) => g.point),
    values: groups.map((g) => meanOf(g.runs.map(of))),
  })
}

/** Returns a column of a table over time, at each point. Conditions on `time` leave the intervals that lie within. */
export function overTimes(runs: Runs, table: string, column: string, wanted: readonly Wanted[]): Series {
  const times = wanted.filter((w) => w.key === "time")
  const inside = (t: number) => times.every((w) => t > Number(w.from) && t <= (w.to ?? Number.POSITIVE_INFINITY))
  const points: Point[] = []
  const values: number[] = []
  for (const group of grouped(selected(runs, wanted), fixedBy(wanted))) {
    const { time, value } = overTime(group.runs, table, column)
    time.forEach((t, i) => {
      if (!inside(t)) return
      points.push({ ...group.point, time: t })
      values.push(value[i])
    })
  }
  return { points, values }
}
