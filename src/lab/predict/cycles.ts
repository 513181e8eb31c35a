// Cycles that a measurement will take, by the rules of measure-flit.ts and steady.ts: fixed windows by their lengths and what they leave to drain, automatic ones by
// the batches that their decisions ask for.
import type { MeasurePlan } from "../measure-flit.ts"

/** What the walks say about the traffic of a run. */
export interface Outlook {
  /** more is offered than gets through */
  readonly saturated: boolean
  /** the part that gets through of the worst flow */
  readonly worst: number
  /** load of the busiest channel as a part of what it carries */
  readonly busiest: number
  /** cycles of a packet on its way while nothing waits */
  readonly latency: number
  /** packets per cycle of all sources */
  readonly packets: number
  /** no packet is created from this cycle on */
  readonly stop: number
}

/** Batches of a warm-up that ends as soon as it may, and so many more as is usual. */
const WARM = 8
/** Batches after which a growing backlog is one, and those that tell how much is accepted: as many again, and often a few more. */
const GROWN = 14
const TOLD = 40
/** variance of the latency of packets, relative to the square of its mean, while nothing waits */
const SPREAD = 0.12

export function cyclesOf(plan: MeasurePlan, o: Outlook): number {
  const { limit, interval } = plan
  const batches = (n: number) => Math.min(limit, Math.ceil(n) * interval)
  const long = o.latency / interval
  if (plan.window >= 0) {
    const from = plan.warmup >= 0 ? plan.warmup : Math.min(limit / 2, batches((o.saturated && plan.early ? GROWN : WARM) + long))
    return drained(plan, o, from, from + plan.window)
  }
  if (o.saturated && plan.early) return Math.min(limit, Math.max(batches(TOLD + long), 2 * Math.max(0, plan.warmup) + batches(10)))
  if (o.saturated) return limit
  const warm = plan.warmup >= 0 ? plan.warmup : Math.min(limit / 2, batches(WARM + 2 * long + 2 / slack(o)))
  const precise = ((1.96 / plan.precision) ** 2 * SPREAD) / slack(o) ** 2 / o.packets
  const to = Math.min(limit, Math.max(warm + batches(10), 3 * warm, warm + Math.ceil(precise / interval) * interval))
  // what the limit ends is not drained
  return to < limit ? drained(plan, o, warm, to) : limit
}

/** what is left of the busiest channel */
function slack(o: Outlook): number {
  return Math.max(0.1, 1 - o.busiest)
}

/** Sources that are behind catch up with what they should have sent in the window. */
function drained(plan: MeasurePlan, o: Outlook, from: number, to: number): number {
  if (plan.drain === "none") return to
  const last = to + Math.max(plan.limit, 4 * (to - from))
  const sent = Math.min(to, o.stop) / Math.max(1e-9, o.worst)
  return Math.min(last, Math.max(to, sent) + o.latency / slack(o))
}
