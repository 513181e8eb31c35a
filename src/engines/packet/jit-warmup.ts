// Warm-up of worker threads before time 0. V8 compiles a thread's code while it runs, and all workers wait for the
// slowest one in each window. Compilation pauses of different threads would fall into different windows and add up.
// Each thread therefore first simulates the whole network on its own, all threads concurrently, and then restores the
// initial state. It uses the same code and memory, and sends messages to itself.
import type { WorkerLoop } from "./worker.ts"

/** bytes of columns above which a worker does not warm up, because it would touch the memory of all workers */
export const MOST_WARM = 2 ** 26

/** number of events after which the hot code is compiled */
export const WARM_EVENTS = 40_000

/** Returns the simulated time of the warm-up: at most a quarter of the worker's share of the run. */
export function warmTime(limit: number, workers: number): number {
  return Math.floor(limit / (4 * workers))
}

/** `start` schedules the first events of all endpoints. The caller saves and restores the state. */
export function warmUp(w: WorkerLoop<unknown>, start: () => void, until: number, most: number): void {
  const { channels, shift, history } = w
  w.pretend(true)
  start()
  channels.drainOwn(w.receiver)
  // LPs affect one another at least one bucket ahead, so a worker that steps bucket by bucket never receives a late
  // event.
  for (let next = w.earliest(until); next < until && w.events() < most; next = w.earliest(until)) {
    const to = ((next >> shift) + 1) << shift
    w.run(to, 1)
    channels.drainOwn(w.receiver)
    if (history === undefined) continue
    w.setHorizon(to)
    history.commit(to)
  }
  w.pretend(false)
}
