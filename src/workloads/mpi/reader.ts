// Operations of ranks as they are read: the window of each that was read last, which is a cache and no state.
import type { RankSource, Window } from "../program.ts"
import { WORDS } from "../program.ts"
import type { Job } from "./job.ts"

export class Reader {
  /** of the last row that was asked for */
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

  /** Row of an operation in `ops` (its list in `list`), or -1 behind the last. */
  row(rank: number, op: number): number {
    let w = this.windows[rank]
    if (w === undefined || op < w.first || op >= w.first + w.count) {
      const job = this.jobOf[rank]!
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
