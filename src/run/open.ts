// One run of any engine, from its specification to its result. The file does not depend on Node, because the studio
// runs it in a browser. A caller that has worker threads passes them (threads.ts).
import type { Checked } from "../core/complaint.ts"
import type { Saved } from "../measure/saved.ts"
import type { RunResult, RunSpec } from "../model/experiment.ts"
import type { Host } from "../model/host.ts"
import { checkpointedRun } from "./checkpointed-run.ts"
import { openFlit, type PreparedFlit, prepareFlit } from "./clocked/open.ts"
import { openIdeal, type PreparedIdeal, prepareIdeal } from "./ideal/ideal.ts"
import type { SimulateOptions, Threads } from "./options.ts"
import { openPacket, type PreparedPacket, preparePacket } from "./packet/simulate.ts"
import { orClose, type PausableRun } from "./pausable.ts"

/** A compiled run of any engine. */
export type Prepared = PreparedFlit | PreparedPacket | PreparedIdeal

export { clockedRun, type PreparedFlit, prepareFlit, resultOf } from "./clocked/open.ts"

/** Compiles a specification for the engine that it names. */
export function prepare(spec: RunSpec, host: Host): Checked<Prepared> {
  if (spec.engine.name === "ideal") return prepareIdeal(spec, host)
  return spec.engine.name === "packet" ? preparePacket(spec, host) : prepareFlit(spec, host)
}

/** Runs to the end, with checkpoints if the options have a keeper. */
export async function simulate(p: Prepared, options: SimulateOptions = {}, threads?: Threads): Promise<RunResult> {
  if (options.keeper !== undefined)
    return checkpointedRun((o, saved) => open(p, o, saved, threads), options, options.keeper)
  const run = await open(p, options, undefined, threads)
  return orClose(run, () => {
    while (!run.step(Number.POSITIVE_INFINITY));
    return run.result()
  })
}

/**
 * Opens a run at its beginning, or at a state that was saved by a run of the same specification. Without threads, all
 * workers share this one. The engines are distinguished by fields that only their compiled form has.
 */
export async function open(
  p: Prepared,
  options: SimulateOptions = {},
  saved?: Saved,
  threads?: Threads,
): Promise<PausableRun> {
  if ("processors" in p.compiled) return openIdeal({ ...p, compiled: p.compiled }, options, saved)
  return "engine" in p.compiled
    ? openPacket({ ...p, compiled: p.compiled }, options, saved, threads)
    : openFlit({ ...p, compiled: p.compiled }, options, saved, threads)
}
