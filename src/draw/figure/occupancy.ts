// How full every router was as a map: time from left to right, routers from top to bottom.
import type { Table } from "../../model/experiment.ts"
import type { CellsFigure } from "./figure.ts"

/** More cells than this are too small to distinguish. Neighbours then share a cell that shows the fullest of them. */
const COLUMNS = 180
const ROWS = 120

export function occupancyCells(table: Table, id: string, title: string): CellsFigure | undefined {
  const [time, router, flits] = ["time", "router", "flits"].map((name) => (table[name] ?? []).map(Number)) as [
    number[],
    number[],
    number[],
  ]
  if (flits.length === 0) return undefined
  const interval = stepOf(time)
  const columns = largest(time) / interval
  const routers = largest(router) + 1
  const [wide, high] = [Math.ceil(columns / COLUMNS), Math.ceil(routers / ROWS)]
  const cells = new Map<number, CellsFigure["cells"][number]>()
  flits.forEach((value, i) => {
    const at = { x: Math.floor((time[i] / interval - 1) / wide), y: Math.floor(router[i] / high) }
    const key = at.y * COLUMNS + at.x
    const old = cells.get(key)
    if (old !== undefined && old.value >= value) return
    cells.set(key, {
      ...at,
      value,
      facts: [
        ["router", router[i]],
        ["time", time[i]],
        ["flits", value],
      ],
    })
  })
  const shared = wide * high > 1 ? ` A cell is the fullest of ${high} neighbouring routers and ${wide} intervals.` : ""
  return {
    kind: "cells",
    id,
    title,
    caption: `Flits in the queues of each router at the end of each interval. Empty routers are blank.${shared}`,
    x: { label: "Time (cycles)", min: interval * wide, step: interval * wide },
    y: { label: high > 1 ? `Router (in steps of ${high})` : "Router", step: high },
    columns: Math.ceil(columns / wide),
    rows: Math.ceil(routers / high),
    unit: "flits",
    max: largest(flits),
    cells: [...cells.values()],
    tall: true,
  }
}

/** The interval of the times: they are multiples of it, and it is at least the least of them apart. */
function stepOf(time: readonly number[]): number {
  const known = [...new Set(time)].sort((a, b) => a - b)
  return known.reduce((step, t) => common(step, t), 0)
}

function common(a: number, b: number): number {
  return b === 0 ? a : common(b, a % b)
}

/** Tables are too long to be spread into Math.max. */
function largest(values: readonly number[]): number {
  return values.reduce((most, v) => Math.max(most, v), 0)
}
