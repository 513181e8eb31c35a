// Executes a plan on this machine. Stored runs are taken from the results folder, the others go to the pool, and every
// finished run is stored immediately. `lacewing run`, the tasks of a cluster sweep and the library call it.
import { hostname } from "node:os"
import type { Complaint } from "../core/complaint.ts"
import { secondsOf } from "../core/duration.ts"
import { build, buildVersion, unbundled } from "../experiment/identity/version.ts"
import type { Plan, PlannedRun } from "../experiment/plan.ts"
import { Bisection } from "../experiment/search.ts"
import type { RunResult } from "../model/experiment.ts"
import { estimateRun, planFor } from "../predict/estimate.ts"
import { removeCheckpoint } from "../results/checkpoints.ts"
import { quietly } from "../results/disk.ts"
import type { Saturation } from "../results/findings/saturation.ts"
import type { RunRecord } from "../results/record.ts"
import type { Results } from "../results/results.ts"
import type { Job } from "./messages.ts"
import { type Outcome, Pool } from "./pool.ts"
import type { ProgressState } from "./progress.ts"
import { orderOf, searched } from "./sequential.ts"

export interface ExecuteOptions {
  readonly workers: number
  /** run stored points again */
  readonly force?: boolean
  readonly shard?: { readonly index: number; readonly of: number }
  readonly audit?: boolean
  readonly simulator?: string
  /**
   * a time such as 10min: interval between two checkpoints of a run; a run also saves its state when it is interrupted.
   * Needs a results folder
   */
  readonly checkpoint?: string
  readonly signal?: AbortSignal
  /** called when a run that is not stored starts */
  onStart?(run: PlannedRun): void
  onRecord?(record: RunRecord, known: boolean): void
  onFailure?(failure: Failure): void
  onProgress?(state: ProgressState): void
  /** called with information for the user about a run that continues */
  onNote?(text: string): void
}

/** A run that ended without a result: it is not stored, and is run again next time. */
export interface Failure {
  readonly run: PlannedRun
  readonly result: RunResult
}

export interface Executed {
  /** in the order of the plan */
  readonly records: readonly RunRecord[]
  readonly failures: readonly Failure[]
  readonly knees: readonly Saturation[]
  /** runs taken from the results folder */
  readonly known: number
  readonly interrupted: boolean
  /** errors while storing results */
  readonly trouble: readonly Complaint[]
  readonly seconds: number
}

const withoutResult = new Set(["crashed", "time", "memory"])

/**
 * Returns the runs of shard `index` (from 1) of `of`: each `of`-th run, so that each shard gets cheap and expensive
 * ones.
 */
export function shardOf(runs: readonly PlannedRun[], shard: ExecuteOptions["shard"]): readonly PlannedRun[] {
  return shard === undefined ? runs : runs.filter((_, i) => i % shard.of === shard.index - 1)
}

/** Executes all runs, or the shard that the options select. Interrupts the pool when the signal is aborted. */
export async function execute(plan: Plan, results: Results, options: ExecuteOptions): Promise<Executed> {
  const runs = shardOf(plan.runs, options.shard)
  const session = new Session(plan, results, options, runs.length)
  const abort = () => session.pool.interrupt()
  if (options.signal?.aborted === true) abort()
  options.signal?.addEventListener("abort", abort)
  const ticking = setInterval(() => session.report(), 250)
  const search = plan.search
  try {
    if (search === undefined) session.tell(await results.plan?.(runs))
    await Promise.all(
      runs.map((run, i) =>
        search === undefined ? session.one(run, i) : session.search(run, i, new Bisection(search)),
      ),
    )
  } finally {
    clearInterval(ticking)
    session.pool.close()
    options.signal?.removeEventListener("abort", abort)
  }
  session.report()
  if (search !== undefined) session.tell(await results.plan?.(session.executed().records))
  return session.executed()
}

/** State of one call of `execute`. */
class Session {
  readonly pool: Pool
  private readonly plan: Plan
  private readonly results: Results
  private readonly options: ExecuteOptions
  private readonly started = performance.now()
  private readonly finished: { readonly at: number; readonly record: RunRecord }[] = []
  private readonly failures: Failure[] = []
  private readonly knees: Saturation[] = []
  private readonly trouble: Complaint[] = []
  private readonly active = new Map<string, { fraction: number; megabytes: number }>()
  /** workers for each run: more than one only if there are fewer runs than workers */
  private readonly inner: number
  private total: number
  private writing: Promise<void> = Promise.resolve()
  private done = 0
  private known = 0
  private interrupted = false

  constructor(plan: Plan, results: Results, options: ExecuteOptions, total: number) {
    this.plan = plan
    this.results = results
    this.options = options
    this.total = total
    this.inner = total === 0 ? 1 : Math.max(1, Math.floor(options.workers / total))
    const { seconds, megabytes } = plan.limits
    this.pool = new Pool({
      workers: options.workers,
      seconds,
      megabytes,
      ...(options.simulator !== undefined ? { simulator: options.simulator } : {}),
    })
  }

  /** Records errors of the results folder. */
  tell(bad: readonly Complaint[] = []): void {
    this.trouble.push(...bad)
  }

