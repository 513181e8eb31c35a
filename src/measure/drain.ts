// The drain phase: after the window, the run continues until its packets have arrived. Without it, the mean latency
// would omit the slowest packets. The sources stay on (drain: measured) so that the load seen by these packets does not
// fall, or are switched off (drain: all), or the phase is skipped (drain: none).
import { type Course, finish, loadsOf, type Outcome } from "./course.ts"
import { undrained } from "./termination.ts"

/** Starts the phase for the outcome of a closed window, or ends the run if the plan has no drain. */
export function arrive(c: Course, o: Outcome): void {
  if (c.plan.drain === "none") {
    finish(c, o)
    return
  }
  if (c.plan.drain === "all") c.port.quiet()
  c.s.phase = "drain"
  c.outcome = o
}

/** Ends the run when the measured packets have arrived, or when the limit is reached and some have not. */
export function drain(c: Course): void {
  const { port, plan, s, outcome: o } = c
  if (o === undefined) throw new Error("the drain phase needs the outcome of a window")
  if (!port.inFlight(plan.drain === "all" ? undefined : o.to)) finish(c, drained(o, port.now))
  else if (port.now >= plan.limit) finish(c, undrained(o, port.now, loadsOf(c, o)))
  else s.goal = Math.min(plan.limit, port.now + port.pace.drain)
}

function drained(o: Outcome, now: number): Outcome {
  if (o.why !== "limit") return o
  return { ...o, why: "drained", explains: `all packets of the window arrived by cycle ${now}` }
}
