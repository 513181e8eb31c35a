// Connects jobs to an engine. `mpiLayer` assigns global rank numbers to the ranks of all jobs and lays out their state
// as words of the engine's memory (columns.ts). The engine then calls `make`, once per worker, for the event handler of
// the ranks (ranks.ts). The experiment layer calls it when an experiment has `jobs`.
import type { Checked } from "../../core/complaint.ts"
import type { RankLayer, Ranks } from "../../model/workload.ts"
import { FIXED, layRanks, type RankColumns } from "./columns.ts"
import { type Job, type JobPlan, makeJobs } from "./job.ts"
import { operationWords } from "./operations.ts"
import { makeRanks } from "./ranks.ts"

export interface MpiLayer extends RankLayer {
  readonly jobs: readonly Job[]
  /** operations that are stored for each rank (operations.ts) */
  readonly rows: number
  /** Returns the columns of the machine that was built last. Reports read them. */
  columns(): RankColumns
}

/**
 * `place` maps a global rank to its endpoint. `stream` is the traffic stream under which the messages are measured.
 * `rows` is the number of operations that are stored for each rank.
 */
export function mpiLayer(plans: readonly JobPlan[], place: Int32Array, stream = 0, rows = 0): Checked<MpiLayer> {
  const made = makeJobs(plans)
  if ("bad" in made) return made
  const jobs = made.ok
  const ranks = jobs.reduce((n, j) => n + j.ranks, 0)
  let at: RankColumns | undefined
  const timed = jobs.map((j) => j.program.flows !== undefined)
  const requests = jobs.map((j, i) => (timed[i] ? j.analysis.requests.reduce((a, b) => Math.max(a, b), 0) : 0))
  const summary = FIXED + 2 * Math.max(0, ...requests) + operationWords(rows)
  // `summary` words of each rank are copied out of the worker for the report: FIXED, the times of its requests, and its
  // last operations.
  return {
    ok: {
      jobs,
      rows,
      ranks,
      place,
      stream,
      summary,
      columns: () => at!,
      lay(memory) {
        const columns = layRanks(
          memory,
          jobs.map((j, i) => ({ ...j.analysis, timed: timed[i] })),
          rows,
        )
        at = columns
        return { make: (host): Ranks => makeRanks(jobs, columns, host, summary) }
      },
    },
  }
}
