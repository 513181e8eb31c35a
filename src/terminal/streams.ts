// The table of `run` for experiments with several streams: what each stream offers, what arrives of it, and its
// latency.
import type { PointSummary } from "../results/summary.ts"
import type { Paint } from "./paint.ts"
import { dashes, interval } from "./show.ts"
import { table } from "./table.ts"

const OFFERED = ".offered"
const shown = [
  ["offered", "offered (fraction)"],
  ["accepted", "accepted (fraction)"],
  ["latency.mean", "latency (cycles)"],
  ["latency.p99", "p99 (cycles)"],
] as const

/** Rows that the terminal shows; the report has all. */
const MOST = 24

/** Returns the names of the streams, in the order of their values. */
function streamsIn(rows: readonly PointSummary[]): string[] {
  const values = rows.flatMap((r) => [...Object.keys(r.values), ...Object.keys(r.missing)])
  return [...new Set(values.filter((v) => v.endsWith(OFFERED)).map((v) => v.slice(0, -OFFERED.length)))]
}

/** One row for each point and stream; empty if there is one stream. */
export function streamTable(rows: readonly PointSummary[], paint: Paint, width = Number.POSITIVE_INFINITY): string {
  const streams = streamsIn(rows)
  if (streams.length < 2) return ""
  const keys = [...new Set(rows.flatMap((r) => Object.keys(r.point)))]
  const all = rows.flatMap((row) => streams.map((stream) => ({ row, stream })))
  const some = all.slice(0, MOST)
  const columns = [
    ...keys.map((head) => ({ head })),
    { head: "stream" },
    ...shown.map(([, head]) => ({ head, align: "right" as const })),
  ]
  const cells = some.map(({ row, stream }) => [
    ...keys.map((key) => String(row.point[key] ?? "")),
    stream,
    ...shown.map(([value]) => interval(row.values[`${stream}.${value}`])),
  ])
  const names = streams.flatMap((stream) => shown.map(([value]) => `${stream}.${value}`))
  const notes = dashes(
    some.map(({ row }) => row),
    names,
  )
  const more = all.length - some.length
  return [
    table(columns, cells, paint, width),
    ...notes.map((line) => paint.dim(line)),
    ...(more > 0 ? [`and ${more} more rows, see the report`] : []),
  ].join("\n")
}
