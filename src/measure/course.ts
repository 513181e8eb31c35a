// The state of a measurement between two steps, and what its phases share. procedure.ts creates it; the phases change
// it.
import type { Batch } from "../engines/steady.ts"
import type { MeasurePlan } from "./plan.ts"
import type { Port } from "./port.ts"
import { ended, type Stopped } from "./termination.ts"

export type Phase = "start" | "warm up" | "jobs" | "lead" | "window" | "precise" | "overloaded" | "drain" | "ended"

/** State of the phases. All times are cycles. */
export interface State {
  phase: Phase
  /** cycle at which the present phase continues */
  goal: number
  /** next cycle at which the run is inspected */
  look: number
  /** first cycle of the window */
  from: number
  /** index of the first batch of the window */
  begin: number
  /** reason why the network seems to be overloaded, for the report */
  says: string
  /** true while a growing backlog may end the run; false once the backlog has turned out to be transient */
  early: boolean
  /** traffic that arrived in all batches so far */
  arrived: number
}

/** How a run ended. */
export interface Outcome extends Stopped {
  /** measured window */
  readonly from: number
  readonly to: number
  /** half width of the 95 % confidence interval of mean latency, if it was estimated */
  readonly half?: number
  /**
   * half width of the 95 % confidence interval of the accepted load, relative to the offered load; infinite if the
   * window was too short to estimate it: reports then print no number
   */
  readonly acceptedHalf?: number
  /** amount that all streams created in the window, if it is a window of loads */
  readonly created?: number
}

export interface Course {
  readonly port: Port
  readonly plan: MeasurePlan
  s: State
  batches: Batch[]
  outcome: Outcome | undefined
}

export function startOf(plan: MeasurePlan): State {
  return { phase: "start", goal: 0, look: 0, from: 0, begin: 0, says: "", early: plan.early, arrived: 0 }
}

/** Closes the window of loads now. Returns its length, and what all streams created in it. */
export function closed({ port, s }: Course): { from: number; to: number; created: number } {
  port.close()
  return { from: s.from, to: port.now, created: port.counts().allCreated }
}

/** Returns the offered, created and accepted load of traffic in the window that was closed last, per cycle. */
export function loadsOf({ port }: Course, { from, to }: { readonly from: number; readonly to: number }) {
  const cycles = Math.max(1, to - from)
  const { created, accepted } = port.counts()
  return {
    offered: port.offered,
    created: created / cycles,
    accepted: accepted / cycles,
    packets: port.measured(),
  }
}

/**
 * Ends the run. If the watchdog finds a deadlock or a blocked part of the network, that replaces any better outcome.
 */
export function finish(c: Course, o: Outcome): void {
  c.outcome = ended(o, c.port.watchdog, c.port.now)
  c.s.phase = "ended"
}
