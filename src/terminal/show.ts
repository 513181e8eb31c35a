// Results for the terminal: the table over seeds, the chart of latency against load, the saturation loads that a search
// found, the verdicts.

import { canonical } from "../core/canonical.ts"
import { stoodStill } from "../core/saturation.ts"
import type { Skipped } from "../experiment/thresholds.ts"
import { type Reason, reasons } from "../model/missing.ts"
import { commonValues, type ValueName } from "../model/values.ts"
import type { Limited } from "../results/findings/limited.ts"
import { type Saturation, saturationRows, saturationText } from "../results/findings/saturation.ts"
import type { JobSentence } from "../results/findings/stragglers.ts"
import type { Estimate, PointSummary, Verdict } from "../results/summary.ts"
import { type ChartSeries, chart } from "./chart.ts"
import type { Paint } from "./paint.ts"
import { short, table } from "./table.ts"
import { hung } from "./wrap.ts"

const shown: readonly [ValueName, string][] = [
  ["jobs.time", headed("jobs.time", "jobs end")],
  ["jobs.communication.max", headed("jobs.communication.max", "communication")],
  ["jobs.communication.share", "share"],
  ["slowdown.idle", "× idle network"],
  ["slowdown.ideal", "× ideal network"],
  ["accepted", headed("accepted", "accepted")],
  ["latency.mean", headed("latency.mean", "latency")],
  ["latency.p99", headed("latency.p99", "p99")],
  ["hops.mean", "hops"],
]

/** The first line of all: the network failed. Empty if it did not. */
export function failureLine(rows: readonly PointSummary[], paint: Paint): string {
  const failed = rows.filter((r) => r.failed)
  if (failed.length === 0) return ""
  const where = rows.length === 1 ? "" : ` at ${failed.length} of ${rows.length} points`
  return paint.red(`The network fails${where}: ${[...new Set(failed.map((r) => r.state))].join("; ")}`)
}

/** A head with the unit of its value. */
function headed(value: ValueName, name: string): string {
  return `${name} (${commonValues[value].unit})`
}

/** A column of the points that says the same everywhere says nothing. Points at which the network fails come first. A
 *  missing value is a dash; the last column says why. */
export function resultTable(rows: readonly PointSummary[], paint: Paint, width = Infinity): string {
  const keys = [...new Set(rows.flatMap((r) => Object.keys(r.point)))]
  const slowed = rows.some((r) => "slowdown.idle" in r.values || "slowdown.ideal" in r.values)
  const measured = shown.filter(
    ([name]) =>
      (slowed || name !== "jobs.communication.max") &&
      rows.some((r) => r.values[name] !== undefined || r.missing[name] !== undefined),
  )
  const columns = [
    ...keys.map((key) => ({
      head: key,
      align: rows.every((r) => typeof r.point[key] === "number") ? ("right" as const) : ("left" as const),
    })),
    ...measured.map(([, head]) => ({ head, align: "right" as const })),
    { head: "ended" },
  ]
  const cells = [...rows]
    .sort((a, b) => Number(b.failed) - Number(a.failed))
    .map((row) => [
      ...keys.map((key) => String(row.point[key] ?? "")),
      ...measured.map(([name]) => interval(row.values[name])),
      stateText(row, paint, width),
    ])
  const notes = dashes(
    rows,
    measured.map(([name]) => name),
  ).map((line) => paint.dim(hung(line, width)))
  return [table(columns, cells, paint, width), ...notes].join("\n")
}

/** Says why values are missing, one line for each reason. */
export function dashes(rows: readonly PointSummary[], names: readonly string[]): string[] {
  const said = new Set(rows.flatMap((r) => names.flatMap((name) => r.missing[name] ?? [])))
  return (Object.keys(reasons) as Reason[])
    .filter((reason) => [...said].some((text) => text.startsWith(reason)))
    .map((reason) => `–  ${reason}: ${reasons[reason]}`)
}

/** Narrow terminals get a short word. */
const NARROW = 100

function stateText(row: PointSummary, paint: Paint, width: number): string {
  const state = width < NARROW ? row.state.replace("limit reached", "limit") : row.state
  if (row.failed) return paint.red(state)
  return row.saturated ? paint.yellow(state) : state
}

/** 21.34 ±0.05, both to the same digit; the interval is left out where one seed gives none. */
export function interval(e: Estimate | undefined): string {
  if (e === undefined) return "–"
  const mean = short(e.mean)
  if (!Number.isFinite(e.half)) return mean
  const decimals = mean.includes("e") ? undefined : (mean.split(".")[1]?.length ?? 0)
  return `${mean} ±${decimals === undefined ? short(e.half, 2) : e.half.toFixed(decimals)}`
}

