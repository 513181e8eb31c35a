// The processor of a rank: operations have it one after the other, for as long as they take.
import { COUNT, type RankHost, WHAT } from "../../model/workload.ts"
import * as C from "./columns.ts"
import type { Job } from "./job.ts"
import type { Timeline } from "./timeline.ts"
import type { Trail } from "./trail.ts"
import type { Words } from "./words.ts"

export interface ProcessorSite {
  readonly host: RankHost
  readonly words: Words
  readonly at: C.RankColumns
  readonly jobOf: readonly Job[]
  readonly trail: Trail
  readonly timeline: Timeline
  /** The processor is done with a send; with anything else. */
  sends(e: number, rank: number, t: number): void
  finish(e: number, rank: number, t: number): void
}

export interface Processor {
  /** Time that operation `e` takes. */
  durationOf(e: number, rank: number): number
  /** `e` needs the processor: at once, or when those before it have had it. */
  occupy(e: number, rank: number, t: number): void
  /** It is done with `e`. */
  done(e: number, rank: number, t: number): void
}

export function makeProcessor({ host, words, at, jobOf, trail, timeline, sends, finish }: ProcessorSite): Processor {
  const { mem, own, wake } = host
  const { set, add, long, addLong } = words

  function durationOf(e: number, rank: number): number {
    const p = jobOf[rank]!.params
    const role = mem[e + own + WHAT]! & C.ROLE
    const bytes = long(e + own + C.BYTES)
    if (role === C.COMPUTES) return bytes <= p.gap ? 0 : Math.round(bytes * p.compute)
    return Math.round(p.overhead + Math.max(0, bytes - 1) * p.overheadByte)
  }

  function occupy(e: number, rank: number, t: number): void {
    const r = at.at[rank]!
    if (mem[r + C.RUNNING] !== 0) {
      words.append(r + C.TASKS, e)
      return
    }
    const x = e + own
    const start = (mem[x + WHAT]! & C.ROLE) === C.SENDS ? host.ready(rank, t) : t
    set(r + C.RUNNING, e)
    set(x + COUNT, mem[r + C.EVENTS]!)
    set(x + C.OP_CAUSE, trail.step())
    add(r + C.EVENTS, 1)
    wake(e, rank, start + durationOf(e, rank))
  }

  return {
    durationOf,
    occupy,
    done(e, rank, t) {
      const r = at.at[rank]!
      set(r + C.RUNNING, 0)
      const next = mem[r + C.TASKS]!
      if (next !== 0) {
        words.remove(r + C.TASKS, next, 0)
        occupy(next, rank, t)
      }
      const role = mem[e + own + WHAT]! & C.ROLE
      if (role === C.SENDS) sends(e, rank, t)
      else {
        if (role === C.COMPUTES) {
          const took = durationOf(e, rank)
          addLong(r + C.COMPUTED, took)
          timeline.add(rank, C.BUSY, t - took, t)
        }
        finish(e, rank, t)
      }
    },
  }
}
