// The figures that a set of results calls for, chosen by what was swept and which tables the probes left.
import { namesOf } from "../../model/missing.ts"
import { type Estimate, estimate, isCarried, type Point, reasonsOf, standsStill } from "../../results/compare/points.ts"
import type { RunRecord } from "../../results/record.ts"
import { bandwidths } from "./bandwidth.ts"
import type { Axis, BarsFigure, Fact, Figure, Line, LinesFigure, Spot } from "./figure.ts"
import { shortKey } from "./format.ts"
import { promises } from "./promise.ts"
import { type Arranged, arrange, xOf } from "./series.ts"
import { tableFigures } from "./tables.ts"

export function figuresOf(records: readonly RunRecord[]): Figure[] {
  if (records.length === 0) return []
  const a = arrange(records)
  const curves = a.x === undefined ? barsOfPoints(a) : curvesOf(a)
  return [...curves, ...tableFigures(a)]
}

function curvesOf(a: Arranged): Figure[] {
  const streams = streamsOf(a)
  return [
    ofJobs(a, "slowdown-idle", "slowdown.idle", "Slowdown", "Slowdown against the idle network"),
    ofJobs(a, "slowdown-ideal", "slowdown.ideal", "Slowdown", "Slowdown against the ideal network"),
    ofJobs(a, "jobs", "jobs.time", "End of the last rank (cycles)", "Time of the jobs"),
    latency(a, "latency", "latency.mean", "Mean latency", "Latency against load"),
    latency(a, "tail", "latency.p99", "99th percentile of latency", "Tail latency against load"),
    accepted(a),
    ...streams.map((s) =>
      latency(a, `latency-${s}`, `${s}.latency.mean`, `Mean latency of “${s}”`, `Latency of the stream “${s}”`),
    ),
    ...bandwidths(a, streams, xAxis(a)),
    ...promises(a, streams),
    peak(a),
  ].filter((f) => f !== undefined)
}

function streamsOf(a: Arranged): string[] {
  const names = new Set<string>()
  for (const s of a.series) {
    for (const p of s.points) {
      for (const v of namesOf(p.runs[0].result))
        if (v.endsWith(".latency.mean")) names.add(v.slice(0, -".latency.mean".length))
    }
  }
  return [...names]
}

function xAxis(a: Arranged): Axis {
  return a.isLoad ? { label: "Offered load (fraction of an endpoint channel)" } : { label: shortKey(a.x ?? "") }
}

/**
 * A curve leaves the figure beyond this multiple of the lowest latency, because readers look for the saturation load.
 */
const EDGE = 8

function latency(a: Arranged, id: string, value: string, label: string, title: string): LinesFigure | undefined {
  const lines = linesOf(a, value)
  const inside = lines.flatMap((l) => l.spots.filter((s) => s.off !== true).map((s) => s.y))
  if (lines.length === 0) return undefined
  const least = Math.min(...inside)
  const edge = a.isLoad && inside.length > 0 ? Math.min(Math.max(...inside), EDGE * least) : Number.POSITIVE_INFINITY
  const cut = lines.map((l) => ({
    ...l,
    spots: l.spots.map((s) => (s.off !== true && s.y > edge ? { ...s, off: true } : s)),
  }))
  const spots = cut.flatMap((l) => l.spots)
  const edges = spots.some((s) => s.off === true && s.stands === undefined)
    ? " An open marker on the upper edge has no latency to show: the point is saturated, failed, or above the scale."
    : ""
  const caption = `${intervals(a)}${edges}${stillText(spots)}`
  const shownTitle = a.isLoad ? title : title.replace("load", shortKey(a.x ?? ""))
  return {
    kind: "lines",
    id,
    title: shownTitle,
    caption,
    x: xAxis(a),
    y: { label: `${label} (cycles)` },
    lines: cut,
    markers: true,
  }
}

/** A value of jobs exists at any load, and is missing only if the jobs did not end. */
function ofJobs(a: Arranged, id: string, value: string, label: string, title: string): LinesFigure | undefined {
  const lines = linesOf(a, value)
    .map((l) => ({ ...l, spots: l.spots.filter((s) => !Number.isNaN(s.y)).map(({ off: _, ...s }) => s) }))
    .filter((l) => l.spots.length > 0)
  if (lines.length === 0) return undefined
  const caption = `${intervals(a)} A point is missing if its jobs did not end.`
  const axis = a.isLoad ? "load" : shortKey(a.x ?? "")
  return {
    kind: "lines",
    id,
    title: `${title}, by ${axis}`,
    caption,
    x: xAxis(a),
    y: { label },
    lines,
    markers: true,
  }
}

function accepted(a: Arranged): LinesFigure | undefined {
  // a deadlocked network accepts nothing any more, whatever it accepted before
  const lines = linesOf(a, "accepted").map((l) => ({
    ...l,
    spots: l.spots
      .map(({ off: _, ...s }) => (s.stands === undefined ? s : { ...s, y: 0 }))
      .filter((s) => !Number.isNaN(s.y)),
  }))
  if (lines.length === 0) return undefined
  const title = a.isLoad ? "Accepted against offered load" : `Accepted load against ${shortKey(a.x ?? "")}`
  const dotted =
    "On the dotted line the network accepts the whole offered load. It is saturated where a curve leaves this line."
  const caption = `${a.isLoad ? dotted : intervals(a)}${stillText(lines.flatMap((l) => l.spots))}`
  const y = { label: "Accepted load (fraction of an endpoint channel)" }
  return {
    kind: "lines",
    id: "accepted",
    title,
    caption,
    x: xAxis(a),
    y,
    lines,
    markers: true,
    ...(a.isLoad ? { diagonal: true } : {}),
  }
}

