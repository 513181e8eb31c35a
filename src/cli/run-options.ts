/** Options of `lacewing run`. */
export interface RunOptions {
  readonly set?: readonly string[]
  readonly seed?: readonly number[]
  readonly workers: number
  readonly out?: string
  readonly force?: boolean
  readonly shard?: { index: number; of: number }
  readonly dryRun?: boolean
  readonly audit?: boolean
  readonly report: boolean
  readonly watch?: boolean
  readonly json?: boolean
  readonly quiet?: boolean
  readonly simulator?: string
  readonly code: boolean
}
