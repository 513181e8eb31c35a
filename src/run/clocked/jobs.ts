// A run that lasts until its jobs have ended.
import { CONTROL } from "../../fabric/flit.ts"
import type { Stopped } from "../ends.ts"
import { copyCounts, since } from "./counts.ts"
import type { Course } from "./course.ts"

/** cycles between two looks whether all have ended */
const PACE = 1024

/** Everything counts from the beginning. */
export function playJobs(m: Course): void {
  const { engine, plan, s } = m
  m.counted = copyCounts(engine)
  engine.columns.control[CONTROL.from] = 0
  Object.assign(s, { phase: "jobs", from: 0, goal: Math.min(plan.limit, PACE) })
}

export function jobsOn(m: Course): void {
  const { engine, plan, s } = m
  const { now, jobs } = engine
  const ranks = jobs?.ranks ?? 0
  const done = jobs?.finished() ?? 0
  if (done < ranks && now < plan.limit) {
    s.goal = Math.min(plan.limit, now + PACE)
    return
  }
  engine.columns.control[CONTROL.to] = now
  const ended = done === ranks
  const explains = ended
    ? `all ${ranks} ranks have ended by cycle ${now}`
    : `reached the limit of ${plan.limit} cycles; ${done} of ${ranks} ranks have ended; ${m.waiting()}`
  m.outcome = { why: ended ? "drained" : "cycles", explains, from: 0, to: now, counts: since(engine, m.counted) }
  s.phase = "ended"
}

/** Nothing is under way, no rank has anything to do, and not all have ended. */
export function jobsWait(m: Course): Stopped | undefined {
  const { engine } = m
  const { jobs } = engine
  if (jobs === undefined || engine.inFlight() > 0 || jobs.pending() > 0) return undefined
  const left = jobs.ranks - jobs.finished()
  if (left === 0) return undefined
  return { why: "waiting", explains: `${left} of ${jobs.ranks} ranks wait for what nobody sends; the network is empty; ${m.waiting()}` }
}
