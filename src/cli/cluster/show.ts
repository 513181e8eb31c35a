// Jobs and their tasks for a terminal.
import { duration } from "../../core/duration.ts"
import type { Executor } from "../../run/cluster/executor.ts"
import { type Settled, settled } from "../../run/cluster/executor.ts"
import type { Points } from "../../run/cluster/follow.ts"
import type { Asked } from "../../run/cluster/frozen.ts"
import type { Job, Round } from "../../run/cluster/job.ts"
import type { TaskState } from "../../run/cluster/judge.ts"
import { type Counts, countsOf } from "../../run/cluster/status.ts"
import { table } from "../../terminal/table.ts"
import type { Io } from "../command.ts"

export function countText(c: Counts): string {
  const parts = [
    `${c.done} of ${c.tasks} tasks done`,
    c.running > 0 ? `${c.running} running` : "",
    c.waiting > 0 ? `${c.waiting} waiting` : "",
    c.lost > 0 ? `${c.lost} ended early` : "",
    c.failed > 0 ? `${c.failed} runs failed` : "",
  ]
  return parts.filter((p) => p !== "").join(", ")
}

/** How a job goes on: one live line on a terminal, a line when something has changed elsewhere. */
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
    const text = `${countText(countsOf(states))}, ${stored} runs stored`
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

/** Seconds that a task has still to do, as predicted. */
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
    { head: "to go", align: "right" },
    { head: "limit in", align: "right" },
    { head: "reason" },
  ] as const
  return table(columns, rows, io.paint, io.fits)
}

/** What --dry-run shows: scripts, tasks, core hours, memory. */
export function planText(job: Job, round: Round, asked: Asked, executor: Executor): string {
  const { cpus, time, lead, perTask } = settled(asked.cluster, asked.on)
  const seconds = round.tasks.map((t) => t.seconds)
  const total = seconds.reduce((a, b) => a + b, 0)
  const points = round.tasks.reduce((n, t) => n + t.runs.length, 0)
  if (points === 0) return "nothing is to do: all points are known here"
  const parts = [
    `${points} points in ${round.tasks.length} tasks of up to ${duration(Math.max(0, ...seconds) / cpus)} (predicted; ${duration(perTask)} are asked for), limit ${duration(time)}, told to end ${duration(lead)} before it`,
    `about ${(total / 3600).toPrecision(2)} core hours; ${cpus} ${cpus === 1 ? "core" : "cores"} and ${[...new Set(round.pieces.map((p) => `${p.memory} MB`))].join(" or ")} for each task`,
  ]
  const shown = round.pieces.slice(0, 3).map((p) => `\n${executor.script(job, p)}`)
  const more = round.pieces.length > 3 ? [`\nand ${round.pieces.length - 3} more scripts`] : []
  return [...parts, ...shown, ...more].join("\n")
}
