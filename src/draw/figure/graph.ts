// Networks with values on some of their channels: the others are faint lines, values are colours, the strongest on top.
import { colourKey } from "./cells.ts"
import type { Drawing, Hit } from "./drawing.ts"
import type { GraphFigure } from "./figure.ts"
import { escaped, FONT } from "./plot.ts"
import { heat } from "./theme.ts"

const n = (v: number): string => String(Math.round(v * 100) / 100)

export function drawGraph(figure: GraphFigure, width: number): Drawing {
  const { nodes, channels, max } = figure
  const [x0, x1] = [Math.min(...nodes.map((p) => p.x)), Math.max(...nodes.map((p) => p.x))]
  const [y0, y1] = [Math.min(...nodes.map((p) => p.y)), Math.max(...nodes.map((p) => p.y))]
  const [side, top] = [14, 40]
  const scale = (width - 2 * side) / Math.max(1, x1 - x0)
  const high = Math.min(Math.max(120, (y1 - y0) * scale), 0.75 * width)
  const height = Math.round(top + high + side)
  const at = nodes.map((p) => ({
    x: side + (x1 > x0 ? (p.x - x0) * scale : (width - 2 * side) / 2),
    y: top + (y1 > y0 ? ((p.y - y0) / (y1 - y0)) * high : high / 2),
  }))
  const rising = figure.rising === true
  const colour = (value: number): string =>
    rising ? heat(max > 0 ? Math.max(0, value) / max : 0) : heat((max + 1 - value) / (max + 1))
  /** Each direction of a link has its value, so it is drawn a little to the right of the middle. */
  const line = ({ from, to, bent, value }: GraphFigure["channels"][number]): string => {
    const [a, b] = [at[from], at[to]]
    const [dx, dy] = [b.x - a.x, b.y - a.y]
    const aside = rising && value !== undefined ? 1.6 / Math.max(1, Math.hypot(dx, dy)) : 0
    const [right, down] = [-dy * aside, dx * aside]
    // both directions bend to the same side
    const side = from < to ? 0.08 : -0.08
    const control = (part: number): string => `${n(a.x + dx * part - dy * side)} ${n(a.y + dy * part + dx * side)} `
    const curve = bent === true ? `C${control(1 / 3)}${control(2 / 3)}` : "L"
    return `M${n(a.x + right)} ${n(a.y + down)}${curve}${n(b.x + right)} ${n(b.y + down)}`
  }
  const plain = channels.filter((c) => c.value === undefined)
  const valued = channels
    .filter((c) => c.value !== undefined)
    .sort((a, b) => (rising ? a.value! - b.value! : b.value! - a.value!))
  const dot = (i: number): string => {
    const p = nodes[i]
    const r = p.end === true ? 1.6 : p.value === undefined ? 2.6 : 4
    return (
      `<circle cx="${n(at[i].x)}" cy="${n(at[i].y)}" r="${r}" ` +
      `fill="${p.value === undefined ? "var(--muted)" : colour(p.value)}"/>`
    )
  }
  const parts = [
    `<path d="${plain.map(line).join("")}" fill="none" stroke="var(--grid)" stroke-width="0.6"/>`,
    ...valued.map((c) => `<path d="${line(c)}" fill="none" stroke="${colour(c.value!)}" stroke-width="2.6"/>`),
    ...nodes.map((_, i) => dot(i)),
    rising ? colourKey(figure, width, 8) : key(figure, width, colour),
  ]
  const hits: Hit[] = [
    ...nodes.map((p, i): Hit => ({ x: at[i].x, y: at[i].y, title: "", facts: p.facts })),
    ...valued.map(
      (c): Hit => ({
        x: (at[c.from].x + at[c.to].x) / 2,
        y: (at[c.from].y + at[c.to].y) / 2,
        title: "",
        facts: c.facts ?? [],
      }),
    ),
  ]
  const head =
    `xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 ${width} ` +
    `${height}" width="${width}" height="${height}"`
  const svg =
    `<svg ${head} fill="var(--muted)" font-family="${FONT}" ` +
    `font-size="12"><title>${escaped(figure.title)}</title>${parts.join("")}</svg>`
  return { svg, width, height, hits }
}

/** A block of colour for each value. */
function key({ unit, max }: GraphFigure, width: number, colour: (value: number) => string): string {
  const steps = Math.min(12, max + 1)
  const x = width - 14 - 26 * steps
  const blocks = Array.from({ length: steps }, (_, i) => {
    const value = Math.round((i * max) / Math.max(1, steps - 1))
    const left = x + 26 * i
    return (
      `<rect x="${n(left)}" y="8" width="22" height="9" fill="${colour(value)}"/><text ` +
      `x="${n(left + 11)}" y="30" text-anchor="middle">${value}</text>`
    )
  })
  return `<text x="${n(x - 8)}" y="17" text-anchor="end">${escaped(unit)}</text>${blocks.join("")}`
}
