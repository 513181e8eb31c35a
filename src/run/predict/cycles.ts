// Cycles that a measurement will take, by the rules of measure-flit.ts and steady.ts: fixed windows by their lengths and what they leave to drain, automatic ones by
// the batches that their decisions ask for.
import type { MeasurePlan } from "../measure-plan.ts"
import { FULL } from "./round.ts"

/** What the walks say about the traffic of a run. */
export interface Outlook {
  /** the part of what is offered that gets through */
  readonly passes: number
  /** the part that gets through of the worst flow */
  readonly worst: number
  /** load of the busiest channel of a packet's way, as a part of what it carries */
  readonly busiest: number
  /** cycles of a packet on its way while nothing waits */
  readonly latency: number
  /** cycles that it waits on its way, on average */
  readonly waits: number
  /** packets per cycle of all sources */
  readonly packets: number
  /** no packet is created from this cycle on */
  readonly stop: number
}

/** Batches of a warm-up that ends about as soon as it may. */
const WARM = 7
/** Batches after which a growing backlog is one, and after which it is told how much is accepted: twice as many, and often a few more. */
const GROWN = 12
const TOLD = 24
/** The less piles up the longer it takes to be sure: so many batches over the part that does. */
const UNSURE = 2
/** Less than this of what is offered is saturation: nearer to all of it, samples do not tell. */
export const SHORT = 0.97
/** Fewest batches of a measured latency; a window ends when it is looked at, which is each time it has grown by a fifth, and widens its interval for skewness. */
const GROUPS = 30
const LOOKS = 1.3
/** variance of the latency of packets that never wait, relative to the square of its mean: ways of different length */
const SPREAD = 0.07

export function cyclesOf(plan: MeasurePlan, o: Outlook): number {
  const { limit, interval } = plan
  const batches = (n: number) => Math.min(limit, Math.ceil(n) * interval)
  const long = o.latency / interval
  const saturated = o.passes < SHORT
  if (plan.window >= 0) {
    const from = plan.warmup >= 0 ? plan.warmup : Math.min(limit / 2, batches((saturated && plan.early ? GROWN : WARM) + long))
    return drained(plan, o, from, from + plan.window)
  }
  if (saturated && plan.early)
    return Math.min(limit, Math.max(batches(TOLD + long + UNSURE / (1 - o.passes)), 2 * Math.max(0, plan.warmup) + batches(10)))
  if (saturated) return limit
  const warm = plan.warmup >= 0 ? plan.warmup : Math.min(limit / 2, batches(WARM + 2 * long))
  const waits = o.waits / (o.latency + o.waits)
  // what waits does so together: the fuller the channel, the longer
  const precise = ((1.96 / plan.precision) ** 2 * (SPREAD + (waits / slack(o)) ** 2)) / o.packets
  const to = Math.min(limit, Math.max(warm + batches(GROUPS), 3 * warm, warm + Math.ceil((LOOKS * precise) / interval) * interval))
  // what the limit ends is not drained
  return to < limit ? drained(plan, o, warm, to) : limit
}

/** What is left of the busiest channel. */
export function slack(o: Pick<Outlook, "busiest">): number {
  return Math.max(0.1, 1 - FULL * o.busiest)
}

/** Sources that are behind catch up with what they should have sent in the window. */
function drained(plan: MeasurePlan, o: Outlook, from: number, to: number): number {
  if (plan.drain === "none") return to
  const last = to + Math.max(plan.limit, 4 * (to - from))
  const sent = Math.min(to, o.stop) / Math.max(1e-9, o.worst)
  return Math.min(last, Math.max(to, sent) + o.latency + o.waits)
}