  /** Executes one run, stored or new. Returns its record, or undefined if it failed. */
  async one(run: PlannedRun, order: number): Promise<RunRecord | undefined> {
    // Source code that is not bundled has no hash. A stored result may come from other code, so it is not used.
    const anew = this.options.force === true || build === unbundled
    const before = anew ? undefined : this.results.get(run.hash)
    if (before !== undefined) {
      // Another experiment may have stored it under other labels.
      const record = { ...before, point: run.point }
      this.known++
      this.keep(record, order, true)
      return record
    }
    let started = new Date().toISOString()
    const { long, team } = planFor(run.spec, estimateRun(run.spec, this.plan.folder, true))
    const workers = team ? this.inner : 1
    const checkpoint = this.checkpointOf(run)
    const job = {
      spec: run.spec,
      folder: this.plan.folder,
      workers,
      audit: this.options.audit === true,
      long,
      ...checkpoint,
    }
    const outcome = await this.pool.run(job, {
      started: () => {
        this.options.onStart?.(run)
        // not before: the run may have waited for a worker
        started = new Date().toISOString()
        this.active.set(run.hash, { fraction: 0, megabytes: 0 })
        this.report()
      },
      progress: (fraction, _text, megabytes) => {
        this.active.set(run.hash, { fraction, megabytes })
        this.report()
      },
      note: (text) => this.options.onNote?.(text),
    })
    this.active.delete(run.hash)
    const record = this.judge(run, outcome, started)
    if (record === undefined) return undefined
    const bad = await this.store(record)
    if (bad.length > 0) {
      this.trouble.push(...bad)
      this.pool.interrupt()
      return undefined
    }
    this.forget(run)
    this.done++
    this.keep(record, order, false)
    return record
  }

  /**
   * Returns the checkpoint settings of a run. A checkpoint in the folder is used, even if no further ones are written.
   */
  private checkpointOf({ hash }: PlannedRun): Pick<Job, "checkpoint"> {
    const { dir } = this.results
    const { checkpoint, force } = this.options
    if (dir === undefined) return {}
    const every = checkpoint === undefined ? undefined : secondsOf(checkpoint)
    return { checkpoint: { dir, hash, anew: force === true, ...(every === undefined ? {} : { every }) } }
  }

  /** Removes the checkpoint of a stored run. If that fails, the file does no harm. */
  private forget({ hash }: PlannedRun): void {
    const { dir } = this.results
    if (dir !== undefined) quietly(() => removeCheckpoint(dir, hash))
  }

  /** Stores one record after the other, so that results folders need not handle concurrent writers. */
  private store(record: RunRecord): Promise<readonly Complaint[]> {
    const added = this.writing.then(() => this.results.add(record))
    this.writing = added.then(() => undefined)
    return added
  }

  /** Bisects the load of one point and seed. */
  async search(base: PlannedRun, order: number, bisection: Bisection): Promise<void> {
    this.total--
    const knee = await searched(base, bisection, (run, load) => {
      this.total++
      return this.one(run, orderOf(order, load))
    })
    if (knee !== undefined) this.knees.push(knee)
  }

  /** Returns the record of a finished run, or records its failure. */
  private judge(run: PlannedRun, outcome: Outcome, started: string): RunRecord | undefined {
    if ("interrupted" in outcome) {
      this.interrupted = true
      return undefined
    }
    const refused = "refused" in outcome
    const result: RunResult = refused
      ? {
          why: "crashed",
          explains: outcome.refused.map((c) => `${c.path}: ${c.says}. ${c.fix}`).join("\n"),
          fingerprint: "",
          values: {},
          tables: {},
        }
      : outcome.result
    if (refused || withoutResult.has(result.why)) {
      const failure = { run, result }
      this.done++
      this.failures.push(failure)
      this.options.onFailure?.(failure)
      return undefined
    }
    const { revisions } = run
    const provenance = {
      version: buildVersion,
      node: process.version,
      host: hostname(),
      started,
      seconds: outcome.seconds,
      revisions,
    }
    return { hash: run.hash, spec: run.spec, point: run.point, seed: run.seed, result, provenance }
  }

  /** Adds a record to the results of this call, at its place in the plan. */
  private keep(record: RunRecord, order: number, known: boolean): void {
    this.finished.push({ at: order, record })
    this.options.onRecord?.(record, known)
    this.report()
  }

  /** Calls onProgress with the state of the sweep. */
  report(): void {
    let partial = 0
    let megabytes = 0
    for (const one of this.active.values()) {
      partial += one.fraction
      megabytes += one.megabytes
    }
    const { total, known, done } = this
    const seconds = (performance.now() - this.started) / 1000
    this.options.onProgress?.({
      total,
      known,
      done,
      failed: this.failures.length,
      running: this.active.size,
      partial,
      seconds,
      megabytes,
    })
  }

  executed(): Executed {
    const { failures, knees, known, interrupted, trouble } = this
    const records = this.finished.sort((a, b) => a.at - b.at).map((f) => f.record)
    return { records, failures, knees, known, interrupted, trouble, seconds: (performance.now() - this.started) / 1000 }
  }
}
