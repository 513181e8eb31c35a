// The measurement procedure: one state machine for all engines. An engine takes part through a port (port.ts).
//
//   start ── until: jobs ─────────────────────────────────────────────────► jobs ──────────► ended
//     │                                                                                        ▲
//     ├─► warm up ──► lead ──┬─ fixed length ──► window ───────────┬─► drain ──────────────────┤
//     └── fixed lengths ─▲   │                                     │                           │
//                            └─ automatic ──► precise ── steady ───┘                           │
//                                              │  ▲  └── limit ────────────────────────────────┤
//                              backlog grows   ▼  │ it was transient                           │
//                                             overloaded ── saturated, limit ──────────────────┘
//
// Each phase sets the cycle `goal` at which it continues. Between these cycles the engine advances, and the run is
// inspected for deadlock, memory and time limits. The run can be paused, saved and resumed. Goals and inspections
// happen at the same cycles in each case, so the result does not depend on pauses.
import { overloadedOn, precise } from "./automatic.ts"
import { type Course, closed, type Outcome, type Phase, startOf } from "./course.ts"
import { drain } from "./drain.ts"
import { jobsOn } from "./jobs.ts"
import { readCourse, saveCourse } from "./packing.ts"
import type { MeasurePlan } from "./plan.ts"
import type { Port } from "./port.ts"
import type { Pausable, Saved } from "./saved.ts"
import { type Stopped, standstill } from "./termination.ts"
import { begin, warmUp } from "./warm-up.ts"
import { close, open } from "./window.ts"

/** What a caller may request of a measurement. */
export interface MeasureHooks {
  onProgress?(fraction: number, text: string): void
  shouldStop?(): boolean
  /** check that credits, buffers and packets are conserved while it runs */
  audit?: boolean
}

/** Continues a phase whose goal is reached. */
const continued: Readonly<Record<Exclude<Phase, "ended">, (c: Course) => void>> = {
  start: begin,
  "warm up": warmUp,
  jobs: jobsOn,
  lead: open,
  window: close,
  precise,
  overloaded: overloadedOn,
  drain,
}

/** One measured run. All state is in the course and in the port, so that it can be saved at any time. */
export class Measurement<P extends Port = Port> implements Pausable {
  readonly port: P
  private readonly c: Course
  private readonly hooks: MeasureHooks

  constructor(port: P, plan: MeasurePlan, hooks: MeasureHooks = {}) {
    this.port = port
    this.hooks = hooks
    this.c = { port, plan, s: startOf(plan), batches: [], outcome: undefined }
  }

  /** Returns how the run ended. Only valid after `step` has returned true. */
  result(): Outcome {
    if (this.c.s.phase !== "ended" || this.c.outcome === undefined) throw new Error("the measurement has not ended")
    return this.c.outcome
  }

  /** Simulates about `budget` cycles. Returns true if the run has ended. */
  step(budget: number): boolean {
    return this.runTo(this.port.now + Math.max(1, Math.floor(budget)), this.port.pace.anywhere)
  }

  /**
   * Runs exactly to this cycle, if necessary between two inspections. No decision is taken there, so the result does
   * not change. Returns true if the run has ended.
   */
  reach(cycle: number): boolean {
    return this.runTo(cycle, true)
  }

  save(): Saved {
    return saveCourse(this.c)
  }

  /** Continues from the state that another measurement of the same run saved. */
  resume(saved: Saved): void {
    Object.assign(this.c, readCourse(saved))
    this.port.restore(saved)
  }

  private runTo(until: number, exactly: boolean): boolean {
    const { s } = this.c
    while (s.phase !== "ended") {
      if (this.port.now >= s.goal) continued[s.phase](this.c)
      else if (this.port.now >= until) return false
      else this.advance(exactly ? until : Number.POSITIVE_INFINITY)
    }
    return true
  }

  /**
   * Advances to the next inspection, or to `until` if that is earlier. Inspections happen at the same cycles wherever
   * the run is paused: `look` is part of the saved state.
   */
  private advance(until: number): void {
    const { port, s } = this.c
    if (port.now >= s.look) s.look = Math.min(s.goal, port.now + port.pace.inspect)
    const end = Math.min(s.look, until)
    port.advance(end)
    // An engine that returned earlier is inspected where it is.
    if (port.now >= end && end < s.look) return
    this.inspect()
    if (port.exhausted === true) s.goal = Math.min(s.goal, port.now)
  }

  private inspect(): void {
    const { port, plan } = this.c
    port.inspected?.()
    this.hooks.onProgress?.(Math.min(1, port.now / plan.limit), `cycle ${Math.floor(port.now)}`)
    const bad = this.hooks.audit === true ? (port.audit?.() ?? []) : []
    if (bad.length > 0) throw new Error(`conservation is violated: ${bad[0].path}: ${bad[0].says}`)
    const stopped = this.stopped()
    if (stopped !== undefined) this.stop(stopped)
  }

  /** Returns the reason why the run must stop now, if there is one. */
  private stopped(): Stopped | undefined {
    const { port } = this.c
    if (this.hooks.shouldStop?.() === true)
      return { why: "time", explains: `was stopped at cycle ${Math.floor(port.now)}` }
    return port.stuck() ?? standstill(port.watchdog.look(port.now))
  }

  /**
   * Ends a run that cannot continue. The counters are those since the window was opened, or since cycle 0. A run that
   * stops in the drain phase keeps the counters of its window. Only a window of loads has a created load.
   */
  private stop(stopped: Stopped): void {
    const { c } = this
    const { phase } = c.s
    const before = phase === "start" || phase === "warm up" || phase === "lead"
    if (phase === "drain" && c.outcome !== undefined) c.outcome = { ...c.outcome, ...stopped }
    else {
      const { created, ...window } = closed(c)
      c.outcome = { ...stopped, ...window, ...(before ? { from: 0 } : phase === "jobs" ? {} : { created }) }
    }
    c.s.phase = "ended"
  }
}
