// A table as a map: one cell for each pair of x and y, coloured by value. occupancy.ts draws the fill of routers with
// it, and declared.ts the tables of probes that declare a map.
import type { Table } from "../../model/experiment.ts"
import type { CellsFigure } from "./figure.ts"

/** More cells than this are too small to distinguish. Neighbours then share a cell that shows the largest of them. */
const COLUMNS = 180
const ROWS = 120

export interface Heat {
  readonly id: string
  readonly title: string
  readonly caption: string
  readonly x: { readonly column: string; readonly label: string }
  readonly y: { readonly column: string; readonly label: string }
  readonly value: { readonly column: string; readonly label: string }
}

/**
 * Returns the map of a table. x is divided by the greatest common divisor of its values (the interval of a series), and
 * both axes count from 0.
 */
export function heatCells(table: Table, heat: Heat): CellsFigure | undefined {
  const numbers = (name: string) => (table[name] ?? []).map(Number)
  const [xs, ys, values] = [numbers(heat.x.column), numbers(heat.y.column), numbers(heat.value.column)]
  if (values.length === 0 || [xs, ys].some((of) => of.some((v) => !(Number.isInteger(v) && v >= 0)))) return undefined
  const step = Math.max(1, stepOf(xs))
  // ends of intervals begin at the first one
  const first = Math.min(1, smallest(xs) / step)
  const columns = largest(xs) / step - first + 1
  const rows = largest(ys) + 1
  const [wide, high] = [Math.ceil(columns / COLUMNS), Math.ceil(rows / ROWS)]
  const cells = new Map<number, CellsFigure["cells"][number]>()
  values.forEach((value, i) => {
    const at = { x: Math.floor((xs[i] / step - first) / wide), y: Math.floor(ys[i] / high) }
    const key = at.y * COLUMNS + at.x
    const old = cells.get(key)
    if (old !== undefined && old.value >= value) return
    cells.set(key, {
      ...at,
      value,
      facts: [
        [heat.y.column, ys[i]],
        [heat.x.column, xs[i]],
        [heat.value.column, value],
      ],
    })
  })
  const shared = wide * high > 1 ? ` A cell shows the largest of ${high} neighbouring rows and ${wide} columns.` : ""
  return {
    kind: "cells",
    id: heat.id,
    title: heat.title,
    caption: `${heat.caption}${shared}`,
    x: { label: heat.x.label, min: first * step * wide, step: step * wide },
    y: { label: high > 1 ? `${heat.y.label} (in steps of ${high})` : heat.y.label, step: high },
    columns: Math.ceil(columns / wide),
    rows: Math.ceil(rows / high),
    unit: heat.value.label,
    max: largest(values),
    cells: [...cells.values()],
    tall: true,
  }
}

/** Returns the greatest common divisor of the values. */
function stepOf(values: readonly number[]): number {
  const known = [...new Set(values)].sort((a, b) => a - b)
  return known.reduce((step, t) => common(step, t), 0)
}

function common(a: number, b: number): number {
  return b === 0 ? a : common(b, a % b)
}

/** Tables are too long to be spread into Math.max. */
function largest(values: readonly number[]): number {
  return values.reduce((most, v) => Math.max(most, v), 0)
}

function smallest(values: readonly number[]): number {
  return values.reduce((least, v) => Math.min(least, v), Number.POSITIVE_INFINITY)
}
