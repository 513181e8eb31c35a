// Executes the runs of a plan one after the other in this thread, without Node: in a web page, a web worker, or the
// library (`lacewing/web`). No state is saved, and other tasks of the event loop run between two steps. Values and
// fingerprints are equal to those of the pool (execute.ts).
import { type Checked, type Complaint, complain } from "../core/complaint.ts"
import { buildVersion } from "../experiment/identity/version.ts"
import { bringing } from "../experiment/outside/known.ts"
import { atLoad, type Plan, type PlannedRun } from "../experiment/plan.ts"
import { Bisection, MOST_LOAD } from "../experiment/search.ts"
import type { Saved } from "../measure/saved.ts"
import type { RunResult } from "../model/experiment.ts"
import type { Host } from "../model/host.ts"
import { type Saturation, withoutLoad } from "../results/findings/saturation.ts"
import type { RunRecord } from "../results/record.ts"
import { open, prepare } from "../run/open.ts"
import { type PausableRun, paced } from "../run/pausable.ts"

export interface MeasureOptions {
  /** called with the fraction of the run that is done, and a text */
  onProgress?(fraction: number, text: string): void
  /** ends the run early; it then has no record */
  readonly signal?: AbortSignal
  /** check that credits, buffers and packets are conserved while it runs */
  readonly audit?: boolean
  /** recorded in the provenance of a run, and shown by the report */
  readonly runtime?: string
  readonly machine?: string
}

export interface PlanRunOptions extends MeasureOptions {
  onRecord?(record: RunRecord): void
}

export interface RanSequentially {
  /** in the order of the plan */
  readonly records: readonly RunRecord[]
  /** runs that ended without a result */
  readonly failures: readonly { readonly run: PlannedRun; readonly result: RunResult }[]
  readonly knees: readonly Saturation[]
  readonly interrupted: boolean
}

/**
 * Opens one run of a plan: call `step(budget)` until it returns true, then `result()`. `saved`: continues from this
 * state.
 */
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

/** Executes one run of a plan and returns its record. */
export async function measure(run: PlannedRun, host: Host, options: MeasureOptions = {}): Promise<Checked<RunRecord>> {
  const started = new Date().toISOString()
  const { signal, runtime = "unknown", machine = "unknown", ...more } = options
  const opened = await openRun(run, host, { ...more, shouldStop: () => signal?.aborted === true })
  if ("bad" in opened) return opened
  const step = paced(opened.ok)
  while (!step()) await new Promise((turn) => setTimeout(turn, 0))
  const result = await opened.ok.result()
  const { revisions } = run
  const provenance = {
    version: buildVersion,
    node: runtime,
    host: machine,
    started,
    seconds: result.values["seconds"],
    revisions,
  }
  return { ok: { hash: run.hash, spec: run.spec, point: run.point, seed: run.seed, result, provenance } }
}

/**
 * Executes all runs of a plan; a search bisects its loads. Returns complaints if a network cannot be built;
 * `complaintsOf` finds these earlier.
 */
export async function runPlan(plan: Plan, host: Host, options: PlanRunOptions = {}): Promise<Checked<RanSequentially>> {
  const { onRecord, ...more } = options
  const finished: { readonly at: number; readonly record: RunRecord }[] = []
  const failures: { run: PlannedRun; result: RunResult }[] = []
  const knees: Saturation[] = []
  const bad: Complaint[] = []
  const stopped = () => options.signal?.aborted === true
  const one = async (run: PlannedRun, at: number): Promise<RunRecord | undefined> => {
    if (stopped()) return undefined
    const got = await measure(run, host, more)
    if ("bad" in got) bad.push(...got.bad.map((c) => run.place(c)))
    else if (got.ok.result.why === "time" || got.ok.result.why === "memory")
      failures.push({ run, result: got.ok.result })
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

/** Returns a sort key: runs of a search are sorted by load, between those of the points before and after it. */
export function orderOf(point: number, load: number): number {
  return point + load / (2 * MOST_LOAD)
}

/** Bisects the load of one point and seed. Returns undefined if a run of the search has no record. */
export async function searched(
  base: PlannedRun,
  bisection: Bisection,
  one: (run: PlannedRun, load: number) => Promise<RunRecord | undefined>,
): Promise<Saturation | undefined> {
  let runs = 0
  for (let load = bisection.next(); load !== undefined; load = bisection.next()) {
    const record = await one(atLoad(base, load), load)
    if (record === undefined) return undefined
    runs++
    bisection.tell(load, record.result)
  }
  return { point: withoutLoad(base.point), seed: base.seed, ...bisection.interval, runs }
}
