// Follows a sweep from the first submission to the last task: it submits, polls, waits, and submits missing runs again.
// It can be ended at any moment and another process can continue, because all its knowledge comes from the files of the
// sweep.
import { setTimeout as sleep } from "node:timers/promises"
import { type Complaint, complain } from "../core/complaint.ts"
import { counted } from "../core/wording.ts"
import type { RunRecord } from "../results/record.ts"
import type { Executor, Look } from "./executor.ts"
import type { Frozen } from "./frozen.ts"
import { type Job, type Round, tasksOf } from "./job.ts"
import { FORGOTTEN, isOver, Judge, type TaskState } from "./judge.ts"
import { Known } from "./known.ts"
import { logOf } from "./logs.ts"
import { makeRound, type RoundOptions } from "./rounds.ts"
import { handOver, stopAll } from "./submit.ts"
import { notesIn, taskFilesIn } from "./task-state.ts"
import { mostTries, triesOf } from "./tries.ts"

/** Times in seconds. Tests replace it. */
export interface Clock {
  now(): number
  wait(seconds: number, signal?: AbortSignal): Promise<void>
}

const wall: Clock = {
  now: () => Date.now() / 1000,
  wait: (seconds, signal) =>
    sleep(1000 * seconds, undefined, signal === undefined ? {} : { signal }).catch(() => undefined),
}

export interface FollowOptions {
  readonly signal: AbortSignal
  readonly clock?: Clock
  readonly cost?: RoundOptions["cost"]
  /** seconds between two polls: minimum and maximum */
  readonly least?: number
  readonly most?: number
  /** seconds that a task may be missing from the queue */
  readonly patience?: number
  /** record of the results folder before the sweep */
  known(hash: string): RunRecord | undefined
  onLook?(states: readonly TaskState[], points: Points): void
  onNote?(text: string): void
}

export interface Points {
  readonly asked: number
  readonly stored: number
  readonly failed: number
}

export interface Followed {
  readonly why: "done" | "detached" | "cancelled" | "refused"
  readonly says: readonly Complaint[]
  /** indices in the plan of runs whose tasks were lost too often, and why */
  readonly lost: ReadonlyMap<number, string>
  readonly known: Known
}

export async function follow(job: Job, frozen: Frozen, executor: Executor, o: FollowOptions): Promise<Followed> {
  return new Follower(job, frozen, executor, o).go()
}

/** State of one process that follows a sweep. All of it can be read again from the files. */
class Follower {
  private readonly job: Job
  private readonly frozen: Frozen
  private readonly executor: Executor
  private readonly o: FollowOptions
  private readonly known: Known
  private readonly judge: Judge
  private readonly noted = new Map<number, number>()
  private readonly least: number
  private readonly most: number
  private readonly clock: Clock
  private rounds: Round[]
  private delay: number
  private over = 0
  private roundAt = Number.NEGATIVE_INFINITY

  constructor(job: Job, frozen: Frozen, executor: Executor, o: FollowOptions) {
    this.job = job
    this.frozen = frozen
    this.executor = executor
    this.o = o
    this.known = new Known(frozen.plan, (hash) => o.known(hash)?.result)
    this.least = o.least ?? 2
    this.most = Math.max(this.least, o.most ?? 60)
    this.judge = new Judge(executor, o.patience ?? Math.max(60, this.least))
    this.clock = o.clock ?? wall
    this.rounds = job.rounds()
    this.delay = this.least
  }

  /** The main loop: submit, poll, read results, submit missing runs again or wait. */
  async go(): Promise<Followed> {
    for (;;) {
      if (this.job.cancelled) return this.end("cancelled")
      if (this.o.signal.aborted) return this.end("detached")
      // Pieces without an identifier are submitted first, also those of an earlier process.
      const sent = await handOver(this.job, this.rounds, this.executor, {
        settle: 5 * this.least,
        now: this.clock.now,
        signal: this.o.signal,
        note: (text) => this.o.onNote?.(text),
      })
      this.rounds = sent.rounds
      if (sent.bad.length > 0) return this.stop(sent.bad)
      const states = await this.look()
      const refused = this.refused(states)
      if (refused.length > 0) return this.stop(refused)
      await this.take(states)
      const { again, lost } = this.missing(states)
      this.tell(states)
      const open = states.some((s) => !isOver(s)) || this.rounds.some((r) => r.pieces.some((p) => p.id === undefined))
      // While other tasks still run, missing runs are collected for a while, so that one round submits several of them.
      const due = !open || this.clock.now() - this.roundAt > 5 * this.least
      if (again.length > 0 && due) await this.addRound(again, states)
      else if (!open) return this.end("done", [], lost)
      else await this.wait(states)
    }
  }

  /** Polls the scheduler and reads the files of all tasks. */
  private async look(): Promise<TaskState[]> {
    const all = tasksOf(this.rounds)
    const found = all.map((t) => ({ ...t, evidence: taskFilesIn(this.job.taskDir(t.index)) }))
    const open = new Set(found.filter((t) => t.evidence.ended === undefined).map((t) => t.piece))
    const pieces = [...open].filter((p) => p.id !== undefined)
    const look = pieces.length === 0 ? new Map() : await this.executor.look(this.job, pieces)
    const asked = look === undefined ? undefined : await this.withPast(look, found, pieces)
    const now = this.clock.now()
    return found.map((t) => {
      if (t.piece.id === undefined && t.evidence.ended === undefined)
        return { ...t, state: t.evidence.begun ? "running" : "waiting", reason: "not submitted yet" }
      // The files are read again, because the final record may have been written before the queue was polled.
      const evidence = t.evidence.ended === undefined ? taskFilesIn(this.job.taskDir(t.index)) : t.evidence
      return { ...t, evidence, ...this.judge.judge(evidence, t.index, asked, now) }
    })
  }

