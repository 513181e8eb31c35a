// A run that lasts until its jobs have ended (measure.until: jobs). The window is the whole run, and it has no created
// load, because ranks create messages when others have arrived.
import type { Course } from "./course.ts"
import type { RanksOfRun } from "./port.ts"
import type { Stopped } from "./termination.ts"

/** Starts the phase: everything is counted from cycle 0. */
export function playJobs({ port, plan, s }: Course): void {
  port.open()
  port.window({ from: 0 })
  Object.assign(s, { phase: "jobs", from: 0, goal: Math.min(plan.limit, port.pace.jobs) })
}

/** Ends the run if all ranks have finished or the limit is reached. */
export function jobsOn(c: Course): void {
  const { port, plan, s } = c
  const { now } = port
  const ranks = port.ranks?.ranks ?? 0
  const done = port.ranks?.finished() ?? 0
  if (done < ranks && now < plan.limit) {
    s.goal = Math.min(plan.limit, now + port.pace.jobs)
    return
  }
  port.window({ to: now })
  port.close()
  const all = done === ranks
  const explains = all
    ? `all ${ranks} ranks have ended by cycle ${Math.ceil(now)}`
    : `reached the limit of ${plan.limit} cycles; ${done} of ${ranks} ranks have ended; ${port.ranks?.waiting() ?? ""}`
  c.outcome = { why: all ? "drained" : "limit", explains, from: 0, to: now }
  s.phase = "ended"
}

/** Returns the stop reason of ranks that wait for messages that no rank will send; undefined if all have finished. */
export function ranksWait(jobs: RanksOfRun | undefined): Stopped | undefined {
  const left = jobs === undefined ? 0 : jobs.ranks - jobs.finished()
  if (jobs === undefined || left === 0) return undefined
  const all = `${left} of ${jobs.ranks} ranks wait for messages that are never sent`
  return { why: "waiting", explains: `${all}; the network is empty; ${jobs.waiting()}` }
}
