// One finished run as it is kept: what was run, what came out, and where it came from.
import type { RunResult, RunSpec } from "../model/experiment.ts"

export interface RunRecord {
  /** content hash of the complete specification and the model version: the run's name */
  readonly hash: string
  readonly spec: RunSpec
  /** values of the swept keys, by their short names (`load`, `routing`, `variant`) */
  readonly point: Readonly<Record<string, string | number>>
  readonly seed: number
  readonly result: RunResult
  readonly provenance: {
    readonly version: string
    readonly node: string
    readonly host: string
    /** ISO 8601 */
    readonly started: string
    readonly seconds: number
  }
}
