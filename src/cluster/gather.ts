// Merges the results of the tasks into the results folder, and returns them as if the sweep had been run on this
// machine.
import { existsSync } from "node:fs"
import type { Complaint } from "../core/complaint.ts"
import type { Plan, PlannedRun } from "../experiment/plan.ts"
import { Bisection } from "../experiment/search.ts"
import type { RunResult } from "../model/experiment.ts"
import type { Saturation } from "../results/findings/saturation.ts"
import { addAll } from "../results/merge.ts"
import { readResults } from "../results/read.ts"
import type { RunRecord } from "../results/record.ts"
import type { Store } from "../results/store.ts"
import type { Executed, Failure } from "../sweep/execute.ts"
import { orderOf, searched } from "../sweep/sequential.ts"
import type { Followed } from "./follow.ts"
import { type Job, jobsIn, tasksOf } from "./job.ts"
import { taskFilesIn } from "./task-state.ts"

/** Adds runs of all sweeps of the folder that it does not have. Folders without new runs are not read. */
export async function collect(store: Store, jobs: readonly Job[] = jobsIn(store.dir)): Promise<readonly Complaint[]> {
  const said: Complaint[] = []
  for (const job of jobs)
    for (const { index } of tasksOf(job.rounds())) {
      const dir = job.taskDir(index)
      if (!existsSync(dir) || taskFilesIn(dir).stored === 0) continue
      const bare = await readResults(dir, { everything: true, tables: false })
      if ("bad" in bare) said.push(...bare.bad)
      else if (bare.ok.records.some((r) => !store.has(r.hash))) {
        const whole = await readResults(dir, { everything: true })
        const added = "bad" in whole ? whole : await addAll(store, [whole.ok])
        said.push(...("bad" in added ? added.bad : [...added.ok.conflicts, ...added.ok.said]))
      }
    }
  return said
}

/**
 * Returns the plan's runs as the store has them. `found`: result of following the sweep; `before`: records at its
 * start.
 */
export async function gathered(
  plan: Plan,
  store: Store,
  found: Pick<Followed, "lost" | "known">,
  before: (hash: string) => RunRecord | undefined,
  seconds: number,
): Promise<Executed> {
  const finished: { readonly at: number; readonly record: RunRecord }[] = []
  const knees: Saturation[] = []
  const failures: Failure[] = []
  const failed = new Map(found.known.failed.map((f) => [f.hash, f]))
  const get = (run: PlannedRun, at: number): RunRecord | undefined => {
    const there = store.get(run.hash)
    if (there === undefined) {
      const why = failed.get(run.hash)
      if (why !== undefined) failures.push({ run, result: without(why.why, why.explains) })
      return undefined
    }
    const record = { ...there, point: run.point }
    finished.push({ at, record })
    return record
  }
  for (const [i, run] of plan.runs.entries()) {
    const reason = found.lost.get(i)
    if (reason !== undefined) failures.push({ run, result: without("crashed", `its tasks were lost: ${reason}`) })
    if (plan.search === undefined) get(run, i)
    else {
      const knee = await searched(run, new Bisection(plan.search), async (at, load) => get(at, orderOf(i, load)))
      if (knee !== undefined) knees.push(knee)
    }
  }
  const records = finished.sort((a, b) => a.at - b.at).map((f) => f.record)
  const trouble = (await store.plan(plan.search === undefined ? plan.runs : records)) ?? []
  const known = records.filter((r) => before(r.hash) !== undefined).length
  return { records, failures, knees, known, interrupted: false, trouble, seconds }
}

function without(why: RunResult["why"], explains: string): RunResult {
  return { why, explains, fingerprint: "", values: {}, tables: {} }
}
