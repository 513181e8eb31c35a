// What the measurement procedure needs of an engine. clocked/port.ts, packet/port.ts and ideal/port.ts implement it.
// Amounts of data are flits (packet engine: bytes). "Traffic" are the streams of the section `traffic`, which have an
// offered load. Replies, background jobs and messages of ranks have none, so they never count for saturation.
import type { Complaint } from "../core/complaint.ts"
import type { Verdict } from "../engines/verdict.ts"
import type { Saved } from "./saved.ts"
import type { Stopped } from "./termination.ts"

/** Cycles between two decisions. Each decision has a cost, such as a barrier of all workers. */
export interface Pace {
  /** between two inspections of the network */
  readonly inspect: number
  /** between two checks whether the measured packets have arrived, and whether all ranks have finished */
  readonly drain: number
  readonly jobs: number
  /** a step may end between two inspections; otherwise only `reach` does, because it would cost as much as one */
  readonly anywhere: boolean
}

/** One interval of the time series. */
export interface Sample {
  /** mean latency in cycles of the packets that arrived in it; NaN if none did */
  readonly latency: number
  readonly packets: number
  /** amounts that arrived in it: all streams together, and traffic */
  readonly all: number
  readonly traffic: number
  /** traffic that was created and has not arrived, at its end */
  readonly waiting: number
}

/** Amounts in a window. */
export interface WindowLoads {
  /** traffic that was created, and that arrived */
  readonly created: number
  readonly accepted: number
  /** all streams; replies and messages of ranks count as created when the engine knows of them */
  readonly allCreated: number
}

export interface Watchdog {
  look(now: number): Verdict | undefined
  ask(now: number): Verdict
  suspects(now: number): Verdict | undefined
}

export interface RanksOfRun {
  readonly ranks: number
  /** number of ranks that have finished */
  finished(): number
  /** Describes what the others wait for. */
  waiting(): string
}

export interface Port {
  /** the cycle up to which the engine has run */
  readonly now: number
  readonly pace: Pace
  /** amount per cycle that the traffic of all endpoints creates on average, by its specification */
  readonly offered: number
  readonly watchdog: Watchdog
  /** ranks of parallel programs; absent if there are none */
  readonly ranks?: RanksOfRun | undefined

  /**
   * Runs to this cycle in one call. An engine whose cycles have no bounded cost may return earlier; the run is then
   * inspected there.
   */
  advance(to: number): void
  /** Returns interval `i` of the time series, which ends now. `arrived`: traffic that arrived in all earlier ones. */
  sample(i: number, arrived: number): Sample
  /** Sets the creation times of the packets whose latency is measured: from `from`, and before `to`. */
  window(limits: { readonly from?: number; readonly to?: number }): void
  /** Opens the window of loads: arrivals before now do not belong to it. */
  open(): void
  /** Closes it, and keeps its counters for the result. They go back to cycle 0 if it was never opened. */
  close(): void
  /** Returns the loads of the window that was closed last. */
  counts(): WindowLoads
  /** measured packets that arrived so far */
  measured(): number
  /** Returns true if packets that were created before cycle `to` have not arrived; without `to`, any packet. */
  inFlight(to?: number): boolean
  /** Switches the sources off. */
  quiet(): void

  /** Called at each inspection, before anything else. */
  inspected?(): void
  /** Returns violations of conservation. */
  audit?(): readonly Complaint[]
  /** Returns the reason why the engine cannot continue, if there is one: nothing will happen, or memory is full. */
  stuck(): Stopped | undefined
  /** true if no event is left: the present phase then continues without reaching its goal */
  readonly exhausted?: boolean

  /** Returns a copy of the state of engine, counters and watchdog, with names that begin with "port.". */
  save(): Saved
  restore(saved: Saved): void
}
