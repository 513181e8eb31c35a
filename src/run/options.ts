// Options of a simulation, and the interface of a simulator that the pool and the library load.
import type { Checked } from "../core/complaint.ts"
import type { MeasureHooks } from "../measure/procedure.ts"
import type { RunResult, RunSpec } from "../model/experiment.ts"
import type { Host } from "../model/host.ts"
import type { gather } from "./clocked/worker-group.ts"
import type { PacketWorkerGroup } from "./packet/worker-group.ts"
import type { Keeper } from "./pausable.ts"
import type { GroupTimes } from "./times.ts"

export interface SimulateOptions extends MeasureHooks {
  /** workers for this one run; the result is the same for any number */
  workers?: number
  /** false: all workers share this thread, as many as are requested */
  threads?: boolean
  /**
   * optimistic packet runs in one thread: undo every event once, compare all memory with its earlier contents, and run
   * the event again
   */
  rehearse?: boolean
  /** called at the end of a run on several threads */
  onTimes?(times: GroupTimes): void
  /** saves the state from time to time, and provides the state that an earlier process saved */
  keeper?: Keeper
}

/** Starts threads for the workers of one run. */
export interface Threads {
  readonly cores: number
  readonly clocked: typeof gather
  /** absent: the workers of packet runs share one thread */
  readonly packet?: typeof PacketWorkerGroup.gather
}

export interface Simulator<Prepared = unknown> {
  /** builds the network and checks the conditions that only the built network can show */
  prepare(spec: RunSpec, host: Host): Checked<Prepared>
  simulate(prepared: Prepared, options: SimulateOptions): Promise<RunResult>
}
