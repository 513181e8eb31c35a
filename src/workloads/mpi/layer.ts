// Connects jobs to an engine. `mpiLayer` assigns global rank numbers to the ranks of all jobs and lays out their state
// as words of the engine's memory (columns.ts). The engine then calls `make`, once per worker, for the event handler of
// the ranks (ranks.ts). The experiment layer calls it when an experiment has `jobs`.
import type { Checked } from "../../core/complaint.ts"
import type { RankLayer, Ranks } from "../../model/workload.ts"
import { FIXED, layRanks, type RankColumns } from "./columns.ts"
import { type Job, type JobPlan, makeJobs } from "./job.ts"
import { makeRanks } from "./ranks.ts"

export interface MpiLayer extends RankLayer {
  readonly jobs: readonly Job[]
  /** Returns the columns of the machine that was built last. Reports read them. */
  columns(): RankColumns
}

/** `place` maps a global rank to its endpoint. `stream` is the traffic stream under which the messages are measured. */
export function mpiLayer(plans: readonly JobPlan[], place: Int32Array, stream = 0): Checked<MpiLayer> {
  const made = makeJobs(plans)
  if ("bad" in made) return made
  const jobs = made.ok
  const ranks = jobs.reduce((n, j) => n + j.ranks, 0)
  let at: RankColumns | undefined
  // `summary` words of each rank are copied out of the worker for the report, so FIXED covers all that report.ts reads.
  return {
    ok: {
      jobs,
      ranks,
      place,
      stream,
      summary: FIXED,
      columns: () => at!,
      lay(memory) {
        const columns = layRanks(
          memory,
          jobs.map((j) => j.analysis),
        )
        at = columns
        return { make: (host): Ranks => makeRanks(jobs, columns, host) }
      },
    },
  }
}
