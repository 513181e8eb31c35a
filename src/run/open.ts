// One run, from specification to result. Nothing here knows Node: who has threads to give hands them in (threads.ts).
import type { Checked } from "../core/complaint.ts"
import type { RunResult, RunSpec } from "../model/experiment.ts"
import type { Host } from "../model/host.ts"
import { openFlit, type PreparedFlit, prepareFlit } from "./clocked/open.ts"
import { openIdeal, type PreparedIdeal, prepareIdeal } from "./ideal.ts"
import { keptRun } from "./kept.ts"
import type { SimulateOptions, Threads } from "./options.ts"
import { openPacket, type PreparedPacket, preparePacket } from "./packet/simulate.ts"
import { orClose, type PausableRun, type Saved } from "./pausable.ts"

/** A run of any engine, ready. */
export type Prepared = PreparedFlit | PreparedPacket | PreparedIdeal

export { clockedRun, type PreparedFlit, prepareFlit, resultOf } from "./clocked/open.ts"

export function prepare(spec: RunSpec, host: Host): Checked<Prepared> {
  if (spec.engine.name === "ideal") return prepareIdeal(spec, host)
  return spec.engine.name === "packet" ? preparePacket(spec, host) : prepareFlit(spec, host)
}

export async function simulate(p: Prepared, options: SimulateOptions = {}, threads?: Threads): Promise<RunResult> {
  if (options.keeper !== undefined) return keptRun((o, saved) => open(p, o, saved, threads), options, options.keeper)
  const run = await open(p, options, undefined, threads)
  return orClose(run, () => {
    while (!run.step(Number.POSITIVE_INFINITY));
    return run.result()
  })
}

/** A run at its beginning, or where one of the same specification was saved. Without threads its workers take turns in this one. */
export async function open(p: Prepared, options: SimulateOptions = {}, saved?: Saved, threads?: Threads): Promise<PausableRun> {
  if ("processors" in p.compiled) return openIdeal({ ...p, compiled: p.compiled }, options, saved)
  return "engine" in p.compiled
    ? openPacket({ ...p, compiled: p.compiled }, options, saved, threads)
    : openFlit({ ...p, compiled: p.compiled }, options, saved, threads)
}
