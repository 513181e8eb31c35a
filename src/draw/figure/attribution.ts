// Where the time goes: the mean latency of the measured packets cut into what they waited for (table `attribution`:
// part, cycles), a bar for each point that is carried, a figure for each line. Means over the seeds, so the parts of a
// bar add up to the mean latency as the runs' own do.
import { isCarried, type Point } from "../../results/compare/points.ts"
import type { StackFigure } from "./figure.ts"
import { type Arranged, type Series, whereOf } from "./series.ts"

/** More figures, or bars in one, than these are clutter: the first lines are shown, and the points spread over the
 *  line. */
const FIGURES = 4
const BARS = 12

export type Attributed = {
  readonly series: Series
  readonly point: Point
  readonly name: string
  readonly cycles: ReadonlyMap<string, number>
}

/** Returns the name of a part in legends and tables. */
export function partName(part: string): string {
  return part === "detour" ? "non-minimal hops" : part
}

/** Every point with an attribution, in the order of the lines. */
export function attributed(a: Arranged): Attributed[] {
  return a.series.flatMap((series) =>
    series.points.flatMap((point) => {
      const runs = point.runs.map((r) => r.result.tables["attribution"]).filter((t) => t !== undefined)
      if (runs.length === 0 || !isCarried(point)) return []
      const cycles = new Map<string, number>()
      for (const t of runs)
        for (const [i, part] of (t["part"] ?? []).entries())
          cycles.set(String(part), (cycles.get(String(part)) ?? 0) + Number(t["cycles"]?.[i]) / runs.length)
      return [{ series, point, name: a.x === undefined ? series.name : whereOf(point, a), cycles }]
    }),
  )
}

export function attribution(a: Arranged): StackFigure[] {
  const all = attributed(a)
  const parts = [...new Set(all.flatMap((p) => [...p.cycles.keys()]))]
  const figure = (id: string, of: string, points: readonly Attributed[]): StackFigure => ({
    kind: "stack",
    id,
    title: of === "" ? "Where the time goes" : `Where the time goes: ${of}`,
    caption: "Mean latency of the measured packets, split by the reason for each cycle.",
    x: { label: "Mean latency (cycles)" },
    parts: parts.map(partName),
    rows: points.map((p) => ({ name: p.name, values: parts.map((part) => p.cycles.get(part) ?? 0) })),
  })
  if (all.length === 0) return []
  if (a.x === undefined) return [figure("attribution", "", some(all))]
  const lines = a.series.filter((s) => all.some((p) => p.series === s)).slice(0, FIGURES)
  return lines.map((s) =>
    figure(
      a.series.length === 1 ? "attribution" : `attribution-${s.name}`,
      a.series.length === 1 ? "" : s.name,
      some(all.filter((p) => p.series === s)),
    ),
  )
}

/** As many as fit, the first and the last among them. */
function some<T>(list: readonly T[]): readonly T[] {
  return list.length <= BARS
    ? list
    : Array.from({ length: BARS }, (_, i) => list[Math.round((i * (list.length - 1)) / (BARS - 1))])
}
