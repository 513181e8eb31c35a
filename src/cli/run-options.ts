// The options of `lacewing run`, which run.ts, run-show.ts and cluster/on.ts share. The type is in a separate file to
// avoid a cyclic import.
import type { ClusterOptions } from "./cluster/options.ts"

/** Options of `lacewing run`. */
export interface RunOptions extends ClusterOptions {
  readonly set?: readonly string[]
  readonly seed?: readonly number[]
  readonly workers: number
  readonly workersGiven?: boolean
  readonly out?: string
  readonly force?: boolean
  readonly checkpoint?: string
  readonly shard?: { index: number; of: number }
  readonly dryRun?: boolean
  readonly audit?: boolean
  readonly anyway?: boolean
  readonly report: boolean
  /** File for the verdicts of `expect` as JUnit XML. */
  readonly junit?: string
  /** File for the time line of ranks in the format of Chrome traces. */
  readonly timeline?: string
  /** Replay of a run as one HTML file. */
  readonly trace?: "worst"
  readonly watch?: boolean
  /** Of version 0.1; rejected with a message. */
  readonly resume?: boolean
  readonly json?: boolean
  readonly quiet?: boolean
  readonly simulator?: string
  readonly code: boolean
  readonly allowCommands?: boolean
}
