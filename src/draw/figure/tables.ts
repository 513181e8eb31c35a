// Figures of the tables that probes write: distribution, time series, load of every channel, occupancy of routers,
// traffic between groups, components of the latency. Each is drawn for the representative point of each line: the
// highest load that is not saturated, first seed.
import type { Table } from "../../model/experiment.ts"
import type { RunRecord } from "../../results/record.ts"
import { topologyOf } from "../topology/specified.ts"
import { attribution } from "./attribution.ts"
import { standingLines, waitsLines } from "./blocked-queues.ts"
import { channelCells } from "./channels.ts"
import { declaredFigures } from "./declared.ts"
import type { CellsFigure, Figure, Line, LinesFigure, Mark } from "./figure.ts"
import { callsStack, operationSpans, sizesLines, timelineCells } from "./jobs.ts"
import { occupancyCells } from "./occupancy.ts"
import { bandwidthOverTime, fillOverTime, fullest } from "./over-time.ts"
import { type Arranged, type Series, telling, whereOf } from "./series.ts"
import { runTree } from "./tree.ts"

/** More maps than this are clutter: the first lines are shown. */
const MAPS = 4

type Shown = { readonly series: Series; readonly run: RunRecord; readonly where: string; readonly table: Table }

export function tableFigures(a: Arranged): Figure[] {
  const having = (name: string): Shown[] =>
    a.series.flatMap((series) => {
      const point = telling(series)
      const run = point.runs.find((r) => r.result.tables[name] !== undefined)
      return run === undefined ? [] : [{ series, run, where: whereOf(point, a), table: run.result.tables[name] }]
    })
  const found: (Figure | undefined)[] = [
    cdf(having("latency.histogram")),
    ...timeSeries(having("series"), "series", "Mean of each interval, from the first cycle on."),
    ...streamSeries(a).flatMap((stream) =>
      timeSeries(having(`${stream}.series`), "series", "Mean of each interval, from the first cycle on.", stream),
    ),
    ...timeSeries(having("isolation"), "isolation", "CAM lines at the end of each interval, flits sent in it."),
    ...attribution(a),
    ...having("channels")
      .slice(0, MAPS)
      .map((s) => channelCells(s.table, `channels-${s.series.name}`, `Load of every channel: ${titleOf(s)}`)),
    ...having("occupancy")
      .slice(0, MAPS)
      .map((s) => occupancyCells(s.table, `occupancy-${s.series.name}`, `Buffer occupancy of routers: ${titleOf(s)}`)),
    ...having("series")
      .slice(0, MAPS)
      .map((s) =>
        bandwidthOverTime(
          streamsOf(s.run),
          `bandwidth-time-${s.series.name}`,
          `Accepted load of each stream over time: ${titleOf(s)}`,
        ),
      ),
    ...having("occupancy.vls")
      .slice(0, MAPS)
      .flatMap((s) => [
        fillOverTime(s.table, `fill-${s.series.name}`, `Fill of each VL: ${titleOf(s)}`),
        fullest(s.table, `fullest-${s.series.name}`, `Each VL at its fullest: ${titleOf(s)}`),
      ]),
    ...having("lines")
      .slice(0, MAPS)
      .map((s) => runTree(s.run, `tree-${s.series.name}`, `Congestion trees: ${titleOf(s)}`)),
    ...having("blocked")
      .slice(0, MAPS)
      .map((s) => standingLines(s.table, `standing-${s.series.name}`, `Blocked flits: ${titleOf(s)}`)),
    ...having("waits")
      .slice(0, MAPS)
      .map((s) => waitsLines(s.table, `waits-${s.series.name}`, `Flits that waited for one router: ${titleOf(s)}`)),
    ...having("jobs-operations")
      .slice(0, MAPS)
      .map((s) => operationSpans(s.table, `operations-${s.series.name}`, `Time line of ranks: ${titleOf(s)}`)),
    ...having("jobs-timeline")
      .slice(0, MAPS)
      .map((s) => timelineCells(s.table, `timeline-${s.series.name}`, `When ranks were blocked: ${titleOf(s)}`)),
    ...having("jobs-calls")
      .slice(0, MAPS)
      .map((s) => callsStack(s.run, `calls-${s.series.name}`, `Where the time of ranks goes: ${titleOf(s)}`)),
    ...having("jobs-sizes")
      .slice(0, MAPS)
      .map((s) => sizesLines(s.table, `sizes-${s.series.name}`, `Latency by message size: ${titleOf(s)}`)),
    ...having("figures")
      .slice(0, MAPS)
      .flatMap((s) => declaredFigures(s.run.result.tables, s.series.name, titleOf(s), () => topologyOf(s.run.spec))),
    ...having("groups")
      .slice(0, MAPS)
      .map((s) => groups(s)),
  ]
  return found.filter((f) => f !== undefined)
}