  /** Reads accounting data only about tasks that the queue has forgotten. */
  private async withPast(
    look: Look,
    found: readonly { readonly index: number; readonly evidence: { readonly ended?: unknown } }[],
    pieces: Parameters<Executor["look"]>[1],
  ): Promise<Look> {
    const forgotten = found.some((t) => t.evidence.ended === undefined && !look.has(t.index))
    const past = forgotten ? await this.executor.past?.(this.job, pieces) : undefined
    return past === undefined ? look : new Map([...past, ...look])
  }

  /** Returns complaints that no further task would resolve. */
  private refused(states: readonly TaskState[]): Complaint[] {
    const said = states.find((s) => s.state === "refused")
    if (said !== undefined) return [...(said.evidence.ended?.says ?? [])]
    if (states.some((s) => s.evidence.begun)) return []
    // If the first tasks all end before they start, every further task would do the same. Three are enough to decide.
    const ended = states.filter(
      (s) => s.state === "lost" && s.reason !== FORGOTTEN && !s.reason.startsWith("CANCELLED"),
    )
    if (ended.length < Math.min(3, states.length)) return []
    const { index, reason } = ended[0]
    const log = logOf(this.job, ended[0])
    const says =
      `${counted(ended.length, "task")} ended before the ` +
      `start${reason === "" ? "" : ` (${reason})`}${log === "" ? "" : `; the log of task ${index} ends with: ${log}`}`
    return [
      complain(
        this.job.dir,
        says,
        "check that the compute nodes find Node.js and lacewing (--setup, --node) and can write to this folder",
      ),
    ]
  }

  /** Reads the results of tasks that have ended. */
  private async take(states: readonly TaskState[]): Promise<void> {
    for (const s of states) {
      const { stored, failed } = s.evidence
      if (isOver(s) && stored + failed > 0) await this.known.take(this.job.taskDir(s.index), stored + failed)
    }
  }

  /** Returns runs whose last task has ended and that are neither stored nor failed. */
  private missing(states: readonly TaskState[]): { again: number[]; lost: Map<number, string> } {
    const last = new Map<number, TaskState>()
    for (const s of states) for (const run of s.task.runs) last.set(run, s)
    const tries = triesOf(this.job, states, this.frozen.plan, this.known)
    const again: number[] = []
    const lost = new Map<number, string>()
    for (const [run, s] of last) {
      if (!isOver(s) || this.known.stateOf(this.frozen.plan.runs[run]) !== "missing") continue
      if ((tries.count.get(run) ?? 0) > mostTries) lost.set(run, s.reason === "" ? s.state : s.reason)
      else again.push(run)
    }
    return { again, lost }
  }

  /** Submits these runs again. Runs that were active in a lost task get separate tasks. */
  private async addRound(units: readonly number[], states: readonly TaskState[]): Promise<void> {
    const { plan, asked } = this.frozen
    const number = this.rounds.length + 1
    const first = Math.max(0, ...states.map((s) => s.index)) + 1
    const { suspects } = triesOf(this.job, states, plan, this.known)
    const round = await makeRound({
      ...{ plan, asked, executor: this.executor, job: this.job.id, number, first, units },
      alone: new Set(units.filter((u) => suspects.has(u))),
      known: this.o.known,
      cost: this.o.cost,
    })
    this.job.writeRound(round)
    this.rounds.push(round)
    this.roundAt = this.clock.now()
    this.delay = this.least
    this.o.onNote?.(
      `missing: ${counted(units.length, "point")}, submitted again in ${counted(round.tasks.length, "task")}`,
    )
  }

  /** Reports new notes and the progress. */
  private tell(states: readonly TaskState[]): void {
    for (const s of states) {
      if (!s.evidence.begun) continue
      const notes = notesIn(this.job.taskDir(s.index))
      for (const text of notes.slice(this.noted.get(s.index) ?? 0)) this.o.onNote?.(`task ${s.index}: ${text}`)
      this.noted.set(s.index, notes.length)
    }
    const runs = new Set(states.flatMap((s) => s.task.runs))
    const sum = (of: (s: TaskState) => number) => states.reduce((n, s) => n + of(s), 0)
    this.o.onLook?.(states, {
      asked: runs.size,
      stored: sum((s) => s.evidence.stored),
      failed: sum((s) => s.evidence.failed),
    })
  }

  /** Waits before the next poll, longer and longer while no task ends. */
  private async wait(states: readonly TaskState[]): Promise<void> {
    const over = states.filter(isOver).length
    this.delay = over > this.over ? Math.max(this.least, this.delay / 2) : Math.min(this.most, 1.3 * this.delay)
    this.over = over
    await this.clock.wait(this.delay, this.o.signal)
  }

  /** Cancels everything and records that the sweep was refused. */
  private async stop(says: readonly Complaint[]): Promise<Followed> {
    const bad = await stopAll(this.job, this.rounds, this.executor, () => this.clock.wait(this.least))
    this.job.end({ why: "refused", says: says.map((c) => `${c.path}: ${c.says}`) })
    return this.end("refused", [...says, ...bad])
  }

  private end(
    why: Followed["why"],
    says: readonly Complaint[] = [],
    lost: ReadonlyMap<number, string> = new Map(),
  ): Followed {
    return { why, says, lost, known: this.known }
  }
}
