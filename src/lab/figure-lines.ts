// Lines with markers and intervals: latency against load, accepted against offered, distributions, time series.
import * as Plot from "@observablehq/plot"
import type { Line, LinesFigure, Spot } from "./figure.ts"
import { axes, type Drawing, finish, type Hit, legend, narrow, plot, scaleOf, yLabel } from "./figure-plot.ts"
import { colourOf, dashOf, markerPath } from "./figure-theme.ts"

export function drawLines(figure: LinesFigure, width: number): Drawing {
  const marginLeft = 50
  const top = legend(
    figure.lines.map((l) => l.name),
    6,
    width - 10,
    figure.markers ? "markers" : "lines",
  )
  const marginTop = 30 + top.height
  const height = Math.round(width * (narrow(width) ? 0.72 : 0.52)) + top.height
  const domain = { x: rangeX(figure), y: rangeY(figure) }
  const edge = domain.y[1]
  const drawn = plot({
    width,
    height,
    marginTop,
    marginLeft,
    marginRight: 18,
    marginBottom: 44,
    x: scaleOf(figure.x, domain.x),
    y: scaleOf(figure.y, domain.y),
    marks: [
      ...axes(figure.x, figure.y, width),
      Plot.ruleY([domain.y[0]], { stroke: "var(--muted)", strokeWidth: 1 }),
      ...(figure.diagonal === true ? [diagonal(domain)] : []),
      ...figure.lines.flatMap((line, i) => lineMarks(line, i, domain.y[0], edge)),
    ],
  })
  const [x, y] = [drawn.scale("x"), drawn.scale("y")]
  const place = (s: Spot): { x: number; y: number } => ({ x: x.apply(s.x), y: y.apply(s.off === true ? edge : s.y) })
  const seen = figure.lines.map((line) => drawnSpots(line))
  const markers = figure.markers ? seen.flatMap((spots, i) => spots.map((s) => marker(i, place(s), s.off === true))) : []
  const hits = figure.lines.flatMap((line, i) => seen[i]!.map((s): Hit => ({ ...place(s), title: line.name, facts: s.facts })))
  return { svg: finish(drawn, top.svg + yLabel(figure.y, marginTop) + markers.join(""), figure.title), width, height, hits }
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

function diagonal(domain: { x: readonly [number, number]; y: readonly [number, number] }): Plot.Markish {
  const end = Math.min(domain.x[1], domain.y[1])
  return Plot.line(
    [
      [0, 0],
      [end, end],
    ],
    { stroke: "var(--muted)", strokeWidth: 1, strokeDasharray: "1 3" },
  )
}

const spotsOf = (figure: LinesFigure): Spot[] => figure.lines.flatMap((l) => [...drawnSpots(l)])

function rangeX(figure: LinesFigure): [number, number] {
  const xs = spotsOf(figure).map((s) => s.x)
  const [low, high] = [Math.min(...xs), Math.max(...xs)]
  if (figure.x.log === true) return [low, high]
  const start = low >= 0 && low < 0.5 * high ? 0 : low
  return [start, high > start ? high + 0.02 * (high - start) : start + 1]
}

function rangeY(figure: LinesFigure): [number, number] {
  const ys = spotsOf(figure)
    .filter((s) => s.off !== true)
    .flatMap((s) => [s.y, s.high ?? s.y])
  const high = ys.length > 0 ? Math.max(...ys) : 1
  if (figure.y.log === true) return [Math.min(...ys), high]
  return [Math.min(0, ...ys), (high > 0 ? high : 1) * 1.06]
}
