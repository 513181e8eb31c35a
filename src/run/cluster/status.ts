// How a job stands now, from one look.
import { evidenceIn } from "./evidence.ts"
import type { Executor } from "./executor.ts"
import { type Job, tasksOf } from "./job.ts"
import { Judge, type TaskState } from "./judge.ts"

export async function statusOf(job: Job, executor: Executor | undefined): Promise<TaskState[]> {
  const rounds = job.rounds()
  const found = tasksOf(rounds).map((t) => ({ ...t, evidence: evidenceIn(job.taskDir(t.index)) }))
  const pieces = rounds.flatMap((r) => r.pieces).filter((p) => p.id !== undefined)
  const open = found.some((t) => t.evidence.ended === undefined)
  const look = open && pieces.length > 0 ? await executor?.look(job, pieces) : undefined
  const judge = new Judge(executor ?? {}, Infinity, 1)
  return found.map((t) => {
    if (t.piece.id === undefined && t.evidence.ended === undefined) return { ...t, state: "waiting", reason: "not handed over yet" }
    return { ...t, ...judge.judge(t.evidence, t.index, look, 0) }
  })
}

export interface Counts {
  readonly tasks: number
  readonly done: number
  readonly running: number
  readonly waiting: number
  /** ended without doing all: lost, left, refused, in trouble */
  readonly lost: number
  readonly points: number
  readonly stored: number
  readonly failed: number
}

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
