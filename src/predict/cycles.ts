// Predicts the cycles that a measurement will take, by the rules of measure/ and engines/steady.ts. A fixed window
// takes its length and the time to drain; an automatic one takes the batches that its decisions need. predict/run.ts
// calls it.
import type { MeasurePlan } from "../measure/plan.ts"
import { FULL } from "./round.ts"

/** Properties of the traffic of a run, from sample packets. */
export interface Outlook {
  /** accepted share of the offered load */
  readonly passes: number
  /** accepted share of the flow with the least */
  readonly worst: number
  /** utilisation of the busiest channel on a packet's path, on average */
  readonly busiest: number
  /** zero-load latency in cycles */
  readonly latency: number
  /** mean waiting time of a packet in cycles */
  readonly waits: number
  /** packets per cycle of all sources */
  readonly packets: number
  /** no packet is created from this cycle on */
  readonly stop: number
}

/** Batches of a warm-up that ends about as early as possible. */
const WARM = 7
/**
 * Batches until a growing backlog is detected, and until the accepted load is known: twice as many, and often a few
 * more.
 */
const GROWN = 12
const TOLD = 24
/** The smaller the shortfall, the longer the decision takes: this many batches divided by the shortfall. */
const UNSURE = 2
/** A smaller accepted share than this is saturation. Closer to 1, samples are not precise enough. */
export const SHORT = 0.97
/**
 * Minimum number of batches of a measured latency. A window is judged each time it has grown by a fifth, and skewness
 * widens its interval, so it takes LOOKS times as long.
 */
const GROUPS = 30
const LOOKS = 1.3
/** variance of latency without waiting, relative to the square of its mean, because paths have different lengths */
const SPREAD = 0.07

/** Returns the expected number of cycles. */
export function cyclesOf(plan: MeasurePlan, o: Outlook): number {
  const { limit, interval } = plan
  const batches = (n: number) => Math.min(limit, Math.ceil(n) * interval)
  const long = o.latency / interval
  const saturated = o.passes < SHORT
  if (plan.window >= 0) {
    const from =
      plan.warmup >= 0 ? plan.warmup : Math.min(limit / 2, batches((saturated && plan.early ? GROWN : WARM) + long))
    return drained(plan, o, from, from + plan.window)
  }
  if (saturated && plan.early)
    return Math.min(
      limit,
      Math.max(batches(TOLD + long + UNSURE / (1 - o.passes)), 2 * Math.max(0, plan.warmup) + batches(10)),
    )
  if (saturated) return limit
  const warm = plan.warmup >= 0 ? plan.warmup : Math.min(limit / 2, batches(WARM + 2 * long))
  const waits = o.waits / (o.latency + o.waits)
  // Waiting times are correlated: the higher the utilisation, the longer the correlation, so the variance grows.
  const precise = ((1.96 / plan.precision) ** 2 * (SPREAD + (waits / slack(o)) ** 2)) / o.packets
  const to = Math.min(
    limit,
    Math.max(warm + batches(GROUPS), 3 * warm, warm + Math.ceil((LOOKS * precise) / interval) * interval),
  )
  // A run that ends at the limit is not drained.
  return to < limit ? drained(plan, o, warm, to) : limit
}

/** Returns the free capacity of the busiest channel. */
export function slack(o: Pick<Outlook, "busiest">): number {
  return Math.max(0.1, 1 - FULL * o.busiest)
}

/**
 * Returns the cycle at which the window is drained. Sources that lag catch up with what they should have sent in it.
 */
function drained(plan: MeasurePlan, o: Outlook, from: number, to: number): number {
  if (plan.drain === "none") return to
  const last = to + Math.max(plan.limit, 4 * (to - from))
  const sent = Math.min(to, o.stop) / Math.max(1e-9, o.worst)
  return Math.min(last, Math.max(to, sent) + o.latency + o.waits)
}
