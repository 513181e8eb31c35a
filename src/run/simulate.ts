// One run, from its specification to its result, with the threads of this machine. The pool, the command line and tests
// call it; open.ts is the part without Node.
import type { Saved } from "../measure/saved.ts"
import type { RunResult } from "../model/experiment.ts"
import * as run from "./open.ts"
import type { SimulateOptions } from "./options.ts"
import type { PausableRun } from "./pausable.ts"
import { threads } from "./threads.ts"

export { clockedRun, type Prepared, type PreparedFlit, prepare, prepareFlit, resultOf } from "./open.ts"

export function simulate(p: run.Prepared, options: SimulateOptions = {}): Promise<RunResult> {
  return run.simulate(p, options, threads)
}

/** Opens a run at its beginning, or at a state that was saved by a run of the same specification. */
export function open(p: run.Prepared, options: SimulateOptions = {}, saved?: Saved): Promise<PausableRun> {
  return run.open(p, options, saved, threads)
}
