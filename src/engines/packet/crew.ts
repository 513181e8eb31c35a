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

/** ms that one sleeps at most: whoever has a full ring can call, but not wake */
const NAP = 0.5

/** Runs one worker in its own thread: where it must wait it looks for a while, then sleeps. `failed`: another worker broke off. */
export function stepAlone(w: WorkerLoop<unknown>, step: Step, failed: () => boolean): void {
  while (step.next().done !== true) if (!w.mail.rest(NAP) && failed()) throw new Error("another worker broke off")
}
