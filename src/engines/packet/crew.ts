// Workers of one simulation, stepped in one thread: the same generators that threads run, in any order. Used where threads cannot be had, and by
// tests, which choose the order.
import type { WorkerLoop } from "./worker.ts"

type Step = Generator<undefined, void, void>

/** Steps every worker until all are done. `pick` chooses the next among those that are not, 0..n-1. */
export function stepAll(steps: Step[], pick: (n: number) => number = inTurn()): void {
  const left = [...steps]
  let idle = 0
  while (left.length > 0) {
    const i = pick(left.length)
    if (left[i]!.next().done === true) left.splice(i, 1)
    if (++idle > 1e9) throw new Error("workers wait for each other")
  }
}

function inTurn(): (n: number) => number {
  let i = 0
  return (n) => i++ % n
}

/** ms that a worker sleeps at most before it looks for failures and calls. A worker with a full ring calls the others but does not wake them. */
const NAP = 0.5

/** Runs one worker in its own thread. Where the worker must wait, it polls for a while and then sleeps. `watch` throws if another worker has failed;
 *  it hears whether this one slept. It is called after every rest, because two workers that wait for a third one can keep each other awake. */
export function stepAlone(w: WorkerLoop<unknown>, step: Step, watch: (slept: boolean) => void): void {
  while (step.next().done !== true) watch(!w.mail.rest(NAP))
}
