// Draws latency against load in the terminal: lines in braille dots (2 x 4 per character), a different mark for each
// series, axes with round numbers. Saturated points have no steady latency, so they appear on the upper edge.
import { type Paint, plainPaint, type Style } from "./paint.ts"
import { flow, wrap } from "./wrap.ts"

export interface ChartPoint {
  readonly x: number
  readonly y: number
  readonly saturated: boolean
  /** the network made no progress: `deadlock` or `starved` */
  readonly stands?: string | undefined
}
export interface ChartSeries {
  readonly name: string
  readonly points: readonly ChartPoint[]
}
export interface ChartOptions {
  readonly x: string
  readonly y: string
  readonly width?: number
  readonly height?: number
  readonly paint?: Paint
  /** values that are no latencies: all of them are shown, however far apart */
  readonly whole?: boolean
}

const marks = "●▲■◆○△□◇+x*#"
const standing = "✖"
const colours: readonly Style[] = ["cyan", "yellow", "magenta", "green", "blue", "red"]
const highRise = 5
const dots = [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80]

interface Cell {
  bits: number
  /** series whose mark is here */
  marks: readonly number[]
  /** one of them makes no progress here */
  stands?: boolean
  /** whose line is here */
  series: number
}

/** Empty when there is nothing to draw: fewer than two loads. */
export function chart(series: readonly ChartSeries[], o: ChartOptions): string {
  const paint = o.paint ?? plainPaint
  const lines = o.height ?? 16
  const all = series.flatMap((s) => s.points)
  const steady = all.filter((p) => !p.saturated && Number.isFinite(p.y)).map((p) => p.y)
  if (new Set(all.map((p) => p.x)).size < 2 || steady.length === 0) return ""
  // Beyond some times the lowest latency a curve only goes up, and would flatten all others.
  const positive = steady.filter((y) => y > 0)
  const rise = o.whole === true ? Number.POSITIVE_INFINITY : highRise
  const highest = Math.min(Math.max(...steady), positive.length > 0 ? rise * Math.min(...positive) : 1)
  const above = (p: ChartPoint) => p.saturated || !(p.y <= highest)
  const xs = ticks(Math.min(0, ...all.map((p) => p.x)), Math.max(...all.map((p) => p.x)), 6)
  const ys = ticks(0, highest, 5)
  const [x0, x1, y1] = [xs[0], xs.at(-1)!, ys.at(-1)!]
  const gutter = Math.max(...ys.map((y) => String(y).length))
  const width = Math.min(o.width ?? 72, 100)
  const columns = Math.max(20, width - Math.max(10, gutter + 5))
  const column = (x: number) => ((x - x0) / (x1 - x0)) * (columns * 2 - 1)
  const row = (y: number) => (1 - y / y1) * (lines * 4 - 1)
  const cells: Cell[][] = Array.from({ length: lines }, () =>
    Array.from({ length: columns }, () => ({ bits: 0, marks: [], series: -1 })),
  )
  series.forEach((s, n) => {
    const sorted = [...s.points].sort((a, b) => a.x - b.x)
    const drawn = sorted.filter((p) => !p.saturated && Number.isFinite(p.y))
    for (let i = 1; i < drawn.length && !above(drawn[i - 1]); i++) {
      const [from, to] = [drawn[i - 1], drawn[i]]
      // A line that leaves the picture ends at its upper edge.
      const share = to.y > y1 ? (y1 - from.y) / (to.y - from.y) : 1
      line(cells, column(from.x), row(from.y), column(from.x + share * (to.x - from.x)), row(Math.min(to.y, y1)), n)
    }
    for (const p of sorted) {
      const cell = cells[above(p) ? 0 : Math.round(row(p.y)) >> 2]?.[Math.round(column(p.x)) >> 1]
      if (cell !== undefined && !cell.marks.includes(n)) cell.marks = [...cell.marks, n]
      if (cell !== undefined && p.stands !== undefined) cell.stands = true
    }
  })
  const ink = (n: number, text: string) => (n < 0 ? text : paint[colours[n % colours.length]](text))
  // several marks in one place: how many
  const shown = (c: Cell): string => {
    if (c.stands === true) return paint.red(standing)
    if (c.marks.length > 1) return paint.bold(String(Math.min(9, c.marks.length)))
    if (c.marks.length === 1) return ink(c.marks[0], marks[c.marks[0] % marks.length])
    return c.bits === 0 ? " " : ink(c.series, String.fromCharCode(0x2800 + c.bits))
  }
  const body = cells.map((cellsOfRow, r) => {
    const tick = ys.find((y) => Math.round(row(y)) >> 2 === r)
    const label = (tick === undefined ? "" : String(tick)).padStart(gutter)
    return paint.dim(`${label} ${tick === undefined ? "│" : "┤"}`) + cellsOfRow.map(shown).join("").trimEnd()
  })
  const saturated = all.some(above) ? "; points on the top edge are saturated or off the scale" : ""
  const legend = series.map((s, n) => `${ink(n, marks[n % marks.length])} ${s.name}`)
  const together = cells.some((r) => r.some((c) => c.marks.length > 1)) ? "; a digit shows how many points overlap" : ""
  const still = [...new Set(all.flatMap((p) => p.stands ?? []))].join(" or ")
  if (still !== "") legend.push(`${paint.red(standing)} ${still}`)
  const title = wrap(paint.dim(`${o.y}${saturated}${together}`), Math.max(20, (o.width ?? 72) - gutter - 1))
  return [
    ...title.map((text) => `${" ".repeat(gutter)} ${text}`),
    ...body,
    axis(xs, x0, x1, columns, gutter, paint),
    ...flow([paint.dim(o.x), ...legend], o.width ?? 72, gutter + 2),
  ].join("\n")
}

function axis(xs: readonly number[], x0: number, x1: number, columns: number, gutter: number, paint: Paint): string {
  const rule = new Array<string>(columns).fill("─")
  const labels = new Array<string>(columns + 6).fill(" ")
  for (const x of xs) {
    const at = Math.round(((x - x0) / (x1 - x0)) * (columns - 1))
    rule[at] = "┬"
    const text = String(x)
    const from = Math.max(0, at - (text.length >> 1))
    for (let i = 0; i < text.length; i++) labels[from + i] = text[i]
  }
  return paint.dim(`${" ".repeat(gutter)} └${rule.join("")}\n${" ".repeat(gutter + 2)}${labels.join("").trimEnd()}`)
}

/** Round numbers that hold [low, high], about `n` of them. */
export function ticks(low: number, high: number, n: number): number[] {
  const raw = (high - low || 1) / n
  const power = 10 ** Math.floor(Math.log10(raw))
  const step = ([1, 2, 2.5, 5, 10].find((m) => m * power >= raw * 0.999) ?? 10) * power
  const first = Math.floor(low / step + 1e-9)
  const last = Math.ceil(high / step - 1e-9)
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)))
}

function line(cells: Cell[][], xa: number, ya: number, xb: number, yb: number, series: number): void {
  const steps = Math.max(1, Math.ceil(Math.max(Math.abs(xb - xa), Math.abs(yb - ya))))
  for (let i = 0; i <= steps; i++) {
    const x = Math.round(xa + ((xb - xa) * i) / steps)
    const y = Math.round(ya + ((yb - ya) * i) / steps)
    const cell = cells[y >> 2]?.[x >> 1]
    if (cell === undefined) continue
    cell.bits |= dots[(y & 3) * 2 + (x & 1)]
    cell.series = series
  }
}
