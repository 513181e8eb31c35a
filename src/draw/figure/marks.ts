// Numbers from another source next to lacewing's lines, such as those in the text of a paper. A cross marks a number
// with both coordinates, a rule across the figure one with a single coordinate.
import * as Plot from "@observablehq/plot"
import type { Hit } from "./drawing.ts"
import type { Fact, LinesFigure, Mark } from "./figure.ts"
import { escaped } from "./plot.ts"

const CROSS = "M-5,-5L5,5M-5,5L5,-5"
const stroke = 'stroke="var(--ink)" fill="none"'
const dashes = "6 4"

export function ruled(marks: readonly Mark[]): Plot.Markish[] {
  const style = { stroke: "var(--ink)", strokeWidth: 1, strokeOpacity: 0.7, strokeDasharray: dashes }
  return [
    Plot.ruleX(
      marks.filter((m) => m.y === undefined && m.x !== undefined),
      { x: "x", ...style },
    ),
    Plot.ruleY(
      marks.filter((m) => m.x === undefined && m.y !== undefined),
      { y: "y", ...style },
    ),
  ]
}

type Places = {
  x(value: number): number
  y(value: number): number
  /** inside of the axes */
  readonly area: { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number }
  readonly axes: Pick<LinesFigure, "x" | "y">
}

/** The crosses, and where all marks can be read: rules along all of their length. */
export function marksOf(marks: readonly Mark[], places: Places): { svg: string; hits: Hit[] } {
  const { left, top, right, bottom } = places.area
  const crosses = marks.filter((m): m is Mark & { x: number; y: number } => m.x !== undefined && m.y !== undefined)
  const svg = crosses
    .map(
      (m) =>
        `<path d="${CROSS}" ` +
        `transform="translate(${places.x(m.x).toFixed(2)},${places.y(m.y).toFixed(2)})" ` +
        `${stroke} stroke-width="2.2"/>`,
    )
    .join("")
  const facts = (m: Mark): Fact[] => [
    ["from", m.source],
    ...(m.x === undefined ? [] : [[places.axes.x.label, m.x] as const]),
    ...(m.y === undefined ? [] : [[places.axes.y.label, m.y] as const]),
  ]
  const hits = marks.map((m): Hit => {
    const said = { title: m.name, facts: facts(m) }
    if (m.x === undefined) return { x: left, y: places.y(m.y ?? 0), w: right - left, h: 0, ...said }
    if (m.y === undefined) return { x: places.x(m.x), y: top, w: 0, h: bottom - top, ...said }
    return { x: places.x(m.x), y: places.y(m.y), ...said }
  })
  return { svg, hits }
}

/** A line of the legend that says what crosses and dashed rules are. */
export function markKey(
  marks: readonly Mark[],
  top: number,
  are = "numbers in the paper's text",
): { svg: string; height: number } {
  if (marks.length === 0) return { svg: "", height: 0 }
  const y = Math.max(12, top)
  const rule = `<path d="M6,${y}h22" ${stroke} stroke-opacity="0.7" stroke-dasharray="${dashes}"/>`
  const cross = `<path d="${CROSS}" transform="translate(17,${y}) scale(0.8)" ${stroke} stroke-width="2.2"/>`
  const crossed = marks.some((m) => m.x !== undefined && m.y !== undefined)
  const text = `<text x="34" y="${y}" dy="0.35em" text-anchor="start" fill="var(--ink)">${escaped(are)}</text>`
  return { svg: (crossed ? cross : rule) + text, height: top === 0 ? 31 : 19 }
}
