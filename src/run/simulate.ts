// One run, from specification to result, with the threads of this machine: what the pool, the command line and tests call.
import type { RunResult } from "../model/experiment.ts"
import * as run from "./open.ts"
import type { SimulateOptions } from "./options.ts"
import type { PausableRun, Saved } from "./pausable.ts"
import { threads } from "./threads.ts"

export { clockedRun, type Prepared, type PreparedFlit, prepare, prepareFlit, resultOf } from "./open.ts"

export function simulate(p: run.Prepared, options: SimulateOptions = {}): Promise<RunResult> {
  return run.simulate(p, options, threads)
}

/** A run at its beginning, or where one of the same specification was saved. */
export function open(p: run.Prepared, options: SimulateOptions = {}, saved?: Saved): Promise<PausableRun> {
  return run.open(p, options, saved, threads)
}
