// A stage of several cycles that is not a pipeline. It accepts all waiting flits together, as one batch, and accepts no
// others until the batch is done. The routing stage and the crossbar of BookSim2 work like this, and count their delay
// in cycles, not in core steps. A batch that starts in cycle c ends in the first core step of cycle c + delay - 1. Each
// router has its own batches.
import { i32 } from "../../fabric/columns.ts"
import type { AnyColumns } from "../../fabric/flit.ts"

export interface Batches {
  /** Returns the core step in which a flit is done that is available in router r from step s on. */
  enter(r: number, s: number): number
  readonly columns: AnyColumns
}

/** Returns the cycle that contains core step s. */
export function cycleOf(s: number, speed: number): number {
  return Math.ceil((s + 1) / speed) - 1
}

/** Returns the core step in which a batch that starts in step s is done. */
export function endOfBatch(s: number, delay: number, speed: number): number {
  return delay <= 1 ? s : Math.floor((cycleOf(s, speed) + delay - 1) * speed + 1e-9)
}

/** Creates the batches; with 0 routers, `enter` must not be called. */
export function makeBatches(routers: number, delay: number, speed: number): Batches {
  // 1 + the step in which the latest batch starts and ends; 0 = none so far.
  const begins = i32(Math.max(1, routers))
  const ends = i32(Math.max(1, routers))

  function enter(r: number, s: number): number {
    // The latest batch has started already, so a new one starts when it is done.
    if (begins[r] <= s) {
      const begin = ends[r] > s ? ends[r] : s
      begins[r] = begin + 1
      ends[r] = endOfBatch(begin, delay, speed) + 1
    }
    return ends[r] - 1
  }

  return { enter, columns: { begins, ends } }
}
