// Grids of coloured cells: load of every channel, traffic between groups, how full routers were. The cells are plain
// rectangles; axes and legend are drawn around them.

import type { Drawing, Hit } from "./drawing.ts"
import type { Axis, CellsFigure } from "./figure.ts"
import { shown } from "./format.ts"
import { escaped, FONT, narrow } from "./plot.ts"
import { heat } from "./theme.ts"

export function drawCells(figure: CellsFigure, width: number): Drawing {
  const named = figure.bands?.map((b) => b.name) ?? figure.y.names
  const longest = (named ?? []).reduce((most, name) => Math.max(most, name.length), 3)
  const left = named === undefined ? 50 : Math.min(figure.bands === undefined ? 160 : 90, 24 + 6.6 * longest)
  const top = 46
  const inner = width - left - 12
  const size = Math.min(inner / figure.columns, 34)
  const tall =
    figure.bands === undefined && figure.tall !== true ? size : Math.max(size, Math.min(18, 260 / figure.rows))
  const gap = size > 7 ? 1 : size > 4 ? 0.5 : 0
  const [wide, high] = [size * figure.columns, tall * figure.rows]
  const height = Math.round(top + high + 44)
  const cells = figure.cells.map((c) => {
    const at = `x="${n(left + c.x * size)}" y="${n(top + c.y * tall)}"`
    return `<rect ${at} width="${n(size - gap)}" height="${n(tall - gap)}" fill="${heat(c.value / figure.max)}"/>`
  })
  const hits = figure.cells.map(
    (c): Hit => ({ x: left + c.x * size, y: top + c.y * tall, w: size, h: tall, title: "", facts: c.facts }),
  )
  const parts = [
    `<g shape-rendering="${gap === 0 ? "crispEdges" : "auto"}">${cells.join("")}</g>`,
    ...ticksX(figure, left, size, top + high, width),
    ...(figure.bands === undefined ? ticksY(figure, left, tall, top) : bands(figure, left, tall, top)),
    `<text x="${n(left + wide / 2)}" y="${height - 8}" text-anchor="middle">${escaped(figure.x.label)}</text>`,
    `<text x="4" y="${top - 12}" text-anchor="start">${escaped(figure.y.label)}</text>`,
    colourKey(figure, left + wide, top - 34),
  ]
  const head =
    `xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 ${width} ` +
    `${height}" width="${width}" height="${height}"`
  const svg =
    `<svg ${head} fill="var(--muted)" font-family="${FONT}" ` +
    `font-size="12"><title>${escaped(figure.title)}</title>${parts.join("")}</svg>`
  return { svg, width, height, hits }
}

const n = (v: number): string => String(Math.round(v * 100) / 100)

function steps(count: number, space: number): number[] {
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000].find((s) => count / s <= space) ?? count
  return Array.from({ length: Math.ceil(count / step) }, (_, i) => i * step)
}

/** Longer names do not fit next to the map. */
const LONGEST = 22

/** Returns the name of a column or row, or its number. */
function tick({ names, step = 1, min = 0 }: Axis, i: number): string {
  const name = names?.[i]
  if (name === undefined) return String(i * step + min)
  return escaped(name.length > LONGEST ? `${name.slice(0, LONGEST - 1)}…` : name)
}

function ticksX(figure: CellsFigure, left: number, size: number, bottom: number, width: number): string[] {
  return steps(figure.columns, narrow(width) ? 8 : 16).map(
    (c) =>
      `<text x="${n(left + (c + 0.5) * size)}" y="${n(bottom + 16)}" ` +
      `text-anchor="middle">${tick(figure.x, c)}</text>`,
  )
}

function ticksY(figure: CellsFigure, left: number, tall: number, top: number): string[] {
  return steps(figure.rows, Math.max(4, (figure.rows * tall) / 22)).map(
    (r) =>
      `<text x="${left - 6}" y="${n(top + (r + 0.5) * tall)}" dy="0.35em" ` +
      `text-anchor="end">${tick(figure.y, r)}</text>`,
  )
}

function bands(figure: CellsFigure, left: number, tall: number, top: number): string[] {
  const all = figure.bands ?? []
  return all.map((b, i) => {
    const end = all[i + 1]?.row ?? figure.rows
    const middle = top + ((b.row + end) / 2) * tall
    const bar =
      "<path " +
      `d="M${left - 5},${n(top + b.row * tall + 1)}V${n(top + end * tall - 2)}" ` +
      `stroke="var(--grid)" stroke-width="2"/>`
    return `${bar}<text x="${left - 11}" y="${n(middle)}" dy="0.35em" text-anchor="end">${escaped(b.name)}</text>`
  })
}

/** The colour key: twenty steps with the ends named. */
export function colourKey(figure: Pick<CellsFigure, "unit" | "max">, right: number, y: number): string {
  const [wide, x] = [120, right - 120 - 36]
  const blocks = Array.from(
    { length: 20 },
    (_, i) =>
      `<rect x="${n(x + (i * wide) / 20)}" y="${y}" ` +
      `width="${n(wide / 20 + 0.3)}" height="9" fill="${heat((i + 0.5) / 20)}"/>`,
  )
  const ends =
    `<text x="${n(x - 6)}" y="${y + 9}" text-anchor="end">${escaped(figure.unit)} 0</text><text ` +
    `x="${n(x + wide + 6)}" y="${y + 9}" text-anchor="start">${shown(figure.max)}</text>`
  return blocks.join("") + ends
}
