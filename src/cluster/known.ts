// The runs of a sweep that are stored in the folders of its tasks, and those that are missing. A point of a search is
// done when its bisection ends with stored results. follow.ts uses it.

import { atLoad, type Plan, type PlannedRun } from "../experiment/plan.ts"
import { Bisection } from "../experiment/search.ts"
import type { RunResult } from "../model/experiment.ts"
import { readResults } from "../results/read.ts"
import { type FailedRun, failedIn } from "./task-state.ts"

export class Known {
  private readonly plan: Plan
  private readonly before: (hash: string) => RunResult | undefined
  private readonly stored = new Set<string>()
  /** for a search: results of its runs */
  private readonly results = new Map<string, RunResult>()
  private readonly failures = new Map<string, FailedRun>()
  /** number of stored and failed runs of each folder when it was read last */
  private readonly read = new Map<string, number>()

  /** `before`: results of the results folder at the start. */
  constructor(plan: Plan, before: (hash: string) => RunResult | undefined = () => undefined) {
    this.plan = plan
    this.before = before
  }

  add(hash: string, result: RunResult): void {
    this.stored.add(hash)
    if (this.plan.search !== undefined) this.results.set(hash, result)
  }

  /** Reads the folder of a task, again if it has grown. Returns the number of runs in it. */
  async take(dir: string, size: number): Promise<number> {
    const before = this.read.get(dir)
    if (before === size) return size
    const found = await readResults(dir, { everything: true, tables: false })
    if ("ok" in found) for (const r of found.ok.records) this.add(r.hash, r.result)
    for (const f of failedIn(dir)) this.failures.set(f.hash, f)
    this.read.set(dir, size)
    return "ok" in found ? found.ok.records.length : 0
  }

  /** Returns whether a run is stored, has failed, or is missing. */
  stateOf(run: PlannedRun): "stored" | "failed" | "missing" {
    const stored = ({ hash }: PlannedRun) => this.stored.has(hash) || this.before(hash) !== undefined
    const one = (r: PlannedRun) => (stored(r) ? "stored" : this.failures.has(r.hash) ? "failed" : "missing")
    const { search } = this.plan
    if (search === undefined) return one(run)
    const bisection = new Bisection(search)
    for (let load = bisection.next(); load !== undefined; load = bisection.next()) {
      const at = atLoad(run, load)
      const result = this.results.get(at.hash) ?? this.before(at.hash)
      if (result === undefined) return one(at)
      bisection.tell(load, result)
    }
    return "stored"
  }

  get failed(): readonly FailedRun[] {
    return [...this.failures.values()].filter((f) => !this.stored.has(f.hash))
  }
}
