// The points of a sweep: its runs, grouped by their parameters and averaged over their seeds, as curves over the load
// or over another number.
import { isSaturated } from "../../../src/core/saturation.ts"
import type { RunResult } from "../../../src/model/experiment.ts"
import { reasonMissing, valueIn } from "../../../src/model/missing.ts"
import type { Task } from "../state.ts"

/** A run of a plan or of stored results. */
export interface Row {
  readonly id: string
  readonly point: Readonly<Record<string, string | number>>
  readonly seed: number
  /** Offered load; 0: it has none. */
  readonly load: number
  readonly result: RunResult | undefined
  readonly task: Task | undefined
}

export type PointState = "done" | "saturated" | "deadlock" | "running" | "waiting" | "stopped"

export interface Point {
  readonly x: number
  /** Undefined: it has no such value, or not yet. The value of a running point is that of all its packets so far. */
  readonly y: number | undefined
  readonly state: PointState
  /** Number of finished runs. */
  readonly n: number
  /** The run that a click opens. */
  readonly id: string
}

export interface Curve {
  readonly name: string
  readonly points: readonly Point[]
}

/** Values that a chart can show, with their axes. */
export const measures: Readonly<Record<string, string>> = {
  "latency.mean": "mean latency (cycles)",
  "latency.p99": "99th percentile of latency (cycles)",
  accepted: "accepted load (flits/endpoint/cycle)",
  "jobs.time": "time of the jobs (cycles)",
}

/** Returns the number that is swept: the load, otherwise the key with the most values. */
export function axisOf(rows: readonly Row[]): string {
  const values = new Map<string, Set<number>>()
  for (const { point } of rows)
    for (const [key, v] of Object.entries(point))
      if (typeof v === "number") values.set(key, (values.get(key) ?? new Set()).add(v))
  if (values.has("load")) return "load"
  const [most] = [...values].filter(([, v]) => v.size > 1).sort(([, a], [, b]) => b.size - a.size)
  return most?.[0] ?? "load"
}

const nameOf = (point: Row["point"], axis: string): string =>
  Object.entries(point)
    .filter(([key]) => key !== axis)
    // A number needs the name of its key.
    .map(([key, v]) => (typeof v === "number" ? `${key} ${v}` : v))
    .join(" ")

export function curvesOf(rows: readonly Row[], measure: string, axis = axisOf(rows)): readonly Curve[] {
  const curves = new Map<string, Map<number, Row[]>>()
  for (const row of rows) {
    const name = nameOf(row.point, axis)
    const curve = curves.get(name) ?? new Map<number, Row[]>()
    curves.set(name, curve)
    const x = Number(row.point[axis] ?? row.load)
    curve.set(x, [...(curve.get(x) ?? []), row])
  }
  return [...curves].map(([name, points]) => ({
    name: name === "" ? "this experiment" : name,
    points: [...points].flatMap(([x, at]) => pointOf(x, at, measure) ?? []).sort((a, b) => a.x - b.x),
  }))
}

const isFull = ({ why, values }: RunResult): boolean => isSaturated(why, values)

/** Returns undefined for a point whose runs measured no packet, because it has no place. */
function pointOf(x: number, at: readonly Row[], measure: string): Point | undefined {
  const [first] = at
  const done = at.flatMap((r) => (r.result === undefined ? [] : [{ id: r.id, result: r.result }]))
  if (done.length === 0) return openPoint(x, at, first.id, measure)
  const placed = done.filter(({ result }) => {
    const reason = reasonMissing(result, measure)
    return reason !== "no packet" && reason !== "not measured"
  })
  if (placed.length === 0) return undefined
  const values = placed.flatMap(({ result }) => valueIn(result, measure) ?? [])
  const dead = placed.find(({ result }) => result.why === "deadlock")
  const full = placed.find(({ result }) => isFull(result) || valueIn(result, measure) === undefined)
  return {
    ...{ x, n: placed.length, id: (dead ?? full ?? placed[0]).id },
    y: values.length < placed.length ? undefined : values.reduce((a, b) => a + b, 0) / values.length,
    state: dead !== undefined ? "deadlock" : full !== undefined ? "saturated" : "done",
  }
}

/** Returns a point without a finished run. */
function openPoint(x: number, at: readonly Row[], id: string, measure: string): Point {
  const running = at.find((r) => r.task?.state === "running")
  const status = running?.task?.status
  const mean =
    measure.startsWith("latency.mean") && status !== undefined ? status.latency / status.delivered : Number.NaN
  const state = running !== undefined ? "running" : at.every((r) => r.task !== undefined) ? "stopped" : "waiting"
  return { x, y: Number.isFinite(mean) ? mean : undefined, state, n: 0, id }
}

/** Returns the unfinished runs above a load that is saturated with otherwise equal parameters. */
export function beyondSaturation(rows: readonly Row[]): readonly string[] {
  const lowest = new Map<string, number>()
  for (const { point, load, result } of rows)
    if (result !== undefined && (isFull(result) || result.why === "deadlock")) {
      const name = nameOf(point, "load")
      lowest.set(name, Math.min(load, lowest.get(name) ?? load))
    }
  return rows.flatMap(({ id, point, load, result, task }) =>
    result === undefined &&
    (task?.state ?? "running") === "running" &&
    load > (lowest.get(nameOf(point, "load")) ?? load)
      ? [id]
      : [],
  )
}
