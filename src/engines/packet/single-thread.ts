// Drivers of the synchronisation generators (sync.ts). `stepAll` steps all workers of a simulation in one thread, in
// any order. It is used where threads are not available, and by tests that choose the order. `stepAlone` runs one
// worker in its own thread.
import type { WorkerLoop } from "./worker.ts"

type Step = Generator<undefined, void, void>

/**
 * Steps the workers until all have ended. `pick` chooses the next of n unfinished ones, 0 to n - 1 (default:
 * round-robin).
 */
export function stepAll(steps: Step[], pick: (n: number) => number = inTurn()): void {
  const left = [...steps]
  let idle = 0
  while (left.length > 0) {
    const i = pick(left.length)
    if (left[i].next().done === true) left.splice(i, 1)
    if (++idle > 1e9) throw new Error("workers wait for each other")
  }
}

function inTurn(): (n: number) => number {
  let i = 0
  return (n) => i++ % n
}

/**
 * maximum ms of sleep before a worker checks for failures and calls. A worker with a full ring calls the others but
 * does not wake them.
 */
const NAP = 0.5

/**
 * Runs one worker in its own thread. Where the worker must wait, it polls for a while and then sleeps. `watch` throws
 * if another worker has failed; its argument is true if this worker slept. It is called after every rest, because two
 * workers that wait for a third one can keep each other awake.
 */
export function stepAlone(w: WorkerLoop<unknown>, step: Step, watch: (slept: boolean) => void): void {
  while (step.next().done !== true) watch(!w.channels.rest(NAP))
}
