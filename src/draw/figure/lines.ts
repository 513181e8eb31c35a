// Lines with markers and intervals: latency against load, accepted against offered, distributions, time series.
import * as Plot from "@observablehq/plot"
import type { Drawing, Hit } from "./drawing.ts"
import type { Fact, Line, LinesFigure, Spot } from "./figure.ts"
import { markKey, marksOf, ruled } from "./marks.ts"
import { axes, finish, legend, narrow, plot, rightAxis, scaleOf, yLabel } from "./plot.ts"
import { colourOf, crossPath, dashOf, markerPath } from "./theme.ts"

export function drawLines(given: LinesFigure, width: number): Drawing {
  const [marginLeft, marginRight, marginBottom] = [50, given.right === undefined ? 18 : 46, 44]
  const domain = domainOf(given)
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
  const still = standingKey(figure.lines, top.height + key.height)
  // a line of crosses above the edge, where open markers of other lines stand
  const lift = figure.lines.some((l) => l.spots.some(isAbove)) ? LIFT : 0
  const above = top.height + key.height + still.height + lift
  const marginTop = 30 + above
  const height = Math.round(width * (narrow(width) ? 0.72 : 0.52)) + above
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
  const place = (s: Spot): { x: number; y: number } => ({
    x: x.apply(s.x),
    y: y.apply(s.off === true ? edge : s.y) - (isAbove(s) ? LIFT : 0),
  })
  const seen = figure.lines.map((line) => drawnSpots(line))
  const markers = figure.markers ? seen.flatMap((spots, i) => spots.map((s) => marker(i, place(s), s))) : []
  const area = { left: marginLeft, right: width - marginRight, top: marginTop, bottom: height - marginBottom }
  const marks = marksOf(figure.marks ?? [], { x: x.apply, y: y.apply, axes: figure, area })
  const hits = [
    ...figure.lines.flatMap((line, i) =>
      seen[i].map((s): Hit => ({ ...place(s), title: line.name, facts: s.facts ?? [] })),
    ),
    ...marks.hits,
  ]
  const [labelled, title] = [marginTop - lift, figure.title]
  const labels = yLabel(figure.y, labelled) + (second === undefined ? "" : yLabel(second.axis, labelled, width))
  return {
    svg: finish(drawn, top.svg + key.svg + still.svg + labels + markers.join("") + marks.svg, title),
    width,
    height,
    hits,
  }
}

/** The values at the ends of both axes. */
export function domainOf(figure: LinesFigure): { readonly x: [number, number]; readonly y: [number, number] } {
  return { x: rangeX(figure), y: rangeY(figure, "left") }
}

/** Pixels between the edge and the crosses above it. */
const LIFT = 12
const isAbove = (s: Spot): boolean => s.off === true && s.stands !== undefined

const moved = (v: number, [low, high]: readonly [number, number], onto: readonly [number, number]): number =>
  onto[0] + ((v - low) / (high - low)) * (onto[1] - onto[0])

/** The line with the details that every spot has, in units of the left axis. */
function levelled(line: Line, { x, y, right }: LinesFigure, level: (v: number) => number): Line {
  const axis = line.axis === "right" && right !== undefined ? right : y
  const factsOf = (s: Spot): readonly Fact[] =>
    s.facts ?? [
      [x.label, s.x],
      [axis.label, s.y],
    ]
  return { ...line, spots: line.spots.map((s) => ({ ...s, y: axis === y ? s.y : level(s.y), facts: factsOf(s) })) }
}

/**
 * Of the spots beyond the edge only the first is drawn, where the line leaves the figure, and those at which the
 * network makes no progress.
 */
export function drawnSpots(line: Line): readonly Spot[] {
  const left = line.spots.findIndex((s) => s.off === true)
  return left < 0 ? line.spots : line.spots.filter((s, i) => i <= left || s.stands !== undefined)
}

function lineMarks(line: Line, i: number, floor: number, edge: number): Plot.Markish[] {
  const stroke = colourOf(i)
  const dash = dashOf(i)
  const spots = drawnSpots(line)
  const inside = spots.filter((s) => s.off !== true && s.stands === undefined)
  const left = spots.find((s) => s.off === true)
  const leaving = left === undefined ? [] : [...inside.slice(-1), { ...left, y: edge }]
  const whiskers = inside
    .filter((s) => s.low !== undefined && s.high !== undefined && s.high > s.low)
    .map((s) => ({ x: s.x, low: Math.max(floor, s.low!), high: Math.min(edge, s.high!) }))
  return [
    Plot.ruleX(whiskers, { x: "x", y1: "low", y2: "high", stroke, strokeWidth: 1.2, strokeOpacity: 0.55 }),
    Plot.line(inside, {
      x: "x",
      y: "y",
      stroke,
      strokeWidth: 2,
      ...(dash === undefined ? {} : { strokeDasharray: dash }),
    }),
    Plot.line(leaving, { x: "x", y: "y", stroke, strokeWidth: 1.6, strokeDasharray: "2 4" }),
  ]
}

function marker(line: number, at: { x: number; y: number }, { off, stands }: Spot): string {
  if (stands !== undefined) return cross(at, colourOf(line))
  const paint =
    off === true ? `fill="var(--paper)" stroke="${colourOf(line)}" stroke-width="1.6"` : `fill="${colourOf(line)}"`
  return `<path d="${markerPath(line, 4)}" transform="translate(${at.x.toFixed(2)},${at.y.toFixed(2)})" ${paint}/>`
}

function cross(at: { x: number; y: number }, fill: string): string {
  const place = `translate(${at.x.toFixed(2)},${at.y.toFixed(2)})`
  return `<path d="${crossPath(6)}" transform="${place}" fill="${fill}" stroke="var(--ink)" stroke-width="0.8"/>`
}

/** A line of the legend for networks without progress: `deadlock`. */
function standingKey(lines: readonly Line[], top: number): { svg: string; height: number } {
  const words = [...new Set(lines.flatMap((l) => drawnSpots(l).flatMap((s) => s.stands ?? [])))]
  if (words.length === 0) return { svg: "", height: 0 }
  const y = Math.max(12, top)
  const text = `<text x="34" y="${y}" dy="0.35em" text-anchor="start" fill="var(--ink)">${words.join(" or ")}</text>`
  return { svg: `<g aria-label="legend">${cross({ x: 17, y }, "var(--ink)")}${text}</g>`, height: top === 0 ? 31 : 19 }
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
