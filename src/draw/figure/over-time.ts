// Layers over time: what each stream gets in each interval, and how full the buffers of each VL are.
import type { Table } from "../../model/experiment.ts"
import type { AreasFigure, CellsFigure } from "./figure.ts"

/** More intervals than this are too narrow to distinguish. Neighbouring intervals then share one, as their mean. */
const MOST = 250

const numbers = (table: Table, name: string): number[] => (table[name] ?? []).map(Number)

/** `series`: [name of a stream, its table of intervals]. Nothing for one stream. */
export function bandwidthOverTime(
  series: readonly (readonly [string, Table])[],
  id: string,
  title: string,
): AreasFigure | undefined {
  const longest = series.reduce(
    (most, [, t]) => (numbers(t, "time").length > most.length ? numbers(t, "time") : most),
    [] as number[],
  )
  if (series.length < 2 || longest.length < 2) return undefined
  const at = joined(longest, "last")
  return {
    kind: "areas",
    id,
    title,
    caption:
      "The height of a layer is the accepted load of its stream in each interval, " +
      "from the first cycle on; the upper edge is the total.",
    x: { label: "Time (cycles)" },
    y: { label: "Accepted load (fraction of an endpoint channel)" },
    at,
    // intervals at the end in which nothing of a stream arrives are not in its table
    layers: series.map(([name, t]) => ({
      name,
      values: joined(
        longest.map((_, i) => numbers(t, "accepted")[i] ?? 0),
        "mean",
      ),
    })),
  }
}

/** Rows of the table occupancy.vls. */
interface Lanes {
  readonly time: readonly number[]
  readonly router: readonly number[]
  readonly vl: readonly number[]
  readonly flits: readonly number[]
}

function lanesOf(table: Table): Lanes {
  const [input, output, centre] = ["input", "output", "centre"].map((name) => numbers(table, name)) as [
    number[],
    number[],
    number[],
  ]
  const flits = input.map((n, i) => n + output[i] + centre[i])
  return { time: numbers(table, "time"), router: numbers(table, "router"), vl: numbers(table, "vl"), flits }
}

const vlsOf = (vl: readonly number[]): number => vl.reduce((most, v) => Math.max(most, v + 1), 0)

/** The flits of each VL in all routers. */
export function fillOverTime(table: Table, id: string, title: string): AreasFigure | undefined {
  const { time, vl, flits } = lanesOf(table)
  const times = [...new Set(time)].sort((a, b) => a - b)
  if (times.length < 2) return undefined
  const place = new Map(times.map((t, i) => [t, i]))
  const sums = Array.from({ length: vlsOf(vl) }, () => times.map(() => 0))
  flits.forEach((n, i) => {
    sums[vl[i]][place.get(time[i])!] += n
  })
  return {
    kind: "areas",
    id,
    title,
    caption: "Flits in the buffers of all routers at the end of each interval, stacked by VL.",
    x: { label: "Time (cycles)" },
    y: { label: "Flits" },
    at: joined(times, "last"),
    layers: sums.map((values, v) => ({ name: `VL ${v}`, values: joined(values, "mean") })),
  }
}

/** Each VL of each router at its fullest: routers from left to right, VLs from top to bottom. */
export function fullest(table: Table, id: string, title: string): CellsFigure | undefined {
  const { time, router, vl, flits } = lanesOf(table)
  if (flits.length === 0) return undefined
  const best = new Map<string, number>()
  flits.forEach((n, i) => {
    const key = `${router[i]} ${vl[i]}`
    if (n > (flits[best.get(key) ?? -1] ?? 0)) best.set(key, i)
  })
  const cells = [...best.values()].map((i) => ({
    x: router[i],
    y: vl[i],
    value: flits[i],
    facts: [
      ["router", router[i]],
      ["VL", vl[i]],
      ["flits", flits[i]],
      ["time", time[i]],
    ] as const,
  }))
  return {
    kind: "cells",
    id,
    title,
    caption: "Maximum number of flits of each VL in the buffers of each router at the end of an interval.",
    x: { label: "Router" },
    y: { label: "VL" },
    columns: router.reduce((most, r) => Math.max(most, r + 1), 0),
    rows: vlsOf(vl),
    unit: "flits",
    max: cells.reduce((most, c) => Math.max(most, c.value), 0),
    cells,
  }
}

function joined(values: readonly number[], how: "mean" | "last"): number[] {
  const each = Math.ceil(values.length / MOST)
  return Array.from({ length: Math.ceil(values.length / each) }, (_, i) => {
    const part = values.slice(i * each, (i + 1) * each)
    return how === "last" ? part.at(-1)! : part.reduce((a, b) => a + b, 0) / part.length
  })
}
