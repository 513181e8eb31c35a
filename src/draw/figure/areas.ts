// Stacked areas: the bandwidth of service levels over load or time. The height of a layer is its value, the upper edge
// the sum of those below it and itself.
import * as Plot from "@observablehq/plot"
import type { Drawing, Hit } from "./drawing.ts"
import type { AreasFigure } from "./figure.ts"
import { axes, finish, legend, narrow, plot, scaleOf, yLabel } from "./plot.ts"
import { colourOf } from "./theme.ts"

/** One value of one layer with the edges between which it is drawn. */
export interface Slice {
  readonly layer: number
  readonly x: number
  readonly value: number
  readonly from: number
  readonly to: number
  /** of all layers at this x */
  readonly total: number
}

export function slicesOf({ at, layers }: AreasFigure): Slice[] {
  const totals = at.map((_, i) => layers.reduce((sum, l) => sum + l.values[i], 0))
  const edge = at.map(() => 0)
  return layers.flatMap((l, layer) =>
    at.map((x, i) => {
      const from = edge[i]
      const value = l.values[i]
      edge[i] = from + value
      return { layer, x, value, from, to: from + value, total: totals[i] }
    }),
  )
}

export function drawAreas(figure: AreasFigure, width: number): Drawing {
  const [marginLeft, marginRight, marginBottom] = [50, 18, 44]
  const slices = slicesOf(figure)
  const top = legend(
    figure.layers.map((l) => l.name),
    6,
    width - 10,
    "areas",
  )
  const marginTop = 30 + top.height
  const height = Math.round(width * (narrow(width) ? 0.72 : 0.52)) + top.height
  const most = Math.max(...slices.map((s) => s.to), 0) || 1
  const [first = 0, last = 1] = [figure.at[0], figure.at.at(-1)]
  const drawn = plot({
    width,
    height,
    marginTop,
    marginLeft,
    marginRight,
    marginBottom,
    x: scaleOf(figure.x, [figure.x.min ?? first, figure.x.max ?? (last > first ? last : first + 1)]),
    y: scaleOf(figure.y, [0, figure.y.max ?? most * 1.02]),
    marks: [
      ...axes(figure.x, figure.y, width),
      Plot.areaY(slices, {
        x: "x",
        y1: "from",
        y2: "to",
        z: "layer",
        fill: (s: Slice) => colourOf(s.layer),
        stroke: "var(--paper)",
        strokeWidth: 1,
      }),
      Plot.ruleY([0], { stroke: "var(--muted)", strokeWidth: 1 }),
    ],
  })
  const [x, y] = [drawn.scale("x"), drawn.scale("y")]
  const hits = slices.map(
    (s): Hit => ({
      x: x.apply(s.x),
      y: y.apply((s.from + s.to) / 2),
      title: figure.layers[s.layer].name,
      facts: [
        [figure.x.label, s.x],
        [figure.y.label, s.value],
        ["of", s.total],
      ],
    }),
  )
  return { svg: finish(drawn, top.svg + yLabel(figure.y, marginTop), figure.title), width, height, hits }
}
