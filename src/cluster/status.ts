// The present state of a sweep from a single poll, for `lacewing sweeps`.

import type { Executor } from "./executor.ts"
import { type Job, tasksOf } from "./job.ts"
import { Judge, type TaskState } from "./judge.ts"
import { taskFilesIn } from "./task-state.ts"

export async function statusOf(job: Job, executor: Executor | undefined): Promise<TaskState[]> {
  const rounds = job.rounds()
  const found = tasksOf(rounds).map((t) => ({ ...t, evidence: taskFilesIn(job.taskDir(t.index)) }))
  const pieces = rounds.flatMap((r) => r.pieces).filter((p) => p.id !== undefined)
  const open = found.some((t) => t.evidence.ended === undefined)
  const look = open && pieces.length > 0 ? await executor?.look(job, pieces) : undefined
  // A single poll must not declare a missing task lost, so the time limit is infinite.
  const judge = new Judge(executor ?? {}, Infinity, 1)
  return found.map((t) => {
    if (t.piece.id === undefined && t.evidence.ended === undefined)
      return { ...t, state: "waiting", reason: "not submitted yet" }
    return { ...t, ...judge.judge(t.evidence, t.index, look, 0) }
  })
}

export interface Counts {
  readonly tasks: number
  readonly done: number
  readonly running: number
  readonly waiting: number
  /** ended without doing all its runs: lost, left, refused or in trouble */
  readonly lost: number
  readonly points: number
  readonly stored: number
  readonly failed: number
}

/** Returns the numbers of tasks and points by state. */
export function countsOf(states: readonly TaskState[]): Counts {
  const of = (...names: readonly TaskState["state"][]) => states.filter((s) => names.includes(s.state)).length
  const sum = (key: "stored" | "failed") => states.reduce((n, s) => n + s.evidence[key], 0)
  return {
    tasks: states.length,
    done: of("done"),
    running: of("running"),
    waiting: of("waiting"),
    lost: of("lost", "left", "refused", "trouble"),
    points: new Set(states.flatMap((s) => s.task.runs)).size,
    stored: sum("stored"),
    failed: sum("failed"),
  }
}
