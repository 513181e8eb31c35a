// Reads operations of ranks and caches the last window of each rank. The cache is not part of the simulation state:
// after a rollback it may hold a later window, and `row` then reads the earlier one again.
import type { RankSource, Window } from "../program.ts"
import { WORDS } from "../program.ts"
import type { Job } from "./job.ts"

export class Reader {
  /** The arrays of the row that was read last. Valid until the next call of `row`. */
  ops = new Int32Array(0)
  list = new Int32Array(0)
  private readonly jobOf: readonly Job[]
  private readonly sources: (RankSource | undefined)[]
  private readonly windows: (Window | undefined)[]

  constructor(jobOf: readonly Job[]) {
    this.jobOf = jobOf
    this.sources = new Array(jobOf.length).fill(undefined)
    this.windows = new Array(jobOf.length).fill(undefined)
  }

  /** Returns the row of an operation in `ops` (its side list is `list`), or -1 after the last operation. */
  row(rank: number, op: number): number {
    let w = this.windows[rank]
    if (w === undefined || op < w.first || op >= w.first + w.count) {
      const job = this.jobOf[rank]
      const source = this.sources[rank] ?? job.program.rank(rank - job.base)
      this.sources[rank] = source
      w = source.at(op)
      if (w === undefined) return -1
      this.windows[rank] = w
    }
    this.ops = w.ops as Int32Array<ArrayBuffer>
    this.list = w.list as Int32Array<ArrayBuffer>
    return (op - w.first) * WORDS
  }
}
