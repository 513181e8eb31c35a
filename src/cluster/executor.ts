// The interface of an executor: it submits, polls and cancels tasks. Its information is only advice. Whether a task has
// ended and its results are in the task's own folder.
import type { Complaint } from "../core/complaint.ts"
import type { Granted } from "../experiment/cluster/granted.ts"
import type { ClusterKeys } from "../experiment/cluster/keys.ts"
import { cores } from "../run/cores.ts"
import type { Asked } from "./frozen.ts"
import type { Job, Piece } from "./job.ts"

export interface Seen {
  readonly state: "waiting" | "running" | "ended"
  /** the scheduler's own state name, and its reason */
  readonly word: string
  readonly reason: string
  /** seconds until its time limit */
  readonly left?: number
}

/** By task number; a missing task is not known to the scheduler. */
export type Look = ReadonlyMap<number, Seen>

/** `unsure`: it is not known whether it was accepted; its name is searched before it is submitted again. */
export type HandedOver = { readonly id: string } | { readonly bad: readonly Complaint[] } | { readonly unsure: string }

type Folder = Pick<Job, "dir">

export interface Executor {
  readonly name: Asked["on"]
  /** there is no command to poll the queue */
  readonly blind?: boolean
  /** limit of the tasks in one piece */
  most(): Promise<number>
  /** complaints, before anything is submitted */
  check(job: Folder, pieces: readonly Piece[]): Promise<readonly Complaint[]>
  /** the script that is submitted */
  script(job: Folder, piece: Piece): string
  /** Submits once, however often it is called: a piece that was accepted before is found by its name. */
  submit(job: Folder, piece: Piece): Promise<HandedOver>
  /** Polls. undefined: no response, which proves nothing. */
  look(job: Folder, pieces: readonly Piece[]): Promise<Look | undefined>
  /** Returns the accounting record of ended tasks, if there is one. */
  past?(job: Folder, pieces: readonly Piece[]): Promise<Look | undefined>
  cancel(job: Folder, pieces: readonly Piece[]): Promise<readonly Complaint[]>
}

/** Settings of an executor: keys of the cluster whose commands passed the gate (experiment/gate.ts). */
export type Orders = Granted & {
  /** further arguments of every task: the consent of the user who submits it */
  readonly args?: readonly string[]
}

/** The settings with their defaults. Seconds. */
export interface Settled {
  readonly perTask: number
  readonly time: number
  /** time before its limit at which a task receives SIGTERM */
  readonly lead: number
  readonly cpus: number
}

const PER_TASK = 20 * 60
const LEAST_TIME = 10 * 60
const MOST_LEAD = 120

/** Fills in the defaults: 20 min of work per task, and a time limit of three times that, at least 10 min. */
export function settled(keys: ClusterKeys, on: Asked["on"]): Settled {
  const perTask = keys.perTask ?? PER_TASK
  const time = keys.time ?? Math.max(LEAST_TIME, 3 * perTask)
  return {
    perTask,
    time,
    lead: Math.min(MOST_LEAD, Math.floor(time / 4)),
    cpus: keys.cpus ?? (on === "local" ? cores : 1),
  }
}
