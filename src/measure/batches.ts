// Batches of cycles: each is one interval of the time series of the engine. engines/steady.ts decides by them.
import { throughput } from "../engines/steady.ts"
import type { Course } from "./course.ts"

/**
 * Adds the interval that ends now as a batch. The created load follows from the balance of traffic: what arrived, plus
 * the growth of what waits. `backlog` compares arrivals with the specification, `waiting` with what was really created.
 */
export function addBatch({ port, plan, s, batches }: Course): void {
  const i = batches.length
  const length = plan.interval
  const { latency, packets, all, traffic, waiting } = port.sample(i, s.arrived)
  const before = batches.at(-1)?.waiting ?? 0
  s.arrived += traffic
  batches.push({
    latency,
    packets,
    offered: port.offered,
    created: (traffic + waiting - before) / length,
    accepted: traffic / length,
    delivered: all / length,
    backlog: port.offered * (i + 1) * length - s.arrived,
    waiting,
  })
}

/** Returns true if the next batch would end after the limit. */
export function isLast({ port, plan }: Course): boolean {
  return port.now + plan.interval > plan.limit
}

/** Continues the phase at the end of the next batch. */
export function nextBatch({ port, plan, s }: Course): void {
  s.goal = port.now + plan.interval
}

/**
 * Returns the confidence interval of what all streams together delivered since batch `begin`, if there are enough
 * batches. It belongs to the accepted load that reports show, which includes replies.
 */
export function deliveredIn({ port, batches }: Course, begin: number): { acceptedHalf?: number } {
  const known = throughput(batches, begin, "delivered")
  return known === undefined ? {} : { acceptedHalf: known.half / port.offered }
}
