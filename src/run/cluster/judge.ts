// How a task stands. Files are the truth, the scheduler is advice: what has written its last word is over whatever the queue says, what shows life is not lost, and no answer
// is no end.
import type { Evidence } from "./evidence.ts"
import type { Executor, Look, Seen } from "./executor.ts"
import type { Piece, TaskPlan } from "./job.ts"

export interface TaskState {
  readonly index: number
  readonly task: TaskPlan
  readonly piece: Piece
  readonly evidence: Evidence
  /** done, left, refused, trouble: the task's own last word. lost: it ended without one */
  readonly state: "waiting" | "running" | "done" | "left" | "refused" | "trouble" | "lost"
  readonly reason: string
  /** seconds until its limit */
  readonly left?: number
}

export function isOver({ state }: TaskState): boolean {
  return state !== "waiting" && state !== "running"
}

export const FORGOTTEN = "not in the queue any more"

/** Seconds. A task shows life every 15 s. */
const BEATS = 40
/** Looks in which the scheduler says that it has ended: its last word may take a moment through a network file system. */
const LOOKS = 2

export class Judge {
  private readonly blind: boolean
  /** seconds that a task may be missing from the queue, without any sign of life */
  private readonly patience: number
  private readonly ended = new Map<number, number>()
  private readonly absent = new Map<number, { readonly since: number; looks: number }>()

  private readonly looks: number

  constructor(executor: Pick<Executor, "blind">, patience = 60, looks = LOOKS) {
    this.blind = executor.blind === true
    this.patience = patience
    this.looks = looks
  }

  /** `look`: undefined where the scheduler did not answer. `now`: seconds. */
  judge(e: Evidence, index: number, look: Look | undefined, now: number): Pick<TaskState, "state" | "reason"> & { left?: number } {
    if (e.ended !== undefined) return { state: e.ended.why, reason: e.ended.says.map((c) => `${c.path}: ${c.says}`).join("; ") }
    const seen = look?.get(index)
    const left = seen?.left === undefined ? {} : { left: seen.left }
    if (look !== undefined) this.count(index, seen, now)
    if (e.writer === "alive" && e.silent < BEATS) return { state: "running", reason: "", ...left }
    if (look === undefined) {
      // nobody to ask: a writer that is gone for sure
      if (this.blind && e.writer === "gone") return { state: "lost", reason: "no sign of life" }
      return { state: e.begun ? "running" : "waiting", reason: this.blind ? "" : "the scheduler does not answer" }
    }
    if (seen === undefined) return this.missing(e, index, now)
    if (seen.state === "ended") {
      const over = (this.ended.get(index) ?? 0) >= this.looks
      return { state: over ? "lost" : "running", reason: [seen.word, seen.reason].filter((w) => w !== "").join(", ") }
    }
    return { state: seen.state, reason: seen.state === "waiting" ? seen.reason : "", ...left }
  }

  private count(index: number, seen: Seen | undefined, now: number): void {
    if (seen?.state === "ended") this.ended.set(index, (this.ended.get(index) ?? 0) + 1)
    else this.ended.delete(index)
    const before = this.absent.get(index)
    if (seen !== undefined) this.absent.delete(index)
    else if (before === undefined) this.absent.set(index, { since: now, looks: 1 })
    else before.looks++
  }

  private missing(e: Evidence, index: number, now: number): Pick<TaskState, "state" | "reason"> {
    const { since, looks } = this.absent.get(index)!
    if (looks > this.looks && now - since >= this.patience) return { state: "lost", reason: FORGOTTEN }
    return { state: e.begun ? "running" : "waiting", reason: "not in the queue" }
  }
}