/** Tables of intervals of each of several streams. */
function streamsOf(run: RunRecord): (readonly [string, Table])[] {
  const end = ".series"
  return Object.entries(run.result.tables).flatMap(([name, t]) =>
    name.endsWith(end) ? [[name.slice(0, -end.length), t] as const] : [],
  )
}

function titleOf(s: Shown): string {
  return s.where === "" ? s.series.name : `${s.series.name} at ${s.where}`
}

const places = (shown: readonly Shown[]): string => {
  const at = new Set(shown.map((s) => s.where))
  return at.size === 1 && [...at][0] !== ""
    ? ` At ${[...at][0]}, one seed.`
    : " At the highest load below saturation of each line, one seed."
}
const nameAt = (s: Shown, all: readonly Shown[]): string =>
  new Set(all.map((o) => o.where)).size > 1 ? titleOf(s) : s.series.name

/** More spots than this on a line are too close to distinguish. Every n-th is then drawn, and the last. */
const SPOTS = 500
function thinned<T>(spots: readonly T[]): readonly T[] {
  const step = Math.ceil(spots.length / SPOTS)
  return step < 2 ? spots : spots.filter((_, i) => i % step === 0 || i === spots.length - 1)
}

export function numbers(table: Table, name: string): number[] {
  return (table[name] ?? []).map(Number)
}

function cdf(shown: readonly Shown[]): LinesFigure | undefined {
  if (shown.length === 0) return undefined
  const lines = shown.map((s) => {
    const [high, count] = [numbers(s.table, "high"), numbers(s.table, "count")]
    const total = count.reduce((a, b) => a + b, 0)
    let sum = 0
    const spots = high.flatMap((x, i) => {
      sum += count[i]
      const y = sum / total
      // flat stretches carry nothing: ends of bins without packets are left out
      return count[i] === 0
        ? []
        : [
            {
              x,
              y,
              facts: [
                ["latency up to", x],
                ["share of packets", y],
              ] as const,
            },
          ]
    })
    return { name: nameAt(s, shown), spots: thinned(spots) }
  })
  const xs = lines.flatMap((l) => l.spots.map((p) => p.x)).filter((x) => x > 0)
  const log = Math.max(...xs) > 50 * Math.min(...xs)
  return {
    kind: "lines",
    id: "cdf",
    title: "Distribution of latency",
    caption: `Share of packets with at most this latency.${places(shown)}`,
    x: { label: "Latency (cycles)", ...(log ? { log } : {}) },
    y: { label: "Share of packets", max: 1, format: "percent" },
    lines,
    markers: false,
  }
}

const seriesNames: Readonly<Record<string, { title: string; label: string }>> = {
  latency: { title: "Latency", label: "Mean latency (cycles)" },
  network: { title: "Latency in the network", label: "Mean latency from injection on (cycles)" },
  offered: { title: "Offered load", label: "Offered load (fraction of a channel)" },
  accepted: { title: "Accepted load", label: "Accepted load (fraction of a channel)" },
  injected: { title: "Injected load", label: "Injected load (fraction of a channel)" },
  lines: { title: "CAM lines in use", label: "CAM lines of all input ports" },
  flits: { title: "Messages between neighbours", label: "Flits of messages in an interval" },
}

