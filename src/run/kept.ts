// A run whose state is written down from time to time, and that goes on from what an earlier process wrote.
import type { RunResult } from "../model/experiment.ts"
import type { SimulateOptions } from "./options.ts"
import { type Keeper, orClose, type PausableRun, paced, type Saved } from "./pausable.ts"

export type Open = (options: SimulateOptions, saved?: Saved) => Promise<PausableRun>

export async function keptRun(open: Open, options: SimulateOptions, keeper: Keeper): Promise<RunResult> {
  const { run, workers } = await opened(open, options, keeper)
  return orClose(run, () => keep(run, workers, keeper))
}

async function keep(run: PausableRun, workers: number, keeper: Keeper): Promise<RunResult> {
  const step = paced(run)
  for (;;) {
    if (step()) return run.result()
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
      const run = await open({ ...options, workers }, saved)
      keeper.goesOn(run.now)
      return { run, workers }
    } catch (e) {
      keeper.refuse(e instanceof Error ? e.message : String(e))
    }
  }
  return { run: await open(options), workers: options.workers ?? 1 }
}
