// One finished run as the store records it: its input, its output, and where, when and by which version it ran.
import type { RunResult, RunSpec } from "../model/experiment.ts"

export type Provenance = {
  /** 0.1.0, or 0.1.0+BUILD of a development build */
  readonly version: string
  readonly node: string
  readonly host: string
  readonly started: string
  readonly seconds: number
  /** of what the run uses, as experiment/identity/revisions.ts writes them; runs that were stored before there were any
   *  do not have it */
  readonly revisions?: string
}

export type RunRecord = {
  /** content hash of all that decides its bits (experiment/identity/identity.ts): the name of the run */
  readonly hash: string
  readonly spec: RunSpec
  /** the swept keys of this run and their values */
  readonly point: Readonly<Record<string, string | number>>
  readonly seed: number
  readonly result: RunResult
  readonly provenance: Provenance
}

/** Numbers of a column as they were stored: NaN for null. Up to format 2, tables of jobs had negative numbers for times
 *  and ranks that do not exist. */
export function cellsIn(table: string, cells: readonly unknown[]): number[] {
  const least = /^jobs(-|$)/.test(table) ? 0 : Number.NEGATIVE_INFINITY
  return cells.map((c) => (typeof c === "number" && c >= least ? c : Number.NaN))
}

/** Without its tables. */
export function bare(record: RunRecord): RunRecord {
  return { ...record, result: { ...record.result, tables: {} } }
}