/** Streams with a separate series, where they are few enough that each can have figures. */
function streamSeries(a: Arranged): string[] {
  const tables = new Set(
    a.series.flatMap((s) => s.points.flatMap((p) => p.runs.flatMap((r) => Object.keys(r.result.tables)))),
  )
  const streams = [...tables].filter((name) => name.endsWith(".series")).map((name) => name.slice(0, -".series".length))
  return streams.length > MAPS ? [] : streams
}

/** `stream`: of one stream, latency and accepted load alone. */
function timeSeries(shown: readonly Shown[], id: string, caption: string, stream?: string): LinesFigure[] {
  const columns = new Set(shown.flatMap((s) => Object.keys(s.table).filter((c) => c !== "time" && c !== "packets")))
  const wanted = stream === undefined ? [...columns] : ["latency", "accepted"].filter((c) => columns.has(c))
  return wanted.map((column) => {
    const title = seriesNames[column]?.title ?? `${column[0].toUpperCase()}${column.slice(1)}`
    const lines = shown.map((s) => overTime(s, column, nameAt(s, shown)))
    const marks = shown.flatMap((s, i) => throttles(s, lines[i]))
    return {
      kind: "lines",
      id: stream === undefined ? `${id}-${column}` : `${id}-${stream}-${column}`,
      title: stream === undefined ? `${title} over time` : `${title} of the stream “${stream}” over time`,
      caption: `${caption}${places(shown)}`,
      x: { label: "Time (cycles)" },
      y: { label: seriesNames[column]?.label ?? column },
      lines,
      markers: false,
      ...(marks.length === 0 ? {} : { marks, marked: "an endpoint is throttled for the first time" }),
    }
  })
}

function overTime(s: Shown, column: string, name: string): Line {
  // an interval that the end of the run cut short has no mean that compares with the others
  const end = s.run.result.values["cycles"] ?? Number.POSITIVE_INFINITY
  const [time, values] = [numbers(s.table, "time").filter((t) => t <= end), numbers(s.table, column)]
  const spots = time.map((x, i) => ({
    x,
    y: values[i],
    facts: [
      ["time", x],
      [column, values[i]],
    ] as const,
  }))
  return { name, spots: thinned(spots.filter((p) => Number.isFinite(p.y))) }
}

/** On the line of its run: when each endpoint was first throttled. */
function throttles({ run }: Shown, line: Line): Mark[] {
  const table = run.result.tables["throttled"] ?? {}
  return numbers(table, "first").flatMap((x, i) => {
    const spot = line.spots.find((s) => s.x >= x)
    return spot === undefined ? [] : [{ x, y: spot.y, name: `endpoint ${table["end"]?.[i]}`, source: line.name }]
  })
}

/** Long form: from, to, and the value in the first other column. */
function groups(s: Shown): CellsFigure {
  const [from, to] = [numbers(s.table, "from"), numbers(s.table, "to")]
  const unit = Object.keys(s.table).find((c) => c !== "from" && c !== "to") ?? "load"
  const values = numbers(s.table, unit)
  return {
    kind: "cells",
    id: `groups-${s.series.name}`,
    title: `Traffic between groups: ${titleOf(s)}`,
    caption: "Each cell is one ordered pair of groups.",
    x: { label: "To group" },
    y: { label: "From group" },
    columns: Math.max(...to) + 1,
    rows: Math.max(...from) + 1,
    unit,
    max: Math.max(...values) || 1,
    cells: values.map((value, i) => ({
      x: to[i],
      y: from[i],
      value,
      facts: [
        ["from group", from[i]],
        ["to group", to[i]],
        [unit, value],
      ] as const,
    })),
  }
}
