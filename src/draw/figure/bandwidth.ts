// What each of several streams gets, one upon the other, along what was swept: a figure for each curve of the results.
import { estimate } from "../../results/compare/points.ts"
import type { AreasFigure, Axis } from "./figure.ts"
import { type Arranged, xOf } from "./series.ts"

export function bandwidths(a: Arranged, streams: readonly string[], x: Axis): AreasFigure[] {
  const key = a.x
  if (key === undefined || streams.length < 2) return []
  return a.series.flatMap((s) => {
    // a point where one stream was not measured would have a hole in the stack
    const whole = s.points
      .map((p) => ({
        x: xOf(p, key, a.isLoad),
        values: streams.map((name) => estimate(p.runs, `${name}.accepted`)?.mean),
      }))
      .filter((p): p is { x: number; values: number[] } => p.values.every((v) => v !== undefined && Number.isFinite(v)))
      .sort((p, q) => p.x - q.x)
    if (whole.length < 2) return []
    const only = a.series.length === 1
    return [
      {
        kind: "areas" as const,
        id: only ? "bandwidth" : `bandwidth-${s.name}`,
        title: only ? "Accepted load of each stream" : `Accepted load of each stream, ${s.name}`,
        caption: "The height of a layer is the accepted load of its stream; the upper edge is the total.",
        x,
        y: { label: "Accepted load (fraction of an endpoint channel)" },
        at: whole.map((p) => p.x),
        layers: streams.map((name, i) => ({ name, values: whole.map((p) => p.values[i]) })),
      },
    ]
  })
}
