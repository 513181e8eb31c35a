// What the pool and a worker say to each other.
import type { Complaint } from "../core/complaint.ts"
import type { RunResult, RunSpec } from "../model/experiment.ts"

export interface Job {
  readonly spec: RunSpec
  /** files that the specification names are relative to this folder */
  readonly folder: string
  /** workers for this one run */
  readonly workers: number
  readonly audit: boolean
  /** expected to take long: worth a fresh isolate */
  readonly long?: boolean
}

export interface Order extends Job {
  readonly megabytes: number
  /** [0] becomes 1 when the run must end */
  readonly stop: Int32Array
}

export type Report =
  | { readonly kind: "progress"; readonly fraction: number; readonly text: string; readonly megabytes: number }
  | { readonly kind: "result"; readonly result: RunResult; readonly seconds: number; readonly megabytes: number }
  | { readonly kind: "refused"; readonly bad: readonly Complaint[] }
  | { readonly kind: "memory"; readonly says: string }
