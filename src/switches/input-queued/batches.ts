// A stage of several cycles that is no pipeline: it takes whatever waits, all at once, and takes nothing more until that batch is done. BookSim2's
// routing and crossbar work so, and count their delay in cycles, not in core steps: a batch that begins in cycle c ends in the first core step of
// cycle c + delay - 1. One machine for each router.
import { i32 } from "../../fabric/columns.ts"
import type { AnyColumns } from "../../fabric/flit.ts"

export interface Batches {
  /** the core step in which something is done that is there from step s on, in router r */
  enter(r: number, s: number): number
  readonly columns: AnyColumns
}

/** the cycle in which core step s runs */
export function cycleOf(s: number, speed: number): number {
  return Math.ceil((s + 1) / speed) - 1
}

/** the core step in which a batch that begins in step s is done */
export function endOfBatch(s: number, delay: number, speed: number): number {
  return delay <= 1 ? s : Math.floor((cycleOf(s, speed) + delay - 1) * speed + 1e-9)
}

/** routers 0: nothing ever enters */
export function makeBatches(routers: number, delay: number, speed: number): Batches {
  // 1 + step in which the latest batch begins and ends; 0 = there was none
  const begins = i32(Math.max(1, routers))
  const ends = i32(Math.max(1, routers))

  function enter(r: number, s: number): number {
    if (begins[r]! <= s) {
      const begin = ends[r]! > s ? ends[r]! : s
      begins[r] = begin + 1
      ends[r] = endOfBatch(begin, delay, speed) + 1
    }
    return ends[r]! - 1
  }

  return { enter, columns: { begins, ends } }
}
