// Observable Plot without a browser: one document of linkedom, the size and type of all figures, and the marks they
// share.
import * as Plot from "@observablehq/plot"
import { parseHTML } from "linkedom"
import type { Axis } from "./figure.ts"
import { colourOf, dashOf, markerPath } from "./theme.ts"

export const { document } = parseHTML("<!doctype html><html><body></body></html>")

/** Names without quotes: they stand in attributes, and some renderers stumble over quotes there. */
export const FONT = "Helvetica Neue, Helvetica, Arial, Liberation Sans, DejaVu Sans, sans-serif"
export const SERIF = "Times New Roman, Times, Liberation Serif, DejaVu Serif, serif"
export const narrow = (width: number): boolean => width < 420

type Scaled = { apply(value: number | string): number; readonly bandwidth?: number }
export type Drawn = { readonly element: Element; scale(name: "x" | "y"): Scaled }

export function plot(options: Plot.PlotOptions): Drawn {
  const element = Plot.plot({
    // linkedom's document does all that Plot needs; its type is not the browser's
    document: document as unknown as Document,
    style: { color: "var(--ink)", fontFamily: FONT, fontSize: "12px", background: "none" },
    ...options,
  })
  return {
    element,
    scale(name) {
      const scale = element.scale(name)
      if (scale === undefined) throw new Error(`the figure has no scale ${name}`)
      return {
        apply: (v) => Number(scale.apply(v)),
        ...(scale.bandwidth === undefined ? {} : { bandwidth: scale.bandwidth }),
      }
    },
  }
}

/** Options of a scale for an axis of numbers. */
export function scaleOf(axis: Axis, domain: readonly [number, number]): Plot.ScaleOptions {
  return {
    domain: [axis.min ?? domain[0], axis.max ?? domain[1]],
    type: axis.log === true ? "log" : "linear",
    label: null,
  }
}

/** Axes in the manner of a printed figure: quiet ticks, the label of x below; the label of y is yLabel(). */
export function axes(x: Axis, y: Axis, width: number): Plot.Markish[] {
  const ticks = narrow(width) ? 5 : 8
  const common = { stroke: "none", tickSize: 0, fill: "var(--muted)" }
  const format = (axis: Axis): { tickFormat?: string | ((v: number) => string) } => {
    if (axis.format === "percent") return { tickFormat: (v: number) => `${Math.round(v * 100)} %` }
    return axis.log === true ? { tickFormat: "~s" } : {}
  }
  return [
    Plot.gridY({ stroke: "var(--grid)", strokeOpacity: 1, strokeWidth: 0.8, ticks: 6 }),
    Plot.axisY({ ...common, label: null, ticks: 6, ...format(y) }),
    Plot.axisX({ ...common, label: x.label, labelArrow: "none", labelAnchor: "center", ticks, ...format(x) }),
  ]
}

/** A second axis of y: `level` takes its values to those of the first. */
export function rightAxis(
  axis: Axis,
  [low, high]: readonly [number, number],
  level: (v: number) => number,
): Plot.Markish {
  const at = [0, 0.25, 0.5, 0.75, 1].map((part) => low + part * (high - low))
  const texts = new Map(
    at.map((v) => [
      level(v),
      axis.format === "percent" ? `${Math.round(v * 100)} %` : String(Number(v.toPrecision(3))),
    ]),
  )
  return Plot.axisY([...texts.keys()], {
    anchor: "right",
    label: null,
    stroke: "none",
    tickSize: 0,
    fill: "var(--muted)",
    tickFormat: (v: number) => texts.get(v) ?? "",
  })
}

/** The label of y lies flat above its axis, where it can be read; that of a second axis ends at the right edge. */
export function yLabel(axis: Axis, marginTop: number, rightEdge?: number): string {
  const place = rightEdge === undefined ? 'x="6" text-anchor="start"' : `x="${rightEdge - 6}" text-anchor="end"`
  return `<text ${place} y="${marginTop - 14}" fill="var(--muted)">${escaped(axis.label)}</text>`
}

/** A legend above the figure: marker, dash and name of each line, wrapped to the width. Returns its marks as text and
 *  its height. */
export function legend(
  names: readonly string[],
  left: number,
  width: number,
  kind: "markers" | "lines" | "areas",
): { svg: string; height: number } {
  if (names.length < 2) return { svg: "", height: 0 }
  let x = left
  let row = 0
  const items = names.map((name, i) => {
    const size = (kind === "areas" ? 24 : 34) + textWidth(name)
    if (x > left && x + size > width) {
      x = left
      row++
    }
    const item = legendItem(name, i, x, 12 + row * 19, kind)
    x += size + 14
    return item
  })
  return { svg: `<g aria-label="legend">${items.join("")}</g>`, height: 12 + (row + 1) * 19 }
}

function legendItem(name: string, line: number, x: number, y: number, kind: "markers" | "lines" | "areas"): string {
  const text =
    `<text x="${x + (kind === "areas" ? 20 : 28)}" y="${y}" dy="0.35em" ` +
    `text-anchor="start" fill="var(--ink)">${escaped(name)}</text>`
  if (kind === "areas") return `<rect x="${x}" y="${y - 6}" width="13" height="12" fill="${colourOf(line)}"/>${text}`
  const dash = dashOf(line) === undefined ? "" : ` stroke-dasharray="${dashOf(line)}"`
  const stroke = `<path d="M${x},${y}h22" stroke="${colourOf(line)}" stroke-width="2"${dash} fill="none"/>`
  const marker =
    kind === "markers"
      ? `<path d="${markerPath(line, 4)}" transform="translate(${x + 11},${y})" fill="${colourOf(line)}"/>`
      : ""
  return stroke + marker + text
}

/** Width of a text at 12 pixels: there is no font to measure here, and a generous guess only wraps earlier. */
export function textWidth(text: string): number {
  return 6.3 * text.length
}

export function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")
}

/** A complete picture: what Plot drew, more marks on top, a title for screen readers, coordinates to a hundredth. */
export function finish(drawn: Drawn, extra: string, title: string): string {
  drawn.element.querySelector("style")?.remove()
  drawn.element.removeAttribute("class")
  const text = drawn.element.outerHTML.replace(/<[^>]+>/g, (tag) => tag.replace(/(\d\.\d\d)\d+/g, "$1"))
  const open = text.indexOf(">") + 1
  const head = text.slice(0, open).replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg" role="img"')
  return `${head}<title>${escaped(title)}</title>${text.slice(open, text.lastIndexOf("</svg>"))}${extra}</svg>`
}
