// A run whose state is saved from time to time, and which continues from a checkpoint of an earlier process. `simulate`
// in open.ts uses it if there is a Keeper, which decides when to save (checkpoint.ts).
import type { Saved } from "../measure/saved.ts"
import type { RunResult } from "../model/experiment.ts"
import type { SimulateOptions } from "./options.ts"
import { type Keeper, orClose, type PausableRun, paced } from "./pausable.ts"

export type Open = (options: SimulateOptions, saved?: Saved) => Promise<PausableRun>

/** Runs to the end, or until the keeper wants to leave. */
export async function checkpointedRun(open: Open, options: SimulateOptions, keeper: Keeper): Promise<RunResult> {
  const { run, workers } = await opened(open, options, keeper)
  return orClose(run, () => keep(run, workers, keeper))
}

/** Steps the run for some tens of milliseconds at a time, and consults the keeper after each step. */
async function keep(run: PausableRun, workers: number, keeper: Keeper): Promise<RunResult> {
  const step = paced(run)
  for (;;) {
    if (step()) return run.result()
    const wants = keeper.wants()
    if (wants !== "continue") keeper.write({ saved: run.save(), workers })
    if (wants !== "leave") continue
    await run.close()
    return { why: "time", explains: "was interrupted; its state is saved", fingerprint: "", values: {}, tables: {} }
  }
}

/**
 * Opens the run at its checkpoint, if there is one that fits, and at cycle 0 otherwise. The number of workers comes
 * from the checkpoint, because its columns are laid out for them.
 */
async function opened(
  open: Open,
  options: SimulateOptions,
  keeper: Keeper,
): Promise<{ run: PausableRun; workers: number }> {
  const kept = keeper.read()
  if (kept !== undefined) {
    const { saved, workers } = kept
    try {
      const run = await open({ ...options, workers }, saved)
      keeper.goesOn(run.now)
      return { run, workers }
    } catch (e) {
      keeper.refuse(e instanceof Error ? e.message : String(e))
    }
  }
  return { run: await open(options), workers: options.workers ?? 1 }
}
