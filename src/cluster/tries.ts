// Counts fruitless attempts for each run: its task ended without a final record while the run was active, or stored
// nothing at all. A run that was saved and continues in the next task does not count.
import type { Plan } from "../experiment/plan.ts"
import type { Job } from "./job.ts"
import { isOver, type TaskState } from "./judge.ts"
import type { Known } from "./known.ts"
import { statesIn } from "./states.ts"
import { begunIn } from "./task-state.ts"

/** Limit of further tasks for one run. */
export const mostTries = 3

export interface Tries {
  readonly count: ReadonlyMap<number, number>
  /** runs that were active when their task was lost; they get separate tasks */
  readonly suspects: ReadonlySet<number>
}

/** Counts the attempts from the states of all tasks. */
export function triesOf(job: Job, states: readonly TaskState[], plan: Plan, known: Known): Tries {
  const count = new Map<number, number>()
  const suspects = new Set<number>()
  for (const s of states) {
    if (!isOver(s) || s.state === "done") continue
    const missing = s.task.runs.filter((run) => known.stateOf(plan.runs[run]) === "missing")
    if (missing.length === 0) continue
    const dir = job.taskDir(s.index)
    // A task that stored a state made progress, even if no run finished.
    const fruitless = s.evidence.stored === 0 && !(s.state === "left" && statesIn(dir).size > 0)
    const begun = s.state === "left" ? new Set<string>() : begunIn(dir)
    for (const run of missing) {
      // Runs of a search have other hashes than the plan: any of its points may be the cause.
      const running = begun.has(plan.runs[run].hash) || (plan.search !== undefined && begun.size > 0)
      if (running) suspects.add(run)
      if (fruitless || running) count.set(run, (count.get(run) ?? 0) + 1)
    }
  }
  return { count, suspects }
}
