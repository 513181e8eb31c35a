// Decides the state of each task. Files take precedence over the scheduler. A task with a final record has ended,
// whatever the queue shows; one with a recent heartbeat is not lost; a scheduler that does not respond proves nothing.

import type { Executor, Look, Seen } from "./executor.ts"
import type { Piece, TaskPlan } from "./job.ts"
import type { TaskFiles } from "./task-state.ts"

export interface TaskState {
  readonly index: number
  readonly task: TaskPlan
  readonly piece: Piece
  readonly evidence: TaskFiles
  /** done, left, refused, trouble: the task's final record. lost: it ended without one */
  readonly state: "waiting" | "running" | "done" | "left" | "refused" | "trouble" | "lost"
  readonly reason: string
  /** seconds until its time limit */
  readonly left?: number
}

export function isOver({ state }: TaskState): boolean {
  return state !== "waiting" && state !== "running"
}

export const FORGOTTEN = "no longer in the queue"

/** Seconds without a heartbeat until a task counts as silent. A task writes one every 15 s. */
const BEATS = 40
/**
 * Number of polls in which the scheduler must report the end, because the final record may arrive late over a network
 * file system.
 */
const LOOKS = 2

export class Judge {
  private readonly blind: boolean
  /** seconds that a task may be missing from the queue without a heartbeat */
  private readonly patience: number
  private readonly ended = new Map<number, number>()
  private readonly absent = new Map<number, { readonly since: number; looks: number }>()

  private readonly looks: number

  constructor(executor: Pick<Executor, "blind">, patience = 60, looks = LOOKS) {
    this.blind = executor.blind === true
    this.patience = patience
    this.looks = looks
  }

  /** Returns the state of a task. `look`: undefined if the scheduler did not respond. `now`: seconds. */
  judge(
    e: TaskFiles,
    index: number,
    look: Look | undefined,
    now: number,
  ): Pick<TaskState, "state" | "reason"> & { left?: number } {
    if (e.ended !== undefined)
      return { state: e.ended.why, reason: e.ended.says.map((c) => `${c.path}: ${c.says}`).join("; ") }
    const seen = look?.get(index)
    const left = seen?.left === undefined ? {} : { left: seen.left }
    if (look !== undefined) this.count(index, seen, now)
    if (e.writer === "alive" && e.silent < BEATS) return { state: "running", reason: "", ...left }
    if (look === undefined) {
      // There is no command to poll: only a writer that is certainly gone proves a loss.
      if (this.blind && e.writer === "gone") return { state: "lost", reason: "no heartbeat" }
      return { state: e.begun ? "running" : "waiting", reason: this.blind ? "" : "the scheduler does not respond" }
    }
    if (seen === undefined) return this.missing(e, index, now)
    if (seen.state === "ended") {
      const over = (this.ended.get(index) ?? 0) >= this.looks
      return { state: over ? "lost" : "running", reason: [seen.word, seen.reason].filter((w) => w !== "").join(", ") }
    }
    return { state: seen.state, reason: seen.state === "waiting" ? seen.reason : "", ...left }
  }

  /** Counts consecutive polls in which the task had ended or was missing. */
  private count(index: number, seen: Seen | undefined, now: number): void {
    if (seen?.state === "ended") this.ended.set(index, (this.ended.get(index) ?? 0) + 1)
    else this.ended.delete(index)
    const before = this.absent.get(index)
    if (seen !== undefined) this.absent.delete(index)
    else if (before === undefined) this.absent.set(index, { since: now, looks: 1 })
    else before.looks++
  }

  /**
   * A task that is missing from the queue is lost after several polls over some time: the queue may be empty briefly.
   */
  private missing(e: TaskFiles, index: number, now: number): Pick<TaskState, "state" | "reason"> {
    const { since, looks } = this.absent.get(index)!
    if (looks > this.looks && now - since >= this.patience) return { state: "lost", reason: FORGOTTEN }
    return { state: e.begun ? "running" : "waiting", reason: "not in the queue" }
  }
}
