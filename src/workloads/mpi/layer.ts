// Jobs made ready for an engine: what their programs hold is known, their ranks have places.
import type { Checked } from "../../core/complaint.ts"
import type { RankLayer, Ranks } from "../../model/workload.ts"
import { FIXED, layRanks, type RankColumns } from "./columns.ts"
import { type Job, type JobPlan, makeJobs } from "./job.ts"
import { makeRanks } from "./ranks.ts"

export interface MpiLayer extends RankLayer {
  readonly jobs: readonly Job[]
  /** Columns of the last machine that was built: where a report reads. */
  columns(): RankColumns
}

/** `place`: [rank of all jobs] -> endpoint; `stream`: what their messages count as. */
export function mpiLayer(plans: readonly JobPlan[], place: Int32Array, stream = 0): Checked<MpiLayer> {
  const made = makeJobs(plans)
  if ("bad" in made) return made
  const jobs = made.ok
  const ranks = jobs.reduce((n, j) => n + j.ranks, 0)
  let at: RankColumns | undefined
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
