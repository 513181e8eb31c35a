// The measurement window. `open` is called in its first cycle. A window of a given length (measure.window) ends with
// `close`; automatic.ts decides about the others.
import { openAutomatic } from "./automatic.ts"
import { type Course, closed } from "./course.ts"
import { arrive } from "./drain.ts"

export function open(c: Course): void {
  const { port, plan, s } = c
  port.open()
  if (plan.window < 0) {
    openAutomatic(c)
    return
  }
  s.phase = "window"
  s.goal = s.from + plan.window
}

/** Ends a window of a given length. */
export function close(c: Course): void {
  const { created } = closed(c)
  const { from } = c.s
  const to = from + c.plan.window
  arrive(c, { why: "limit", explains: `ran its ${to} cycles`, from, to, created })
}
