// How often a run was tried in vain: its task ended without a last word while it was running, or brought nothing at all. A run that is written down and goes on in the next
// task is not tried in vain.
import type { Plan } from "../../experiment/plan.ts"
import { begunIn } from "./evidence.ts"
import type { Job } from "./job.ts"
import { isOver, type TaskState } from "./judge.ts"
import type { Known } from "./known.ts"
import { statesIn } from "./states.ts"

/** Further tasks for one run. */
export const mostTries = 3

export interface Tries {
  readonly count: ReadonlyMap<number, number>
  /** runs that were running when their task was lost */
  readonly suspects: ReadonlySet<number>
}

export function triesOf(job: Job, states: readonly TaskState[], plan: Plan, known: Known): Tries {
  const count = new Map<number, number>()
  const suspects = new Set<number>()
  for (const s of states) {
    if (!isOver(s) || s.state === "done") continue
    const missing = s.task.runs.filter((run) => known.stateOf(plan.runs[run]!) === "missing")
    if (missing.length === 0) continue
    const dir = job.taskDir(s.index)
    const fruitless = s.evidence.stored === 0 && !(s.state === "left" && statesIn(dir).size > 0)
    const begun = s.state === "left" ? new Set<string>() : begunIn(dir)
    for (const run of missing) {
      // the runs of a search have names of their own: all of its points may be to blame
      const running = begun.has(plan.runs[run]!.hash) || (plan.search !== undefined && begun.size > 0)
      if (running) suspects.add(run)
      if (fruitless || running) count.set(run, (count.get(run) ?? 0) + 1)
    }
  }
  return { count, suspects }
}
