// Lines with markers and intervals: latency against load, accepted against offered, distributions, time series.
import * as Plot from "@observablehq/plot"
import type { Drawing, Hit } from "./drawing.ts"
import type { Fact, Line, LinesFigure, Spot } from "./figure.ts"
import { markKey, marksOf, ruled } from "./marks.ts"
import { axes, finish, legend, narrow, plot, rightAxis, scaleOf, yLabel } from "./plot.ts"
import { colourOf, dashOf, markerPath } from "./theme.ts"

export function drawLines(given: LinesFigure, width: number): Drawing {
  const [marginLeft, marginRight, marginBottom] = [50, given.right === undefined ? 18 : 46, 44]
  const domain = { x: rangeX(given), y: rangeY(given, "left") }
  const second = given.right === undefined ? undefined : { axis: given.right, range: rangeY(given, "right") }
  // lines of the second axis are drawn in units of the first
  const level = second === undefined ? (v: number) => v : (v: number) => moved(v, second.range, domain.y)
  const figure = { ...given, lines: given.lines.map((line) => levelled(line, given, level)) }
  const top = legend(
    figure.lines.map((l) => l.name),
    6,
    width - 10,
    figure.markers ? "markers" : "lines",
  )
  const key = markKey(figure.marks ?? [], top.height, figure.marked)
  const marginTop = 30 + top.height + key.height
  const height = Math.round(width * (narrow(width) ? 0.72 : 0.52)) + top.height + key.height
  const edge = domain.y[1]
  const drawn = plot({
    width,
    height,
    marginTop,
    marginLeft,
    marginRight,
    marginBottom,
    x: scaleOf(figure.x, domain.x),
    y: scaleOf(figure.y, domain.y),
    marks: [
      ...axes(figure.x, figure.y, width),
      ...(second === undefined ? [] : [rightAxis(second.axis, second.range, level)]),
      ...ruled(figure.marks ?? []),
      Plot.ruleY([domain.y[0]], { stroke: "var(--muted)", strokeWidth: 1 }),
      ...(figure.diagonal === true ? diagonal(domain) : []),
      ...figure.lines.flatMap((line, i) => lineMarks(line, i, domain.y[0], edge)),
    ],
  })
  const [x, y] = [drawn.scale("x"), drawn.scale("y")]
  const place = (s: Spot): { x: number; y: number } => ({ x: x.apply(s.x), y: y.apply(s.off === true ? edge : s.y) })
  const seen = figure.lines.map((line) => drawnSpots(line))
  const markers = figure.markers ? seen.flatMap((spots, i) => spots.map((s) => marker(i, place(s), s.off === true))) : []
  const area = { left: marginLeft, right: width - marginRight, top: marginTop, bottom: height - marginBottom }
  const marks = marksOf(figure.marks ?? [], { x: x.apply, y: y.apply, axes: figure, area })
  const hits = [
    ...figure.lines.flatMap((line, i) => seen[i]!.map((s): Hit => ({ ...place(s), title: line.name, facts: s.facts ?? [] }))),
    ...marks.hits,
  ]
  const labels = yLabel(figure.y, marginTop) + (second === undefined ? "" : yLabel(second.axis, marginTop, width))
  return { svg: finish(drawn, top.svg + key.svg + labels + markers.join("") + marks.svg, figure.title), width, height, hits }
}

const moved = (v: number, [low, high]: readonly [number, number], onto: readonly [number, number]): number =>
  onto[0] + ((v - low) / (high - low)) * (onto[1] - onto[0])

/** The line with the facts that every spot has, in units of the left axis. */
function levelled(line: Line, { x, y, right }: LinesFigure, level: (v: number) => number): Line {
  const axis = line.axis === "right" && right !== undefined ? right : y
  const factsOf = (s: Spot): readonly Fact[] =>
    s.facts ?? [
      [x.label, s.x],
      [axis.label, s.y],
    ]
  return { ...line, spots: line.spots.map((s) => ({ ...s, y: axis === y ? s.y : level(s.y), facts: factsOf(s) })) }
}

