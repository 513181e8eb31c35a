// After the window: its packets arrive.
import { CONTROL } from "../../fabric/flit.ts"
import { undrained } from "../ends.ts"
import type { Outcome } from "./counts.ts"
import { type Course, finish, loadsOf } from "./course.ts"

/** Lets measured packets arrive, with the sources still on (or, for "all", off). */
export function arrive(m: Course, o: Outcome): void {
  const { engine, plan, s } = m
  if (plan.drain === "none") {
    finish(m, o)
    return
  }
  if (plan.drain === "all") engine.columns.control[CONTROL.quiet] = engine.now
  s.last = plan.limit
  s.phase = "drain"
  m.outcome = o
}

export function drain(m: Course): void {
  const { engine, s } = m
  const o = m.outcome!
  if (!awaits(m, o.to))
    finish(m, o.why === "cycles" ? { ...o, why: "drained", explains: `all packets of the window arrived by cycle ${engine.now}` } : o)
  else if (engine.now >= s.last) finish(m, undrained(o, engine.now, loadsOf(m, o)))
  else s.goal = Math.min(s.last, engine.now + 64)
}

/** Packets of the window that have not arrived: on their way, or still to be created by a source that is behind. */
function awaits(m: Course, to: number): boolean {
  const { engine } = m
  const { birth, control } = engine.columns
  if (m.plan.drain === "all") return engine.busy
  if (engine.stat("measuredOpen") > 0) return true
  if (control[CONTROL.quiet]! <= to) return false
  const { ends, outerEnd } = engine.layout
  for (let i = 0; i < engine.constants.streams * ends; i++) if (birth[i]! < to && outerEnd[i % ends]! >= 0) return true
  return false
}
