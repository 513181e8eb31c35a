// Who runs the tasks of a job. An executor hands over, looks and cancels; what it says is advice. Whether a task has ended, and what it found, is in the task's own folder.
import type { Complaint } from "../../core/complaint.ts"
import type { Granted } from "../../experiment/cluster/granted.ts"
import type { ClusterKeys } from "../../experiment/cluster/keys.ts"
import { cores } from "../cores.ts"
import type { Asked } from "./frozen.ts"
import type { Job, Piece } from "./job.ts"

export interface Seen {
  readonly state: "waiting" | "running" | "ended"
  /** the scheduler's own word, and its reason */
  readonly word: string
  readonly reason: string
  /** seconds until its limit */
  readonly left?: number
}

/** By number of the task; one that is missing is not known to the scheduler. */
export type Look = ReadonlyMap<number, Seen>

/** `unsure`: nobody knows whether it was taken; it is asked for by its name before it is handed over again. */
export type HandedOver = { readonly id: string } | { readonly bad: readonly Complaint[] } | { readonly unsure: string }

type Folder = Pick<Job, "dir">

export interface Executor {
  readonly name: Asked["on"]
  /** there is nobody to look at the queue */
  readonly blind?: boolean
  /** most tasks of one piece */
  most(): Promise<number>
  /** what stands against these, before anything is handed over */
  check(job: Folder, pieces: readonly Piece[]): Promise<readonly Complaint[]>
  /** the text that is handed over */
  script(job: Folder, piece: Piece): string
  /** Once, however often it is asked: a piece that was taken before is found by its name. */
  submit(job: Folder, piece: Piece): Promise<HandedOver>
  /** Undefined: no answer, which means nothing. */
  look(job: Folder, pieces: readonly Piece[]): Promise<Look | undefined>
  /** What a record of past tasks says, where there is one. */
  past?(job: Folder, pieces: readonly Piece[]): Promise<Look | undefined>
  cancel(job: Folder, pieces: readonly Piece[]): Promise<readonly Complaint[]>
}

/** What an executor is made of: keys of the cluster whose commands passed the gate. */
export type Orders = Granted & {
  /** further arguments of every task: consent of the user who hands it over */
  readonly args?: readonly string[]
}

/** What is asked for, with what is usual where nothing is said. Seconds. */
export interface Settled {
  readonly perTask: number
  readonly time: number
  /** so long before its limit a task is told to end */
  readonly lead: number
  readonly cpus: number
}

const PER_TASK = 20 * 60
const LEAST_TIME = 10 * 60
const MOST_LEAD = 120

export function settled(keys: ClusterKeys, on: Asked["on"]): Settled {
  const perTask = keys.perTask ?? PER_TASK
  const time = keys.time ?? Math.max(LEAST_TIME, 3 * perTask)
  return { perTask, time, lead: Math.min(MOST_LEAD, Math.floor(time / 4)), cpus: keys.cpus ?? (on === "local" ? cores : 1) }
}
