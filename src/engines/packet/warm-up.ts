// Threads that warm up before time 0. V8 compiles a thread's code while it runs, and workers wait for the slowest of each window: pauses of different threads in
// different windows add up instead of overlapping. So each thread first plays the whole network alone, all threads side by side, and forgets it: the same
// code, the same memory, and its own mail, in which it answers itself.
import type { WorkerLoop } from "./worker.ts"

/** bytes of columns from which on a worker does not warm up: it alone would touch what all share */
export const MOST_WARM = 2 ** 26

/** events after which the code is compiled */
export const WARM_EVENTS = 40_000

/** What a worker plays beforehand: at most a quarter of its share of the run. */
export function warmTime(limit: number, workers: number): number {
  return Math.floor(limit / (4 * workers))
}

/** `start` schedules the first events of all endpoints. What was is put back by the caller. */
export function warmUp(w: WorkerLoop<unknown>, start: () => void, until: number, most: number): void {
  const { mail, shift, history } = w
  w.pretend(true)
  start()
  mail.drainOwn(w.receiver)
  // processes meet a bucket ahead at least, whoever owns them
  for (let next = w.earliest(until); next < until && w.events() < most; next = w.earliest(until)) {
    const to = ((next >> shift) + 1) << shift
    w.run(to, 1)
    mail.drainOwn(w.receiver)
    if (history === undefined) continue
    w.setHorizon(to)
    history.commit(to)
  }
  w.pretend(false)
}
