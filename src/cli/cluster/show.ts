// Formats sweeps and their tasks for a terminal.

import type { Executor } from "../../cluster/executor.ts"
import { type Settled, settled } from "../../cluster/executor.ts"
import type { Points } from "../../cluster/follow.ts"
import type { Asked } from "../../cluster/frozen.ts"
import type { Job, Round } from "../../cluster/job.ts"
import type { TaskState } from "../../cluster/judge.ts"
import { type Counts, countsOf } from "../../cluster/status.ts"
import { duration } from "../../core/duration.ts"
import { counted } from "../../core/wording.ts"
import { table } from "../../terminal/table.ts"
import type { Io } from "../command.ts"

export function countText(c: Counts): string {
  const parts = [
    `${c.done} of ${counted(c.tasks, "task")} done`,
    c.running > 0 ? `${c.running} running` : "",
    c.waiting > 0 ? `${c.waiting} waiting` : "",
    c.lost > 0 ? `${c.lost} ended early` : "",
    c.failed > 0 ? `${counted(c.failed, "run")} failed` : "",
  ]
  return parts.filter((p) => p !== "").join(", ")
}

/** Shows the progress of a sweep: one live line on a terminal, otherwise a line for each change. */
export class Following {
  private readonly io: Io
  private readonly quiet: boolean
  private last = ""
  private drawn = false
  constructor(io: Io, quiet: boolean) {
    this.io = io
    this.quiet = quiet
  }
  show(states: readonly TaskState[], { stored }: Points): void {
    if (this.quiet) return
    const text = `${countText(countsOf(states))}, ${counted(stored, "run")} stored`
    if (text === this.last) return
    this.last = text
    if (this.io.live) this.io.raw(`\r\u001b[K${text.slice(0, this.io.width - 1)}`)
    else this.io.err(this.io.paint.dim(text))
    this.drawn = this.io.live
  }
  note(text: string): void {
    this.clear()
    if (!this.quiet) this.io.err(this.io.paint.dim(text))
  }
  clear(): void {
    if (this.drawn) this.io.raw("\r\u001b[K")
    this.drawn = false
  }
}

/** Returns the predicted remaining seconds of a task. */
export function toGo({ task, evidence }: TaskState): number {
  return task.seconds * Math.max(0, 1 - (evidence.stored + evidence.failed) / task.runs.length)
}

export function tasksTable(states: readonly TaskState[], { cpus }: Settled, io: Io): string {
  const rows = states.map((s) => [
    String(s.index),
    s.state,
    `${s.evidence.stored}/${s.task.runs.length}`,
    s.state === "running" || s.state === "waiting" ? duration(toGo(s) / cpus) : "",
    s.left === undefined ? "" : duration(s.left),
    s.reason,
  ])
  const columns = [
    { head: "task", align: "right" },
    { head: "state" },
    { head: "points", align: "right" },
    { head: "remaining", align: "right" },
    { head: "time left", align: "right" },
    { head: "reason" },
  ] as const
  return table(columns, rows, io.paint, io.fits)
}

/** Returns the text of --dry-run: scripts, tasks, core hours, memory. */
export function planText(job: Job, round: Round, asked: Asked, executor: Executor): string {
  const { cpus, time, lead, perTask } = settled(asked.cluster, asked.on)
  const seconds = round.tasks.map((t) => t.seconds)
  const total = seconds.reduce((a, b) => a + b, 0)
  const points = round.tasks.reduce((n, t) => n + t.runs.length, 0)
  if (points === 0) return "Nothing to do: all runs are already stored."
  const parts = [
    `${counted(points, "point")} in ${counted(round.tasks.length, "task")} of up to ${duration(Math.max(0, ...seconds) / cpus)} (predicted; --per-task ${duration(perTask)}), time limit ${duration(time)}, with a signal ${duration(lead)} before it`,
    `about ${(total / 3600).toPrecision(2)} core hours; ${counted(cpus, "core")} and ${[...new Set(round.pieces.map((p) => `${p.memory} MB`))].join(" or ")} per task`,
  ]
  const shown = round.pieces.slice(0, 3).map((p) => `\n${executor.script(job, p)}`)
  const more = round.pieces.length > 3 ? [`\nand ${counted(round.pieces.length - 3, "more script")}`] : []
  return [...parts, ...shown, ...more].join("\n")
}
