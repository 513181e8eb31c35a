// A window of a given length.

import { copyCounts, since } from "./counts.ts"
import type { Course } from "./course.ts"
import { arrive } from "./drain.ts"

export function open(m: Course): void {
  m.counted = copyCounts(m.engine)
  m.s.phase = "window"
  m.s.goal = m.s.from + m.plan.window
}

export function close(m: Course): void {
  const { from } = m.s
  const to = from + m.plan.window
  arrive(m, { why: "cycles", explains: `ran its ${to} cycles`, from, to, counts: since(m.engine, m.counted) })
}
