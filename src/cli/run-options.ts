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
  readonly watch?: boolean
  readonly json?: boolean
  readonly quiet?: boolean
  readonly simulator?: string
  readonly code: boolean
  readonly allowCommands?: boolean
}
