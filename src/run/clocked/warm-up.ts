// Before the window: until latency is steady, or for as long as the plan says.
import { decide } from "../../engines/steady.ts"
import { CONTROL } from "../../fabric/flit.ts"
import { batch, type Course } from "./course.ts"
import { playJobs } from "./jobs.ts"

export function begin(m: Course): void {
  if (m.plan.untilJobs) {
    playJobs(m)
    return
  }
  m.s.phase = "warm up"
  // a window that ends by itself judges the batches before it, too
  if (m.plan.warmup >= 0 && m.plan.window >= 0) measureFrom(m, m.plan.warmup)
  else warmOn(m)
}

function warmOn(m: Course): void {
  const { engine, plan } = m
  if (plan.warmup >= 0 ? engine.now < plan.warmup : engine.now + plan.interval <= plan.limit / 2) m.s.goal = engine.now + plan.interval
  else measureFrom(m, engine.now)
}

/** Until latency is steady, or the backlog grows, or for as long as the plan says. */
export function warmUp(m: Course): void {
  m.batches.push(batch(m, m.batches.length))
  if (m.plan.warmup >= 0) {
    warmOn(m)
    return
  }
  const { next } = decide(m.batches, -1, m.plan)
  if (next === "measure" || (next === "saturated" && m.s.early)) measureFrom(m, m.engine.now)
  else warmOn(m)
}

/** Packets are measured that are created from here on; a window that ends by itself begins on the boundary of a batch. */
function measureFrom(m: Course, cycle: number): void {
  const { s, plan } = m
  const { control } = m.engine.columns
  s.from = plan.window >= 0 ? cycle : Math.ceil(cycle / plan.interval) * plan.interval
  control[CONTROL.from] = s.from
  if (plan.window >= 0) control[CONTROL.to] = s.from + plan.window
  s.phase = "lead"
  s.goal = s.from
}
