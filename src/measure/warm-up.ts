// The warm-up. It lasts for the time that the plan gives, or until the latency of successive batches no longer changes,
// or until the backlog grows. An automatic warm-up ends at half of the cycle limit.
import { decide } from "../engines/steady.ts"
import { addBatch, nextBatch } from "./batches.ts"
import type { Course } from "./course.ts"
import { playJobs } from "./jobs.ts"

/** Enters the first phase. */
export function begin(c: Course): void {
  if (c.plan.untilJobs) {
    playJobs(c)
    return
  }
  c.s.phase = "warm up"
  // An automatic window also judges the batches before it, so only a fixed window can skip them.
  if (c.plan.warmup >= 0 && c.plan.window >= 0) measureFrom(c, c.plan.warmup)
  else warmOn(c)
}

/** Sets the end of the next batch as the goal, or opens the window if the warm-up is over. */
function warmOn(c: Course): void {
  const { port, plan } = c
  if (plan.warmup >= 0 ? port.now < plan.warmup : port.now + plan.interval <= plan.limit / 2) nextBatch(c)
  else measureFrom(c, port.now)
}

/**
 * Adds a batch and decides whether the warm-up is over. A growing backlog ends it too, because the latency of a
 * saturated network never becomes steady.
 */
export function warmUp(c: Course): void {
  addBatch(c)
  if (c.plan.warmup >= 0) {
    warmOn(c)
    return
  }
  const { next } = decide(c.batches, -1, c.plan)
  if (next === "measure" || (next === "saturated" && c.s.early)) measureFrom(c, c.port.now)
  else warmOn(c)
}

/** Measures packets that are created from `cycle` on. An automatic window begins at the boundary of a batch. */
function measureFrom({ port, plan, s }: Course, cycle: number): void {
  const fixed = plan.window >= 0
  s.from = fixed ? cycle : Math.ceil(cycle / plan.interval) * plan.interval
  port.window(fixed ? { from: s.from, to: s.from + plan.window } : { from: s.from })
  s.phase = "lead"
  s.goal = s.from
}
