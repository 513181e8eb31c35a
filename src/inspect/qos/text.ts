// The reports of `lacewing qos` as text: the table as a strip, a row for each level, and the reasons.

import type { TableEntry } from "../../model/scheduler.ts"
import { type Paint, plainPaint } from "../../terminal/paint.ts"
import { table } from "../../terminal/table.ts"
import type { ArbitrationReport } from "./arbitration-report.ts"
import { percent, type QosReport } from "./report.ts"

const right = (head: string) => ({ head, align: "right" as const })

/** Sixteen entries per line; a dot is an unused entry. */
export function strip(entries: readonly TableEntry[], name: (queue: number) => string): string {
  const cells = entries.map((e) => (e.weight === 0 ? "·" : `${name(e.queue)}:${e.weight}`))
  const width = Math.max(...cells.map((c) => c.length))
  const lines: string[] = []
  for (let i = 0; i < cells.length; i += 16)
    lines.push(
      `${String(i).padStart(2)}  ${cells
        .slice(i, i + 16)
        .map((c) => c.padEnd(width))
        .join(" ")
        .trimEnd()}`,
    )
  return lines.join("\n")
}

export function qosText(r: QosReport, paint: Paint = plainPaint, width = Number.POSITIVE_INFINITY): string {
  const names = new Map(r.levels.map((l) => [l.vl, l.name]))
  const timed = r.levels.some((l) => l.waitNs !== null)
  const rows = r.levels.map((l) => [
    l.name,
    `${l.sl}`,
    `${l.vl}`,
    percent(l.share),
    percent(l.got),
    `${percent(l.least)} to ${percent(l.most)}`,
    `${l.distance}`,
    `${l.mtuBytes}`,
    runs(l.weights),
    `${l.total}`,
    l.waitBytes.toLocaleString("en"),
    ...(timed ? [l.waitNs === null ? "–" : Math.round(l.waitNs).toLocaleString("en")] : []),
  ])
  return [
    paint.bold(`${r.title === "" ? "table" : r.title}: k = ${r.k}, w = ${r.w}, ${r.total} credits of 64 bytes`),
    "",
    strip(r.table, (vl) => names.get(vl)!),
    "",
    table(
      [
        { head: "level" },
        right("SL"),
        right("VL"),
        right("required"),
        right("gets"),
        right("possible"),
        right("distance"),
        right("MTU B"),
        { head: "entries" },
        right("weight"),
        right("worst wait B"),
        ...(timed ? [right("ns")] : []),
      ],
      rows,
      paint,
      width,
    ),
    "",
    ...r.why.map((line) => `- ${line}`),
    paint.dim(
      "worst wait: the maximum that other levels send before the head packet of this level, with all levels backlogged",
    ),
  ].join("\n")
}

/** Returns repeated weights in short form: 27 x 3, 5 x 4 */
function runs(weights: readonly number[]): string {
  const counts = new Map<number, number>()
  for (const w of weights) counts.set(w, (counts.get(w) ?? 0) + 1)
  return [...counts]
    .sort((a, b) => a[0] - b[0])
    .map(([w, n]) => (n === 1 ? `${w}` : `${n} x ${w}`))
    .join(", ")
}

export function arbitrationText(
  all: readonly ArbitrationReport[],
  paint: Paint = plainPaint,
  width = Number.POSITIVE_INFINITY,
): string {
  return all
    .map((r) =>
      [
        paint.bold(`${r.ports === "" ? "all ports" : `ports ${r.ports}`}: limit of high priority ${r.highLimit}`),
        ...r.tables.flatMap((t) => ["", `${t.name} priority`, strip(t.table, (vl) => `${vl}`)]),
        "",
        table(
          [
            right("VL"),
            { head: "SLs" },
            right("weight high"),
            right("low"),
            right("guaranteed"),
            right("worst wait B"),
          ],
          r.lanes.map((l) => [
            `${l.vl}`,
            l.sls.join(", "),
            `${l.high}`,
            `${l.low}`,
            percent(l.share),
            l.waitBytes === null ? "none" : l.waitBytes.toLocaleString("en"),
          ]),
          paint,
          width,
        ),
        "",
        paint.dim(
          `guaranteed, worst wait: at one link, with both tables, all VLs backlogged and packets of ${r.packetBytes.toLocaleString("en")} bytes`,
        ),
        ...r.notes.map((note) => `- ${note}`),
      ].join("\n"),
    )
    .join("\n\n")
}
