// One strip: a value of both sides over time, with its scale, and the values at the shown time at the right.
import { clock } from "../film/clock.ts"
import type { Counters } from "../film/reel.ts"
import type { Ink } from "../network/colours.ts"
import type { Side } from "../state.ts"

export interface Row {
  readonly name: string
  readonly unit: string
  readonly of: (counters: Counters) => number
  readonly log: boolean
  readonly digits: number
}

/** The time axis in pixels, its last cycle, and whether the labels are above the strips. */
export interface Box {
  readonly left: number
  readonly right: number
  readonly end: number
  readonly narrow: boolean
}

interface Place {
  readonly top: number
  readonly height: number
  readonly width: number
  readonly first: boolean
}

/** Points of a line, at most. */
const POINTS = 420
/** Smallest latency of the logarithmic scale. */
const LEAST = 20

export function axisOf(width: number, reached: number): Box {
  const narrow = width < 620
  return {
    left: narrow ? 14 : 150,
    right: width - (narrow ? 50 : 118),
    end: reached <= 600 ? 600 : reached * 1.02,
    narrow,
  }
}

const written = (v: number, digits: number): string =>
  digits === 0 ? Math.round(v).toLocaleString("en") : v.toFixed(digits)

export function drawRow(
  g: CanvasRenderingContext2D,
  ink: Ink,
  row: Row,
  sides: readonly Side[],
  box: Box,
  place: Place,
): void {
  const { left, right, end, narrow } = box
  const { top, height, width, first } = place
  const lines = sides.map((side) => ({ side, points: pointsOf(side, row) }))
  const offered = first ? sides[0]?.reel.offered : undefined
  const most = Math.max(first ? (offered ?? 0) * 1.12 : 0, ...lines.flatMap((l) => l.points.map((p) => p.value)))
  const [upper, lower] = [top + (narrow ? 20 : 8), top + height - 5]
  const low = row.log ? Math.log10(LEAST) : 0
  const high = row.log ? Math.log10(Math.max(200, most * 1.3)) : Math.max(most * 1.05, row.digits === 0 ? 10 : 0.01)
  const X = (cycle: number) => left + (cycle / end) * (right - left)
  const Y = (v: number) =>
    lower - (((row.log ? Math.log10(Math.max(LEAST, v)) : v) - low) / (high - low)) * (lower - upper)
  labels(g, ink, row, box, place)
  const rule = (y: number) => {
    g.beginPath()
    g.moveTo(left, y)
    g.lineTo(right, y)
    g.stroke()
  }
  g.strokeStyle = ink.line
  g.fillStyle = ink.faint
  g.lineWidth = 1
  g.font = "10.5px system-ui, sans-serif"
  g.textAlign = "left"
  g.globalAlpha = 0.6
  if (row.log) for (const v of [100, 1000, 10_000]) if (Math.log10(v) < high) rule(Y(v))
  g.globalAlpha = 1
  if (row.log)
    for (const v of [100, 1000, 10_000])
      if (Math.log10(v) < high && Y(v) > upper + 5) g.fillText(v.toLocaleString("en"), left + 4, Y(v) - 2)
  if (offered !== undefined) {
    g.setLineDash([4, 4])
    g.strokeStyle = ink.faint
    rule(Y(offered))
    g.setLineDash([])
    g.textAlign = "left"
    g.fillText(`offered ${offered.toFixed(2)}`, left + 4, Y(offered) - 3)
  }
  const ends: { side: Side; value: number; y: number }[] = []
  for (const { side, points } of lines) {
    const colour = ink.sides[side.name]
    g.strokeStyle = colour
    g.fillStyle = colour
    g.lineWidth = 2
    g.lineJoin = "round"
    g.beginPath()
    for (const { cycle, value } of points) g.lineTo(X(cycle), Y(value))
    g.stroke()
    const value = row.of(side.reel.counters(clock.t))
    if (!(value >= 0)) continue
    g.beginPath()
    g.arc(X(Math.min(clock.t, end)), Y(value), 3.6, 0, 7)
    g.fill()
    ends.push({ side, value, y: Math.min(lower - 2, Math.max(upper, Y(value))) })
  }
  spread(ends, top + 9, top + height - 8)
  g.textBaseline = "middle"
  g.textAlign = "left"
  for (const { side, value, y } of ends) {
    const x = right + (narrow ? 6 : 14)
    g.fillStyle = ink.sides[side.name]
    g.font = `700 ${narrow ? 11 : 13}px system-ui, sans-serif`
    const lettered = !narrow && sides.length > 1
    if (lettered) g.fillText(side.name, x, y)
    if (!narrow) g.fillStyle = ink.strong
    g.font = `600 ${narrow ? 11 : 13}px system-ui, sans-serif`
    g.fillText(written(value, narrow ? Math.min(2, row.digits) : row.digits), x + (lettered ? 17 : 0), y)
  }
  g.textBaseline = "alphabetic"
  if (first) return
  g.strokeStyle = ink.line
  g.globalAlpha = 0.6
  g.lineWidth = 1
  g.beginPath()
  g.moveTo(0, top)
  g.lineTo(width, top)
  g.stroke()
  g.globalAlpha = 1
}

function labels(g: CanvasRenderingContext2D, ink: Ink, row: Row, { left, narrow }: Box, { top, height }: Place): void {
  g.textAlign = "left"
  g.fillStyle = ink.strong
  g.font = `600 ${narrow ? 12 : 13.5}px system-ui, sans-serif`
  const [x, y] = narrow ? [left, top + 13] : [18, top + height / 2 - 2]
  g.fillText(row.name, x, y)
  const wide = g.measureText(row.name).width
  g.fillStyle = ink.faint
  g.font = "11px system-ui, sans-serif"
  g.fillText(row.unit, narrow ? x + wide + 8 : x, narrow ? y : y + 15)
}

/** Moves the values of two sides apart if they would overlap. */
function spread(ends: { y: number }[], upper: number, lower: number): void {
  ends.sort((a, b) => a.y - b.y)
  const [a, b] = ends
  if (a === undefined || b === undefined || b.y - a.y >= 16) return
  const middle = Math.max(upper + 8, Math.min(lower - 8, (a.y + b.y) / 2))
  a.y = middle - 8
  b.y = middle + 8
}

function pointsOf({ reel }: Side, row: Row): { cycle: number; value: number }[] {
  const each = Math.max(1, Math.floor(reel.cycles.length / POINTS))
  const points: { cycle: number; value: number }[] = []
  for (let i = 1; i < reel.cycles.length; i += each) {
    const value = row.of(reel.countersAt(i))
    if (value >= 0) points.push({ cycle: reel.cycles[i], value })
  }
  return points
}
