// One run outside a sweep, in a thread of its own: what `lacewing reproduce` repeats.
import { type Checked, complain } from "../core/complaint.ts"
import type { RunResult, RunSpec } from "../model/experiment.ts"
import { Pool } from "./pool.ts"

export type OneRunOptions = { readonly workers: number; readonly signal?: AbortSignal; readonly simulator?: string }

/** Returns the result of one specification. Files that it names are looked for in `folder`. */
export async function runOne(spec: RunSpec, folder: string, options: OneRunOptions): Promise<Checked<RunResult>> {
  const pool = new Pool({ workers: 1, ...(options.simulator === undefined ? {} : { simulator: options.simulator }) })
  const abort = (): void => pool.interrupt()
  options.signal?.addEventListener("abort", abort)
  const outcome = await pool.run({ spec, folder, workers: options.workers, audit: false })
  options.signal?.removeEventListener("abort", abort)
  pool.close()
  if ("refused" in outcome) return { bad: outcome.refused }
  return "interrupted" in outcome ? { bad: [complain("run", "interrupted", "start it again")] } : { ok: outcome.result }
}
