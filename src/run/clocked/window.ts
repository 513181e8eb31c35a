// A window of a given length.

import { type Course, countedIn, openWindow } from "./course.ts"
import { arrive } from "./drain.ts"

export function open(m: Course): void {
  openWindow(m)
  m.s.phase = "window"
  m.s.goal = m.s.from + m.plan.window
}

export function close(m: Course): void {
  const { from } = m.s
  const to = from + m.plan.window
  arrive(m, { why: "cycles", explains: `ran its ${to} cycles`, from, to, ...countedIn(m) })
}
