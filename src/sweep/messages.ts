// Messages between the pool (pool.ts) and its worker threads (worker.ts).
import type { Complaint } from "../core/complaint.ts"
import type { RunResult, RunSpec } from "../model/experiment.ts"
import type { CheckpointOrder } from "../run/checkpoint.ts"

export interface Job {
  readonly spec: RunSpec
  /** files in the specification are relative to this folder */
  readonly folder: string
  /** workers for this one run */
  readonly workers: number
  readonly audit: boolean
  /** expected to take long: worth a fresh isolate */
  readonly long?: boolean
  /** where its state is saved, and read from */
  readonly checkpoint?: CheckpointOrder
}

export interface Order extends Job {
  readonly megabytes: number
  /** [0] becomes STOP.end when the run must end, and STOP.leave when it must save its state and end */
  readonly stop: Int32Array
}

export const STOP = { end: 1, leave: 2 } as const

export type Report =
  | { readonly kind: "note"; readonly text: string }
  | { readonly kind: "left" }
  | { readonly kind: "progress"; readonly fraction: number; readonly text: string; readonly megabytes: number }
  | { readonly kind: "result"; readonly result: RunResult; readonly seconds: number; readonly megabytes: number }
  | { readonly kind: "refused"; readonly bad: readonly Complaint[] }
  | { readonly kind: "memory"; readonly says: string }
