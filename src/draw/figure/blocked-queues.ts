// What did not move, over time: flits by kind of link and VC; and how far what waits for one router reaches.
import type { Table } from "../../model/experiment.ts"
import type { Line, LinesFigure } from "./figure.ts"

type Row = { readonly time: number; readonly name: string; readonly order: number; readonly flits: number }

function rowsOf(table: Table, name: (i: number) => string, order: (i: number) => number): Row[] {
  return (table["time"] ?? []).map((t, i) => ({
    time: Number(t),
    name: name(i),
    order: order(i),
    flits: Number(table["flits"]?.[i]),
  }))
}

/** One line for each name; times at which others stand and this one does not are zeros of it. */
function linesOf(rows: readonly Row[]): Line[] {
  const times = [...new Set(rows.map((r) => r.time))].sort((a, b) => a - b)
  const names = new Map(rows.map((r) => [r.name, r.order]))
  const sums = new Map<string, number>()
  for (const r of rows) sums.set(`${r.name} ${r.time}`, (sums.get(`${r.name} ${r.time}`) ?? 0) + r.flits)
  return [...names.keys()]
    .sort((a, b) => names.get(a)! - names.get(b)! || (a < b ? -1 : 1))
    .map((name) => ({ name, spots: times.map((x) => ({ x, y: sums.get(`${name} ${x}`) ?? 0 })) }))
}

function figure(id: string, title: string, caption: string, rows: readonly Row[]): LinesFigure | undefined {
  if (rows.length === 0) return undefined
  return {
    kind: "lines",
    id,
    title,
    caption,
    x: { label: "Time (cycles)" },
    y: { label: "Flits" },
    lines: linesOf(rows),
    markers: false,
  }
}

export function standingLines(table: Table, id: string, title: string): LinesFigure | undefined {
  const cell = (name: string, i: number) => table[name]?.[i]
  const rows = rowsOf(
    table,
    (i) => `${cell("link", i)} VC ${cell("vc", i)}${cell("hot", i) === 1 ? ", hot" : ""}`,
    (i) => Number(cell("vc", i)),
  )
  return figure(
    id,
    title,
    "Flits in queues whose head packet did not leave its router, by the link and VC that the head packet requests.",
    rows,
  )
}

export function waitsLines(table: Table, id: string, title: string): LinesFigure | undefined {
  const distance = (i: number) => Number(table["distance"]?.[i])
  const rows = rowsOf(table, (i) => `${distance(i)} routers away`, distance)
  return figure(
    id,
    title,
    "Blocked flits that wait, directly or indirectly, for one router, by their distance from it in routers.",
    rows,
  )
}
