// A run whose state is written down from time to time, and that goes on from what an earlier process wrote.
import type { RunResult } from "../model/experiment.ts"
import type { SimulateOptions } from "./options.ts"
import type { Keeper, PausableRun, Saved } from "./pausable.ts"

export type Open = (options: SimulateOptions, saved?: Saved) => Promise<PausableRun>

/** milliseconds between two questions to the keeper, about */
const SHORT = 10
const LONG = 60

export async function keptRun(open: Open, options: SimulateOptions, keeper: Keeper): Promise<RunResult> {
  const { run, workers } = await opened(open, options, keeper)
  let budget = 16
  for (;;) {
    const begun = performance.now()
    if (run.step(budget)) return run.result()
    const took = performance.now() - begun
    if (took < SHORT) budget *= 2
    else if (took > LONG && budget > 1) budget /= 2
    const wants = keeper.wants()
    if (wants !== "go on") keeper.write({ saved: run.save(), workers })
    if (wants !== "leave") continue
    await run.close()
    return { why: "time", explains: "was interrupted, and is written down", fingerprint: "", values: {}, tables: {} }
  }
}

async function opened(open: Open, options: SimulateOptions, keeper: Keeper): Promise<{ run: PausableRun; workers: number }> {
  const kept = keeper.read()
  if (kept !== undefined) {
    const { saved, workers } = kept
    try {
      return { run: await open({ ...options, workers }, saved), workers }
    } catch (e) {
      keeper.refuse(e instanceof Error ? e.message : String(e))
    }
  }
  return { run: await open(options), workers: options.workers ?? 1 }
}
