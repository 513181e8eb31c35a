// Horizontal bars: names are long, and a phone is narrow. With intervals, or cut into parts that add up.
import * as Plot from "@observablehq/plot"
import type { Drawing, Hit } from "./drawing.ts"
import type { BarsFigure, StackFigure } from "./figure.ts"
import { shown, withInterval } from "./format.ts"
import { escaped, finish, legend, narrow, plot, textWidth } from "./plot.ts"
import { colourOf } from "./theme.ts"

const BAR = 30
/** With the name above it. */
const TALL = 50
/** Share of the width that names may take next to the bars. */
const BESIDE = 0.42

export function drawBars(figure: BarsFigure, width: number): Drawing {
  const { bars } = figure
  const names = bars.map((b) => b.name)
  const { marginLeft, step, padding } = layout(names, width)
  const height = step * bars.length + 62
  const most = Math.max(...bars.map((b) => b.high ?? b.value), 0) || 1
  const labels = bars.map((b) => (b.high === undefined ? shown(b.value) : withInterval(b.value, (b.high - b.low!) / 2)))
  const space = Math.max(...labels.map(textWidth)) + 12
  const inner = width - marginLeft - 16
  const drawn = plot({
    width,
    height,
    marginTop: 14,
    marginLeft,
    marginRight: 16,
    marginBottom: 44,
    x: { domain: [0, (figure.x.max ?? most) * (inner / Math.max(60, inner - space))], label: null },
    y: { domain: names, label: null, padding, axis: null },
    marks: [
      ...barAxes(names, width),
      Plot.barX(bars, { x: "value", y: "name", fill: colourOf(0) }),
      Plot.ruleY(
        bars.filter((b) => b.high !== undefined),
        { x1: "low", x2: "high", y: "name", stroke: "var(--ink)", strokeWidth: 1.4, strokeOpacity: 0.8 },
      ),
      Plot.text(bars, {
        x: (b: { value: number; high?: number }) => Math.max(b.value, b.high ?? 0),
        y: "name",
        text: labels,
        dx: 8,
        textAnchor: "start",
        fill: "var(--ink)",
      }),
    ],
  })
  const [x, y] = [drawn.scale("x"), drawn.scale("y")]
  const hits = bars.map(
    (b): Hit => ({
      x: x.apply(0),
      y: y.apply(b.name),
      w: x.apply(b.value) - x.apply(0),
      h: y.bandwidth ?? BAR,
      title: b.name,
      facts: b.facts,
    }),
  )
  return { svg: finish(drawn, xLabel(figure.x.label, marginLeft, width, height), figure.title), width, height, hits }
}

export function drawStack(figure: StackFigure, width: number): Drawing {
  const names = figure.rows.map((r) => r.name)
  const { marginLeft, step, padding } = layout(names, width)
  const top = legend(figure.parts, 6, width - 10, "areas")
  const height = step * names.length + 62 + top.height
  const cut = figure.rows.flatMap((r) => {
    let from = 0
    return r.values.map((v, part) => ({
      name: r.name,
      part,
      from,
      to: (from += v),
      value: v,
      total: r.values.reduce((a, b) => a + b, 0),
    }))
  })
  const drawn = plot({
    width,
    height,
    marginTop: 14 + top.height,
    marginLeft,
    marginRight: 16,
    marginBottom: 44,
    x: { domain: [0, (Math.max(...cut.map((c) => c.to), 0) || 1) * 1.02], label: null },
    y: { domain: names, label: null, padding, axis: null },
    marks: [
      ...barAxes(names, width),
      Plot.barX(cut, {
        x1: "from",
        x2: "to",
        y: "name",
        fill: (c: { part: number }) => colourOf(c.part),
        stroke: "var(--paper)",
        strokeWidth: 1,
      }),
    ],
  })
  const [x, y] = [drawn.scale("x"), drawn.scale("y")]
  const hits = cut.map(
    (c): Hit => ({
      x: x.apply(c.from),
      y: y.apply(c.name),
      w: x.apply(c.to) - x.apply(c.from),
      h: y.bandwidth ?? BAR,
      title: c.name,
      facts: [
        [figure.parts[c.part], c.value],
        ["of", c.total],
      ],
    }),
  )
  return {
    svg: finish(drawn, top.svg + xLabel(figure.x.label, marginLeft, width, height), figure.title),
    width,
    height,
    hits,
  }
}

/** Places names next to their bars, or above them if they are too long for that. */
function layout(
  names: readonly string[],
  width: number,
): { marginLeft: number; step: number; padding: number; above: boolean } {
  const beside = Math.max(...names.map(textWidth)) + 14
  if (beside <= width * BESIDE) return { marginLeft: beside, step: BAR, padding: 0.38, above: false }
  return { marginLeft: 12, step: TALL, padding: 0.62, above: true }
}

/** Under the middle of the axis, but inside the picture, because bars on a phone leave little space. */
function xLabel(label: string, marginLeft: number, width: number, height: number): string {
  const half = textWidth(label) / 2
  const x = Math.max(half + 4, Math.min((marginLeft + width - 16) / 2, width - half - 4))
  return `<text x="${x.toFixed(1)}" y="${height - 8}" text-anchor="middle" fill="var(--muted)">${escaped(label)}</text>`
}

function barAxes(names: readonly string[], width: number): Plot.Markish[] {
  const quiet = { stroke: "none", tickSize: 0 }
  const letters = Math.floor((width - 28) / 6.3)
  const cut = (s: string): string => (s.length > letters ? `${s.slice(0, letters - 1)}…` : s)
  const { above } = layout(names, width)
  return [
    Plot.gridX({ stroke: "var(--grid)", strokeOpacity: 1, strokeWidth: 0.8, ticks: narrow(width) ? 4 : 7 }),
    Plot.axisX({ ...quiet, fill: "var(--muted)", label: null, ticks: narrow(width) ? 4 : 7 }),
    above
      ? Plot.text([...names], {
          x: 0,
          y: (s: string) => s,
          text: cut,
          dy: -TALL * 0.4,
          textAnchor: "start",
          fill: "var(--ink)",
        })
      : Plot.axisY({ ...quiet, fill: "var(--ink)", label: null }),
  ]
}
