// The processor of a rank: a single server with a FIFO queue. Computing, and the overheads o and O of sends and
// receives (LogGP), occupy it one operation after another. A wake-up event ends each interval.
import { COUNT, type RankHost, WHAT } from "../../model/workload.ts"
import * as C from "./columns.ts"
import type { CriticalPath } from "./critical-path.ts"
import type { Job } from "./job.ts"
import { COMPUTING, type Operations } from "./operations.ts"
import type { Timeline } from "./timeline.ts"
import type { Words } from "./words.ts"

export interface ProcessorSite {
  readonly host: RankHost
  readonly words: Words
  readonly at: C.RankColumns
  readonly jobOf: readonly Job[]
  readonly criticalPath: CriticalPath
  readonly timeline: Timeline
  readonly operations: Operations | undefined
  /** Called when the processor has finished a send, or any other operation. */
  sends(e: number, rank: number, t: number): void
  finish(e: number, rank: number, t: number): void
}

export interface Processor {
  /** Returns the processor time of operation `e` in ps. */
  durationOf(e: number, rank: number): number
  /** Requests the processor for `e`: starts at once if it is free, otherwise `e` joins the queue. */
  occupy(e: number, rank: number, t: number): void
  /** The processor has finished `e`: starts the next operation of the queue, then continues with `e`. */
  done(e: number, rank: number, t: number): void
}

export function makeProcessor({
  host,
  words,
  at,
  jobOf,
  criticalPath,
  timeline,
  operations,
  sends,
  finish,
}: ProcessorSite): Processor {
  const { mem, own, wake } = host
  const { set, add, long, addLong } = words

  function durationOf(e: number, rank: number): number {
    const p = jobOf[rank].params
    const role = mem[e + own + WHAT] & C.ROLE
    const bytes = long(e + own + C.BYTES)
    // For COMPUTES the amount is a time in ps. LogGP charges O for each byte after the first.
    if (role === C.COMPUTES) return bytes <= p.gap ? 0 : Math.round(bytes * p.compute)
    return Math.round(p.overhead + Math.max(0, bytes - 1) * p.overheadByte)
  }

  function occupy(e: number, rank: number, t: number): void {
    const r = at.at[rank]
    if (mem[r + C.RUNNING] !== 0) {
      words.append(r + C.TASKS, e)
      return
    }
    const x = e + own
    // A send can start only when the network interface accepts another message.
    const start = (mem[x + WHAT] & C.ROLE) === C.SENDS ? host.ready(rank, t) : t
    set(r + C.RUNNING, e)
    set(x + COUNT, mem[r + C.EVENTS])
    set(x + C.OP_CAUSE, criticalPath.step())
    add(r + C.EVENTS, 1)
    wake(e, rank, start + durationOf(e, rank))
  }

  return {
    durationOf,
    occupy,
    done(e, rank, t) {
      const r = at.at[rank]
      set(r + C.RUNNING, 0)
      const next = mem[r + C.TASKS]
      if (next !== 0) {
        words.remove(r + C.TASKS, next, 0)
        occupy(next, rank, t)
      }
      const role = mem[e + own + WHAT] & C.ROLE
      if (role === C.SENDS) sends(e, rank, t)
      else {
        if (role === C.COMPUTES) {
          const took = durationOf(e, rank)
          addLong(r + C.COMPUTED, took)
          timeline.add(rank, C.BUSY, t - took, t)
          operations?.add(rank, mem[e + own + C.OP], COMPUTING, t - took, t)
        }
        finish(e, rank, t)
      }
    },
  }
}
