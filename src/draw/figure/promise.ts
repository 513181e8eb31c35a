// The service of each stream compared with the share that the scheduler's table or weights guarantee: its part of them,
// or its whole offered load where that is less. There is a bar for each stream at the highest load of a line. It is
// divided into the guaranteed part, the missing part and the excess.
import { estimate, type Point } from "../../results/compare/points.ts"
import type { RunRecord } from "../../results/record.ts"
import type { StackFigure } from "./figure.ts"
import { type Arranged, whereOf } from "./series.ts"

export function promises(a: Arranged, streams: readonly string[]): StackFigure[] {
  return a.series.flatMap((s) => {
    const point = s.points.at(-1)!
    const shares = sharesOf(point.runs[0])
    const rows = streams.flatMap((name) => rowOf(point, name, shares.get(name)))
    if (rows.length < 2) return []
    const named = [a.series.length === 1 ? "" : s.name, whereOf(point, a)].filter((w) => w !== "").join(" at ")
    return [
      {
        kind: "stack" as const,
        id: a.series.length === 1 ? "promise" : `promise-${s.name}`,
        title: named === "" ? "Received against guaranteed share" : `Received against guaranteed share: ${named}`,
        caption:
          "The guaranteed share is the fraction of the table weights, or the " +
          "offered load of the stream if that is lower.",
        x: { label: "Fraction of an endpoint channel" },
        parts: ["guaranteed and received", "guaranteed but not received", "more than guaranteed"],
        rows,
      },
    ]
  })
}

function rowOf(point: Point, name: string, share: number | undefined): StackFigure["rows"][number][] {
  const [asked, got] = [estimate(point.runs, `${name}.offered`)?.mean, estimate(point.runs, `${name}.accepted`)?.mean]
  if (share === undefined || asked === undefined || got === undefined) return []
  const promised = Math.min(asked, share)
  return [{ name, values: [Math.min(got, promised), Math.max(0, promised - got), Math.max(0, got - promised)] }]
}

/** Stream -> its part of the weights. Streams that share a class have no separate part. */
function sharesOf({ spec }: RunRecord): Map<string, number> {
  const weights = weightsOf(spec.network["qos"])
  const all = weights.reduce((sum, w) => sum + w, 0)
  const classes = spec.traffic.map((t) => t.class)
  const alone = spec.traffic.filter(
    (t) => classes.filter((c) => c === t.class).length === 1 && weights[t.class] !== undefined,
  )
  return new Map(alone.map((t) => [t.name, weights[t.class] / all]))
}

/** By class; nothing for schedulers that promise no shares. */
function weightsOf(qos: unknown): number[] {
  const { table, quanta, weights } = (qos ?? {}) as Readonly<Record<string, unknown>>
  if (table !== undefined) {
    const sums: number[] = []
    // a text of entries, or a list of them
    const entries = [table].flat().join(",").split(",")
    for (const [queue, weight] of entries.map((e) => e.split(":").map(Number)))
      sums[queue!] = (sums[queue!] ?? 0) + weight!
    return Array.from(sums, (w) => w ?? 0)
  }
  const list = quanta ?? weights
  return Array.isArray(list) ? list.map(Number) : []
}
