// Interfaces of runs that can pause. Between two steps the whole state of a run is data (measure/saved.ts).
import type { Pausable, Saved } from "../measure/saved.ts"
import type { RunResult } from "../model/experiment.ts"
import type { Observation } from "../observe/observation.ts"

/** target duration of a step in milliseconds: at least SHORT, at most LONG */
const SHORT = 10
const LONG = 60

/**
 * Returns a function that steps the run for some tens of milliseconds, on any machine. It adapts the budget to the
 * speed.
 */
export function paced(run: Pausable): () => boolean {
  let budget = 16
  return () => {
    const begun = performance.now()
    const done = run.step(budget)
    const took = performance.now() - begun
    if (took < SHORT) budget *= 2
    else if (took > LONG && budget > 1) budget /= 2
    return done
  }
}

/** A whole run, from its machine to its result. */
export interface PausableRun extends Pausable {
  /** the cycle that it has reached */
  readonly now: number
  /** returns the result after the end, and stops its threads */
  result(): Promise<RunResult>
  /** stops its threads before the end */
  close(): Promise<void>
}

/** A run that can be observed, reset and stopped at any cycle. Observation does not change the result. */
export interface LiveRun extends PausableRun {
  /**
   * Runs exactly to this cycle (packet engine: all events before it). Returns true if the run has ended, which may be
   * earlier.
   */
  reach(cycle: number): boolean
  /**
   * Continues from a state that this run, or another run of the same specification, saved. It works in place, because a
   * second machine in one isolate is slower.
   */
  resume(saved: Saved): void
  /** the view of the run between two steps; undefined if other threads hold a part of the state */
  observation(): Observation | undefined
}

/** Stores states. `workers`: those of the run, because its columns are laid out for them. */
export interface Keeper {
  /** returns the state that an earlier process stored; undefined if there is none that is valid */
  read(): Kept | undefined
  /** called when the run continues from the state that was read, at this cycle */
  goesOn(cycle: number): void
  /** called when no run can continue from the state that was read */
  refuse(why: string): void
  /** called after every step */
  wants(): "continue" | "write" | "leave"
  write(kept: Kept): void
}

export interface Kept {
  readonly saved: Saved
  readonly workers: number
}

/**
 * Runs `part`. If it fails, the threads of the run are stopped before the error is passed on, because no caller would
 * do so.
 */
export async function orClose<R>(run: PausableRun, part: () => R | Promise<R>): Promise<R> {
  try {
    return await part()
  } catch (e) {
    await run.close()
    throw e
  }
}
