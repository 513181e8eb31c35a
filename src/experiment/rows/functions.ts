// The functions of rows. Each gets values that are evaluated already; those of `saturation` are evaluated by name in
// evaluate.ts. A function of several points returns one number, and NaN where one of its values is NaN.
import { jain } from "../../core/stats.ts"
import { transientOf } from "../../core/transient.ts"
import { meanOf, type Series, type Value, valuesOf } from "./series.ts"

export interface RowFunction {
  readonly about: string
  /** fewest and most arguments */
  readonly takes: readonly [number, number]
  apply(args: readonly Value[]): number
}

const many = Number.POSITIVE_INFINITY
const all = (args: readonly Value[]): number[] => args.flatMap((a) => [...valuesOf(a)])
const first = (args: readonly Value[], i: number): number => valuesOf(args[i] ?? Number.NaN)[0] ?? Number.NaN

/** NaN without values, as with one that is NaN. */
const extreme = (of: (...values: number[]) => number) => (args: readonly Value[]) =>
  all(args).length === 0 ? Number.NaN : of(...all(args))

const byRatio = (value: number, from: number): number => Math.max(value / from, from / value)

/** Around an event at a time: a fifth of the time before it is warm-up. */
function around(value: Value | undefined, at: number) {
  if (value === undefined || typeof value === "number") return undefined
  const series: Series = value
  const times = series.points.map((p) => Number(p["time"]))
  const event = times.filter((t) => t <= at).length
  const got = transientOf(series.values, event, Math.floor(event / 5))
  return { ...got, settled: Math.min(got.settled, series.values.length - event), interval: times[0] ?? Number.NaN }
}

export const functions: Readonly<Record<string, RowFunction>> = {
  max: { about: "largest value", takes: [1, many], apply: extreme(Math.max) },
  min: { about: "smallest value", takes: [1, many], apply: extreme(Math.min) },
  sum: { about: "sum of all values", takes: [1, many], apply: (args) => all(args).reduce((a, b) => a + b, 0) },
  mean: { about: "mean of all values", takes: [1, many], apply: (args) => meanOf(all(args)) },
  count: { about: "number of values", takes: [1, many], apply: (args) => all(args).length },
  first: { about: "value at the first point", takes: [1, 1], apply: (args) => first(args, 0) },
  last: { about: "value at the last point", takes: [1, 1], apply: (args) => valuesOf(args[0]).at(-1) ?? Number.NaN },
  abs: { about: "value without its sign", takes: [1, 1], apply: (args) => Math.abs(first(args, 0)) },
  floor: { about: "largest integer that is not greater", takes: [1, 1], apply: (args) => Math.floor(first(args, 0)) },
  ceil: { about: "smallest integer that is not smaller", takes: [1, 1], apply: (args) => Math.ceil(first(args, 0)) },
  rising: {
    about: "how many of the values are greater than the one before",
    takes: [2, many],
    apply: (args) => all(args).filter((v, i, list) => i > 0 && v > list[i - 1]).length,
  },
  jain: {
    about: "Jain's fairness index: 1 if all values are equal, 1/n if one has everything",
    takes: [1, many],
    apply: (args) => jain(all(args)),
  },
  farthest: {
    about: "the value whose ratio to the second argument is farthest from 1, up or down",
    takes: [2, 2],
    apply(args) {
      const [values, from] = [valuesOf(args[0]), first(args, 1)]
      if (values.length === 0 || values.some((v) => Number.isNaN(v))) return Number.NaN
      return values.reduce((far, v) => (byRatio(v, from) > byRatio(far, from) ? v : far), from)
    },
  },
  settling: {
    about:
      "cycles from an event, whose time is the second argument, until means of ten intervals stay within 10 % of " +
      "the level before it for twenty intervals; all that is left of the run if they do not",
    takes: [2, 2],
    apply(args) {
      const got = around(args[0], first(args, 1))
      return got === undefined ? Number.NaN : got.settled * got.interval
    },
  },
  peak: {
    about: "largest interval after an event, whose time is the second argument",
    takes: [2, 2],
    apply: (args) => around(args[0], first(args, 1))?.peak ?? Number.NaN,
  },
}

/** How `saturation` is written and what it means. */
export const saturationInfo = {
  about:
    "the lowest load that is not carried, or the highest one if all are; a load is carried if at least the part " +
    "`delivered` (default 0.97) arrives, with less than `latency` (default 6) times the mean latency of the lowest " +
    "load; `stream` names a traffic stream, and `reference` the variant whose latency counts (default: the same)",
  delivered: 0.97,
  latency: 6,
} as const
