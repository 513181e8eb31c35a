// What whoever runs something may ask for, and what a simulator is.
import type { Checked } from "../core/complaint.ts"
import type { RunResult, RunSpec } from "../model/experiment.ts"
import type { Host } from "../model/host.ts"
import type { gather } from "./clocked/team.ts"
import type { PacketTeam } from "./packet/team.ts"
import type { Keeper } from "./pausable.ts"
import type { TeamTimes } from "./times.ts"

export interface SimulateOptions {
  onProgress?(fraction: number, text: string): void
  shouldStop?(): boolean
  /** workers for this one run; the result is the same for any number */
  workers?: number
  /** check that credits, buffers and packets are conserved while it runs */
  audit?: boolean
  /** false: workers take turns in this thread, as many as are asked for */
  threads?: boolean
  /** optimistic packet runs in one thread: undo every event once, compare all memory with what it was, and run it again */
  rehearse?: boolean
  /** told at the end of a run on several threads */
  onTimes?(times: TeamTimes): void
  /** writes the state down from time to time, and knows what an earlier process wrote */
  keeper?: Keeper
}

/** Who starts threads for the workers of one run. */
export interface Threads {
  readonly cores: number
  readonly clocked: typeof gather
  /** absent: the workers of packet runs take turns in one thread */
  readonly packet?: typeof PacketTeam.gather
}

export interface Simulator<Prepared = unknown> {
  /** builds the network and checks what only the built network knows */
  prepare(spec: RunSpec, host: Host): Checked<Prepared>
  simulate(prepared: Prepared, options: SimulateOptions): Promise<RunResult>
}
