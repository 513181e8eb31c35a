// Reading finished runs: means over seeds, columns of tables, lines over time.
import type { Line } from "../../../draw/figure/figure.ts"
import type { PaperRuns } from "../paper.ts"

type Run = PaperRuns[string][number]
export type Variant = string

export const cites =
  "Exploiting Idle Resources in a High-Radix Switch for Supplemental Storage, " +
  "M. A. Blumrich, N. Jiang and L. R. Dennison, 2018"

/** Where the text says what is marked in the figures. */
export const SECTION_A = "The paper's text, section VI.A"
export const SECTION_B = "The paper's text, section VI.B"

export function meanOf(runs: readonly Run[], value: string): number {
  return runs.reduce((sum, r) => sum + (r.result.values[value] ?? Number.NaN), 0) / runs.length
}

export function column(run: Run, table: string, name: string): number[] {
  return (run.result.tables[table]?.[name] ?? []).map(Number)
}

/** The one of all values that is farthest from what it should be; NaN when there is none, or one is. */
export function farthest(from: number, values: readonly number[], distance: (value: number) => number): number {
  if (values.length === 0 || values.some((v) => Number.isNaN(v))) return Number.NaN
  return values.reduce((far, v) => (distance(v) > distance(far) ? v : far), from)
}

/** Mean over the runs of a column at each time of a table of equal intervals; runs that ended earlier do not count
 *  there. */
export function overTime(runs: readonly Run[], table: string, name: string): { time: number[]; value: number[] } {
  const time = runs.map((r) => column(r, table, "time")).reduce((a, b) => (b.length > a.length ? b : a), [])
  const values = runs.map((r) => column(r, table, name))
  const value = time.map((_, i) => {
    const there = values.map((v) => v[i]).filter((v) => v !== undefined && Number.isFinite(v))
    return there.reduce((a: number, b) => a + (b ?? 0), 0) / there.length
  })
  return { time, value }
}

/** Times in microseconds. */
export function lineOver(name: string, runs: readonly Run[], table: string, what: string, factor = 1): Line {
  const { time, value } = overTime(runs, table, what)
  const spots = time.flatMap((t, i) => {
    const [x, y] = [t / 1000, value[i] * factor]
    return Number.isFinite(y) ? [{ x, y }] : []
  })
  return { name, spots }
}