/** Of the spots beyond the edge only the first is drawn: where the line leaves the figure. */
function drawnSpots(line: Line): readonly Spot[] {
  const left = line.spots.findIndex((s) => s.off === true)
  return left < 0 ? line.spots : line.spots.slice(0, left + 1)
}

function lineMarks(line: Line, i: number, floor: number, edge: number): Plot.Markish[] {
  const stroke = colourOf(i)
  const dash = dashOf(i)
  const spots = drawnSpots(line)
  const inside = spots.filter((s) => s.off !== true)
  const leaving = spots.at(-1)?.off === true ? [...inside.slice(-1), { ...spots.at(-1)!, y: edge }] : []
  const whiskers = inside
    .filter((s) => s.low !== undefined && s.high !== undefined && s.high > s.low)
    .map((s) => ({ x: s.x, low: Math.max(floor, s.low!), high: Math.min(edge, s.high!) }))
  return [
    Plot.ruleX(whiskers, { x: "x", y1: "low", y2: "high", stroke, strokeWidth: 1.2, strokeOpacity: 0.55 }),
    Plot.line(inside, { x: "x", y: "y", stroke, strokeWidth: 2, ...(dash === undefined ? {} : { strokeDasharray: dash }) }),
    Plot.line(leaving, { x: "x", y: "y", stroke, strokeWidth: 1.6, strokeDasharray: "2 4" }),
  ]
}

function marker(line: number, at: { x: number; y: number }, open: boolean): string {
  const paint = open ? `fill="var(--paper)" stroke="${colourOf(line)}" stroke-width="1.6"` : `fill="${colourOf(line)}"`
  return `<path d="${markerPath(line, 4)}" transform="translate(${at.x.toFixed(2)},${at.y.toFixed(2)})" ${paint}/>`
}

/** The part of y = x that lies in the figure, if any: loads need not begin at 0. */
function diagonal(domain: { x: readonly [number, number]; y: readonly [number, number] }): Plot.Markish[] {
  const begin = Math.max(domain.x[0], domain.y[0])
  const end = Math.min(domain.x[1], domain.y[1])
  const ends = [
    [begin, begin],
    [end, end],
  ]
  return begin < end ? [Plot.line(ends, { stroke: "var(--muted)", strokeWidth: 1, strokeDasharray: "1 3" })] : []
}

const spotsOf = (figure: LinesFigure, axis?: "left" | "right"): Spot[] =>
  figure.lines.filter((l) => axis === undefined || (l.axis ?? "left") === axis).flatMap((l) => [...drawnSpots(l)])

function rangeX(figure: LinesFigure): [number, number] {
  const xs = [...spotsOf(figure).map((s) => s.x), ...(figure.marks ?? []).flatMap((m) => m.x ?? [])]
  const [low, high] = [Math.min(...xs), Math.max(...xs)]
  if (figure.x.log === true) return [low, high]
  const start = low >= 0 && low < 0.5 * high ? 0 : low
  return [start, high > start ? high + 0.02 * (high - start) : start + 1]
}

function rangeY(figure: LinesFigure, side: "left" | "right"): [number, number] {
  const marks = side === "left" ? (figure.marks ?? []) : []
  const axis = side === "left" ? figure.y : figure.right
  const ys = [
    ...spotsOf(figure, side)
      .filter((s) => s.off !== true)
      .flatMap((s) => [s.y, s.high ?? s.y]),
    ...marks.flatMap((m) => m.y ?? []),
  ]
  const high = ys.length > 0 ? Math.max(...ys) : 1
  if (axis?.log === true) return [axis.min ?? Math.min(...ys), axis.max ?? high]
  return [axis?.min ?? Math.min(0, ...ys), axis?.max ?? (high > 0 ? high : 1) * 1.06]
}