/** The values that a chart can show, best first, with the label of their axis. */
const charted = [
  ["slowdown.idle", "slowdown against the idle network"],
  ["slowdown.ideal", "slowdown against the ideal network"],
  ["jobs.time", "time of the jobs (cycles)"],
  ["latency.mean", "mean latency (cycles)"],
] as const

/**
 * A value against load, one series for each combination of the other keys; empty when no load was swept. The value is
 * the slowdown or the time of the jobs if the runs have jobs that end, otherwise the latency.
 */
export function resultChart(rows: readonly PointSummary[], paint: Paint, width: number): string {
  const known = (name: string) => rows.some((r) => name in r.values || name in r.missing)
  const [value, label] = charted.find(([name]) => known(name)) ?? charted[3]
  const series = new Map<string, ChartSeries & { points: ChartSeries["points"][number][] }>()
  for (const row of rows) {
    const load = row.point["load"]
    const y = row.values[value]?.mean
    // a point whose latency grows without bound stands on the upper edge, any other without a latency is left out
    const above = row.failed || (row.saturated && value === "latency.mean")
    if (typeof load !== "number" || (y === undefined && !(above && value in row.missing))) continue
    const { load: _, ...others } = row.point
    const key = canonical(others)
    // a number alone says nothing
    const name =
      Object.entries(others)
        .map(([k, v]) => (typeof v === "number" ? `${k} ${v}` : v))
        .join(" ") || label.split(" (")[0]
    if (!series.has(key)) series.set(key, { name, points: [] })
    series.get(key)!.points.push({
      x: load,
      y: y ?? Number.NaN,
      saturated: above,
      ...(stoodStill(row.worst) ? { stands: row.worst } : {}),
    })
  }
  return chart([...series.values()], { x: "offered load", y: label, width, paint })
}

/** Saturation of each point over its seeds. */
export function saturationTable(knees: readonly Saturation[], paint: Paint, width = Infinity): string {
  const rows = saturationRows(knees)
  const keys = [...new Set(rows.flatMap((r) => Object.keys(r.point)))]
  const columns = [
    ...keys.map((key) => ({ head: key })),
    { head: "saturation (load)", align: "right" as const },
    { head: "between" },
    { head: "runs", align: "right" as const },
  ]
  const cells = rows.map((r) => [
    ...keys.map((k) => String(r.point[k] ?? "")),
    interval(r.value),
    saturationText(r, (x) => short(x)),
    String(r.runs),
  ])
  return table(columns, cells, paint, width)
}

export function verdictLines(verdicts: readonly Verdict[], paint: Paint): string[] {
  return verdicts.flatMap((v) =>
    v.holds
      ? [`${paint.green("passes")}  ${v.expectation.text}`]
      : [`${paint.red("fails")}   ${v.expectation.text}`, ...v.failures.map((f) => `        ${f}`)],
  )
}

/** Exposed communication, straggler and tail of the first jobs. */
export function jobLines(jobs: readonly JobSentence[], width: number): string[] {
  const lines = jobs.slice(0, LIMITS).map(({ point, says }) => hung(`${atText(point)}${says}`, width))
  return jobs.length > LIMITS ? [...lines, `and ${jobs.length - LIMITS} more jobs, see the report`] : lines
}

/** The keys of a point, ended by a colon; empty for the only point. */
function atText(point: PointSummary["point"]): string {
  const at = Object.entries(point).map(([key, value]) => (typeof value === "number" ? `${key} ${value}` : value))
  return at.length === 0 ? "" : `${at.join(" ")}: `
}

/** Number of saturated lines whose cause is shown, and of jobs. */
const LIMITS = 4

/** Why the first saturated point of each line accepts no more. */
export function limitLines(limits: readonly Limited[], paint: Paint): string[] {
  const lines = limits
    .slice(0, LIMITS)
    .map(({ point, says }) => `${paint.yellow("saturated")}  ${atText(point)}${says}`)
  const more = limits.length - LIMITS
  return more > 0 ? [...lines, `and ${more} more saturated ${more === 1 ? "line" : "lines"}, see the report`] : lines
}

export function skippedLines(skipped: readonly Skipped[], paint: Paint): string[] {
  return skipped.map((s) => `${paint.yellow("skipped")}  ${s.text}: ${s.says}`)
}
