// What whoever runs something may ask for, and what a simulator is.
import type { Checked } from "../core/complaint.ts"
import type { RunResult, RunSpec } from "../model/experiment.ts"
import type { Host } from "../model/host.ts"
import type { gather } from "./clocked/team.ts"
import type { PacketTeam } from "./packet/team.ts"
import type { Keeper } from "./pausable.ts"

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

/** Seconds that a worker spent on its share of the run, and on what it sent and received. */
export interface Busy {
  readonly work: number
  readonly messages: number
}

/** Where the seconds of a run went: until all threads were ready, after that, and those of each worker. */
export interface TeamTimes {
  readonly gather: number
  readonly run: number
  readonly workers: readonly (Busy & { readonly waiting: number })[]
}

/** Undefined where there are no threads. */
export function timesOf(gather: number, run: number, workers: readonly Busy[]): TeamTimes | undefined {
  if (workers.length === 0) return undefined
  return { gather, run, workers: workers.map((w) => ({ ...w, waiting: Math.max(0, run - w.work - w.messages) })) }
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
