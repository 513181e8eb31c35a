// A time line: one row for each rank, with a box for each interval. The boxes are plain rectangles, because a long
// program has thousands; axis and legend are drawn around them.
import type { Drawing, Hit } from "./drawing.ts"
import type { SpansFigure } from "./figure.ts"
import { shown } from "./format.ts"
import { escaped, FONT, legend, narrow, textWidth } from "./plot.ts"
import { colourOf } from "./theme.ts"

const ROW = 18
const LEAST = 5

export function drawSpans(figure: SpansFigure, width: number): Drawing {
  const { rows, x } = figure
  const left = Math.min(width * 0.3, 14 + Math.max(...rows.map((r) => textWidth(r.name)), 20))
  const head = legend(figure.parts, 6, width - 10, "areas")
  const top = 10 + head.height
  const high = Math.max(LEAST, Math.min(ROW, 420 / rows.length))
  const inner = width - left - 16
  const [from, until] = [x.min ?? 0, x.max ?? 1]
  const at = (time: number) => left + (inner * (time - from)) / (until - from || 1)
  const bottom = top + high * rows.length
  const height = Math.round(bottom + 44)
  const boxes = rows.flatMap((row, r) =>
    row.spans.map((s) => ({ ...s, row: row.name, x: at(s.from), w: at(s.until) - at(s.from), y: top + r * high })),
  )
  const every = Math.ceil(15 / high)
  const parts = [
    head.svg,
    ...ticks(from, until, narrow(width) ? 4 : 7).map(
      (t) =>
        `<path d="M${n(at(t))},${top}V${n(bottom)}" stroke="var(--grid)" stroke-width="0.8"/>` +
        `<text x="${n(at(t))}" y="${n(bottom + 16)}" text-anchor="middle">${shown(t)}</text>`,
    ),
    `<g shape-rendering="crispEdges">${boxes
      .map((b) => {
        // An interval that is shorter than a pixel stays visible.
        const size = `width="${n(Math.max(b.w, 0.5))}" height="${n(high - (high > 8 ? 2 : 0.5))}"`
        return `<rect x="${n(b.x)}" y="${n(b.y)}" ${size} fill="${colourOf(b.part)}"/>`
      })
      .join("")}</g>`,
    ...rows.flatMap(({ name }, r) =>
      r % every === 0
        ? [
            `<text x="${n(left - 6)}" y="${n(top + (r + 0.5) * high)}" dy="0.35em" text-anchor="end">${escaped(name)}</text>`,
          ]
        : [],
    ),
    `<text x="${n(left + inner / 2)}" y="${height - 8}" text-anchor="middle">${escaped(x.label)}</text>`,
  ]
  const hits = boxes.map((b): Hit => ({ x: b.x, y: b.y, w: Math.max(b.w, 1), h: high, title: b.row, facts: b.facts }))
  const size = `viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" ${size} fill="var(--muted)" font-family="${FONT}" ` +
    `font-size="12"><title>${escaped(figure.title)}</title>${parts.join("")}</svg>`
  return { svg, width, height, hits }
}

const n = (v: number): string => String(Math.round(v * 100) / 100)

/** Returns round times between both ends, at most about `count` of them. */
function ticks(from: number, until: number, count: number): number[] {
  const least = (until - from) / count
  if (!(least > 0)) return [from]
  const unit = 10 ** Math.floor(Math.log10(least))
  const step = unit * ([1, 2, 5].find((f) => f * unit >= least) ?? 10)
  const first = Math.ceil(from / step)
  return Array.from({ length: Math.floor(until / step) - first + 1 }, (_, i) => (first + i) * step)
}
