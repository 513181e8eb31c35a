// The runner of papers: an experiment given as data, run like any sweep (resumable, on all cores).
import { complain } from "../../core/complaint.ts"
import { hostAt } from "../../experiment/disk/host.ts"
import type { Consent } from "../../experiment/gate.ts"
import { buildVersion } from "../../experiment/identity/version.ts"
import { outsideFor } from "../../experiment/outside/load.ts"
import { plan } from "../../experiment/plan.ts"
import { plainSource } from "../../experiment/source.ts"
import { readResults } from "../../results/read.ts"
import { Store } from "../../results/store.ts"
import { execute } from "../../sweep/execute.ts"
import type { ProgressState } from "../../sweep/progress.ts"
import type { RunExperiment } from "./paper.ts"

export type RunnerOptions = {
  readonly workers: number
  readonly signal?: AbortSignal
  /** the state of each run is written down this often, and when interrupted */
  readonly checkpoint?: string
  readonly simulator?: string
  /** absent: modules that an experiment names are executed, as `lacewing run` does */
  readonly consent?: Consent
  onProgress?(state: ProgressState): void
}

/** Returns the records only if every run of the experiment has one, because a figure with gaps proves nothing. */
export function experimentRunner(options: RunnerOptions): RunExperiment {
  return async (experiment, out, folder = process.cwd()) => {
    const file = { source: plainSource(out, experiment), host: hostAt(folder), name: out }
    const outside = await outsideFor(file, options.consent)
    if ("bad" in outside) return outside
    const planned = plan(file, { outside: outside.ok })
    if ("bad" in planned) return planned
    const store = await Store.open(out, { version: buildVersion, about: { title: planned.ok.title } })
    if ("bad" in store) return store
    const done = await execute(planned.ok, store.ok, options)
    const closed = await store.ok.close()
    if (done.trouble.length > 0 || closed.length > 0) return { bad: [...done.trouble, ...closed] }
    if (done.interrupted)
      return { bad: [complain(out, "interrupted", "finished runs are stored; the same command continues from here")] }
    if (done.failures.length > 0) {
      return {
        bad: done.failures.map(({ run, result }) =>
          complain(out, `run ${run.hash.slice(0, 12)} failed: ${result.explains}`, "see above"),
        ),
      }
    }
    // the tables of runs that were known are in the folder, not in memory
    const all = await readResults(out)
    return "bad" in all ? all : { ok: all.ok.records }
  }
}
