// The parts of a run that the arena judges, grouped by grid point: all participants of a point with all seeds.
import { canonical } from "../../core/canonical.ts"
import { valueIn, reasonMissing as whyMissing } from "../../model/missing.ts"
import type { RunRecord } from "../../results/record.ts"

export type Judged = Pick<RunRecord, "point" | "seed" | "result"> & {
  readonly spec: Pick<RunRecord["spec"], "traffic" | "measure"> & {
    readonly network: { readonly endpoint: Readonly<Record<string, unknown>> }
  }
}

/** One point of the grid of a scenario. */
export interface GridPoint {
  readonly key: string
  /** the swept keys without the participant */
  readonly point: RunRecord["point"]
  readonly seeds: readonly number[]
  /** [participant] -> its runs by seed */
  readonly runs: ReadonlyMap<string, ReadonlyMap<number, Judged>>
}

export function gridOf(records: readonly Judged[]): GridPoint[] {
  const points = new Map<string, { point: RunRecord["point"]; runs: Map<string, Map<number, Judged>> }>()
  for (const r of records) {
    const { variant, ...point } = r.point
    const key = canonical(point)
    const at = points.get(key) ?? { point, runs: new Map<string, Map<number, Judged>>() }
    points.set(key, at)
    const name = String(variant ?? "")
    const seeds = at.runs.get(name) ?? new Map<number, Judged>()
    at.runs.set(name, seeds.set(r.seed, r))
  }
  return [...points].map(([key, at]) => {
    const seeds = new Set([...at.runs.values()].flatMap((s) => [...s.keys()]))
    return { key, ...at, seeds: [...seeds].sort((a, b) => a - b) }
  })
}

/** A value of a run, or the reason why it has none. */
export type Found = number | Missing
export interface Missing {
  readonly missing: string
  /** the network did not carry the traffic: worse than any value */
  readonly worst: boolean
}

export const missing = (says: string, worst = false): Missing => ({ missing: says, worst })
export const isMissing = (f: Found): f is Missing => typeof f !== "number"

/** Reasons that say that the participant failed. */
const failures: ReadonlySet<string> = new Set(["saturated", "deadlocked", "starved", "did not end"])

/** Returns a value of a stream. If there is only one stream, its values have no prefix. */
export function streamValue(run: Judged, stream: string, name: string): Found {
  const full = run.spec.traffic.length > 1 ? `${stream}.${name}` : name
  const value = valueIn(run.result, full)
  if (value !== undefined) return value
  const reason = whyMissing(run.result, full) ?? "not measured"
  return missing(reason, failures.has(reason))
}

export function hasStream(run: Judged, stream: string): boolean {
  return run.spec.traffic.some((t) => t.name === stream)
}

/** Returns a table of a stream; undefined if the run has none. */
export function tableOf(
  run: Judged,
  stream: string,
  name: string,
): Readonly<Record<string, readonly number[]>> | undefined {
  const found = run.result.tables[run.spec.traffic.length > 1 ? `${stream}.${name}` : name]
  return found === undefined
    ? undefined
    : Object.fromEntries(Object.entries(found).map(([column, cells]) => [column, cells.map(Number)]))
}
