// The runs of a plan one after the other in this thread, without Node: in a page, in a worker of a page, anywhere. The state of a run is written nowhere, and
// between two steps others get their turn. Values and fingerprints are those of every other way to run them.
import { type Checked, type Complaint, complain } from "../core/complaint.ts"
import { buildVersion } from "../experiment/identity/version.ts"
import { bringing } from "../experiment/outside/known.ts"
import { atLoad, type Plan, type PlannedRun } from "../experiment/plan.ts"
import { Bisection, MOST_LOAD } from "../experiment/search.ts"
import type { RunResult } from "../model/experiment.ts"
import type { Host } from "../model/host.ts"
import { type Knee, withoutLoad } from "../results/knees.ts"
import type { RunRecord } from "../results/record.ts"
import { open, prepare } from "./open.ts"
import { type PausableRun, paced, type Saved } from "./pausable.ts"

export interface MeasureOptions {
  /** part of the run that is done, and what it does now */
  onProgress?(fraction: number, text: string): void
  /** ends the run early: it is then interrupted, and has no record */
  readonly signal?: AbortSignal
  /** check that credits, buffers and packets are conserved while it runs */
  readonly audit?: boolean
  /** where it runs, as its record and the report say it */
  readonly runtime?: string
  readonly machine?: string
}

export interface PlanRunOptions extends MeasureOptions {
  onRecord?(record: RunRecord): void
}

export interface RanAlone {
  /** in the order of the plan */
  readonly records: readonly RunRecord[]
  /** runs that ended without a result */
  readonly failures: readonly { readonly run: PlannedRun; readonly result: RunResult }[]
  readonly knees: readonly Knee[]
  readonly interrupted: boolean
}

/** One run of a plan, ready to be stepped: `step(budget)` until it answers true, then `result()`. `saved`: goes on from there. */
export async function openRun(
  { spec }: Pick<PlannedRun, "spec">,
  host: Host,
  options: Pick<MeasureOptions, "onProgress" | "audit"> & { shouldStop?(): boolean } = {},
  saved?: Saved,
): Promise<Checked<PausableRun>> {
  const prepared = prepare(spec, bringing(host, spec.plugins))
  if ("bad" in prepared) return prepared
  try {
    return { ok: await open(prepared.ok, options, saved) }
  } catch (e) {
    if (saved === undefined) throw e
    return { bad: [complain("saved", e instanceof Error ? e.message : String(e), "start the run anew")] }
  }
}

/** One run of a plan, from its network to its record. */
export async function measure(run: PlannedRun, host: Host, options: MeasureOptions = {}): Promise<Checked<RunRecord>> {
  const started = new Date().toISOString()
  const { signal, runtime = "unknown", machine = "unknown", ...more } = options
  const opened = await openRun(run, host, { ...more, shouldStop: () => signal?.aborted === true })
  if ("bad" in opened) return opened
  const step = paced(opened.ok)
  while (!step()) await new Promise((turn) => setTimeout(turn, 0))
  const result = await opened.ok.result()
  const { revisions } = run
  const provenance = { version: buildVersion, node: runtime, host: machine, started, seconds: result.values["seconds"]!, revisions }
  return { ok: { hash: run.hash, spec: run.spec, point: run.point, seed: run.seed, result, provenance } }
}

/** All runs of a plan; a search bisects its loads. Complaints where a network cannot be built: `complaintsOf` finds them before. */
export async function runPlan(plan: Plan, host: Host, options: PlanRunOptions = {}): Promise<Checked<RanAlone>> {
  const { onRecord, ...more } = options
  const finished: { readonly at: number; readonly record: RunRecord }[] = []
  const failures: { run: PlannedRun; result: RunResult }[] = []
  const knees: Knee[] = []
  const bad: Complaint[] = []
  const stopped = () => options.signal?.aborted === true
  const one = async (run: PlannedRun, at: number): Promise<RunRecord | undefined> => {
    if (stopped()) return undefined
    const got = await measure(run, host, more)
    if ("bad" in got) bad.push(...got.bad.map((c) => run.place(c)))
    else if (got.ok.result.why === "time" || got.ok.result.why === "memory") failures.push({ run, result: got.ok.result })
    else {
      finished.push({ at, record: got.ok })
      onRecord?.(got.ok)
      return got.ok
    }
    return undefined
  }
  for (const [i, run] of plan.runs.entries()) {
    if (plan.search === undefined) await one(run, i)
    else {
      const knee = await searched(run, new Bisection(plan.search), (at, load) => one(at, orderOf(i, load)))
      if (knee !== undefined) knees.push(knee)
    }
    if (bad.length > 0) return { bad }
  }
  const records = finished.sort((a, b) => a.at - b.at).map((f) => f.record)
  return { ok: { records, failures: stopped() ? [] : failures, knees, interrupted: stopped() } }
}

/** Runs of one search stand in the order of their loads, between those of the point before and the next. */
export function orderOf(point: number, load: number): number {
  return point + load / (2 * MOST_LOAD)
}

/** Bisects the load of one point and seed; undefined where a run of it has no record. */
export async function searched(
  base: PlannedRun,
  bisection: Bisection,
  one: (run: PlannedRun, load: number) => Promise<RunRecord | undefined>,
): Promise<Knee | undefined> {
  let runs = 0
  for (let load = bisection.next(); load !== undefined; load = bisection.next()) {
    const record = await one(atLoad(base, load), load)
    if (record === undefined) return undefined
    runs++
    bisection.tell(load, record.result)
  }
  return { point: withoutLoad(base.point), seed: base.seed, ...bisection.interval, runs }
}