function stillText(spots: readonly Spot[]): string {
  const words = [...new Set(spots.flatMap((s) => s.stands ?? []))]
  return words.length === 0 ? "" : ` A filled cross marks ${words.join(" or ")}: packets stop moving for ever.`
}

const nothing: Estimate = { mean: Number.NaN, half: 0, runs: 0, variance: 0, df: 0 }

function linesOf(a: Arranged, value: string): Line[] {
  const spot = (p: Point): Spot[] => {
    // a saturated point may have ended before a measured packet arrived: the curve leaves the figure there all the same
    const y = estimate(p.runs, value) ?? nothing
    if (a.x === undefined || (Number.isNaN(y.mean) && isCarried(p))) return []
    return [
      {
        x: xOf(p, a.x, a.isLoad),
        y: y.mean,
        ...ends(y),
        ...(isCarried(p) ? {} : { off: true }),
        ...(standsStill(p) ? { stands: p.state } : {}),
        facts: factsOf(a, p, value, y),
      },
    ]
  }
  const known = a.series.some((s) => s.points.some((p) => p.runs.some((r) => namesOf(r.result).includes(value))))
  return known
    ? a.series.map((s) => ({ name: s.name, spots: s.points.flatMap(spot) })).filter((l) => l.spots.length > 0)
    : []
}

function ends(e: Estimate): { low?: number; high?: number } {
  return e.half > 0 ? { low: e.mean - e.half, high: e.mean + e.half } : {}
}

function factsOf(a: Arranged, p: Point, value: string, y: Estimate): Fact[] {
  const x: Fact = a.isLoad
    ? ["offered", estimate(p.runs, "offered")?.mean ?? Number.NaN]
    : [shortKey(a.x ?? ""), p.point[a.x ?? ""] ?? ""]
  const more: Fact[] = y.half > 0 ? [["± (95 %)", y.half]] : []
  return [
    x,
    [value, Number.isNaN(y.mean) ? `missing: ${reasonsOf(p.runs, value).join(", ")}` : y.mean],
    ...more,
    ...(isCarried(p) ? [] : [["state", p.state] as const]),
    ["seeds", p.runs.length],
  ]
}

function intervals(a: Arranged): string {
  const seeds = Math.max(...a.series.flatMap((s) => s.points.map((p) => new Set(p.runs.map((r) => r.seed)).size)))
  return seeds > 1
    ? `Mean of ${seeds} seeds. Bars show the 95 % confidence interval.`
    : "One seed. Bars show the 95 % confidence interval of the run itself."
}

/** Highest accepted load of each line: the figure that topologies and routings are usually ranked by. */
function peak(a: Arranged): BarsFigure | undefined {
  if (!a.isLoad || a.series.length < 2) return undefined
  const bars = a.series.flatMap((s) => {
    const all = s.points
      .filter((p) => !standsStill(p))
      .map((p) => ({ p, e: estimate(p.runs, "accepted") }))
      .filter((x) => x.e !== undefined)
    const best = all.sort((x, y) => y.e!.mean - x.e!.mean)[0]
    return best === undefined ? [] : [bar(s.name, best.p, best.e!, "accepted")]
  })
  const x = { label: "Accepted load (fraction of an endpoint channel)" }
  return {
    kind: "bars",
    id: "peak",
    title: "Highest accepted load",
    caption: "The best point of each curve, with its 95 % confidence interval.",
    x,
    bars,
  }
}

function bar(name: string, p: Point, e: Estimate, value: string): BarsFigure["bars"][number] {
  const more: Fact[] = e.half > 0 ? [["± (95 %)", e.half]] : []
  return { name, value: e.mean, ...ends(e), facts: [[value, e.mean], ...more, ["seeds", p.runs.length]] }
}

/** Nothing numeric was swept: one bar for each point. */
function barsOfPoints(a: Arranged): BarsFigure[] {
  const wanted = [
    { id: "jobs", value: "jobs.time", title: "End of the last rank of all jobs", label: "Cycles" },
    { id: "latency", value: "latency.mean", title: "Mean latency", label: "Cycles" },
    { id: "tail", value: "latency.p99", title: "99th percentile of latency", label: "Cycles" },
    { id: "accepted", value: "accepted", title: "Accepted load", label: "Fraction of an endpoint channel" },
  ]
  return wanted.flatMap(({ id, value, title, label }) => {
    const moving = a.series.map((s) => ({ ...s, points: s.points.filter((p) => !standsStill(p)) }))
    const bars = moving.flatMap((s) =>
      s.points.flatMap((p) =>
        estimate(p.runs, value) === undefined ? [] : [bar(s.name, p, estimate(p.runs, value)!, value)],
      ),
    )
    const still = a.series.flatMap((s) => s.points.filter(standsStill).map((p) => `${s.name} (${p.state})`))
    const caption = `${intervals(a)}${still.length === 0 ? "" : ` No bar: ${still.join(", ")}.`}`
    return bars.length === 0 ? [] : [{ kind: "bars" as const, id, title, caption, x: { label }, bars }]
  })
}
