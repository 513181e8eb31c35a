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
 * Whole numbers from 0 on count columns or rows. Other values are names: numbers in their order, texts as they come.
 */
interface Places {
  readonly at: readonly number[]
  readonly names?: readonly string[]
}

function placesOf(column: Table[string] = []): Places {
  const counts = column.map(Number)
  if (counts.every((v) => Number.isInteger(v) && v >= 0)) return { at: counts }
  const distinct = [...new Set<number | string>(column)]
  if (counts.every((v) => Number.isFinite(v))) distinct.sort((a, b) => Number(a) - Number(b))
  const number = new Map(distinct.map((name, i) => [name, i]))
  return { at: column.map((name) => number.get(name) ?? 0), names: distinct.map(String) }
}

/**
 * Returns the map of a table. x is divided by the greatest common divisor of its values (the interval of a series), and
 * both axes count from 0, unless they have names.
 */
export function heatCells(table: Table, heat: Heat): CellsFigure | undefined {
  const [{ at: xs, names: xNames }, { at: ys, names: yNames }] = [heat.x, heat.y].map((axis) =>
    placesOf(table[axis.column]),
  )
  const values = (table[heat.value.column] ?? []).map(Number)
  if (values.length === 0 || xs.length !== values.length || ys.length !== values.length) return undefined
  const step = xNames === undefined ? Math.max(1, stepOf(xs)) : 1
  // ends of intervals begin at the first one
  const first = xNames === undefined ? Math.min(1, smallest(xs) / step) : 0
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
        [heat.y.column, table[heat.y.column][i]],
        [heat.x.column, table[heat.x.column][i]],
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
    x: { label: heat.x.label, min: first * step * wide, step: step * wide, ...every(xNames, wide) },
    y: {
      label: high > 1 ? `${heat.y.label} (in steps of ${high})` : heat.y.label,
      step: high,
      ...every(yNames, high),
    },
    columns: Math.ceil(columns / wide),
    rows: Math.ceil(rows / high),
    unit: heat.value.label,
    max: largest(values),
    cells: [...cells.values()],
    tall: true,
  }
}

/** Returns every n-th name: the first of those that share a column or row. */
function every(names: readonly string[] | undefined, n: number): { readonly names?: readonly string[] } {
  return names === undefined ? {} : { names: names.filter((_, i) => i % n === 0) }
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
