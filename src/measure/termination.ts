// Rules for the end of a run, common to all engines. A run is never reported as saturated or complete before the
// watchdog has been consulted, because a deadlock looks like saturation from outside.
import { isShort, type LoadCounts } from "../core/saturation.ts"
import type { Throughput } from "../engines/steady.ts"
import type { Verdict } from "../engines/verdict.ts"
import type { StopReason } from "../model/experiment.ts"

/**
 * Relative to the offered load: if the accepted load is known this precisely and saturation is not clear, there is
 * none.
 */
export const CLOSE = 0.0025

export type Stopped = { readonly why: StopReason; readonly explains: string }

/**
 * Returns the final outcome. A deadlock or starvation replaces any other reason. If one is merely possible, the run is
 * reported as limited instead of saturated.
 */
export function ended<O extends Stopped>(
  o: O,
  looks: { ask(now: number): Verdict; suspects(now: number): Verdict | undefined },
  now: number,
): O {
  const stands = standstill(looks.ask(now))
  if (stands !== undefined) return { ...o, ...stands }
  const may = o.why === "saturated" ? looks.suspects(now) : undefined
  if (may === undefined || !("words" in may)) return o
  return {
    ...o,
    why: "limit",
    explains: `${may.words}\nThe run ended too early to decide between saturation and deadlock. Raise measure.limit.`,
  }
}

/** At the limit it is not known whether a growing backlog was a burst or saturation. */
export const UNSURE = "the backlog grew, but the accepted load is not precise enough to call the network saturated"

/** Returns the accepted share of the offered load as text. */
export function shareOf({ offered, accepted }: LoadCounts): string {
  return `accepts ${((100 * accepted) / offered).toFixed(1)} % of the offered load`
}

/**
 * Returns the reason for saturation. A network that is not proved deadlock-free may still deadlock, and the text says
 * so.
 */
export function watched(says: string, plan: { readonly watch: number }, now: number): string {
  if (plan.watch === 0) return says
  return `${says}; no deadlock occurred in ${now} cycles, but the network is not proved deadlock-free`
}

/**
 * Returns the outcome of a run that reaches the limit in the drain phase. Packets that have not arrived after four
 * windows never will at this load, so this is saturation.
 */
export function undrained<O extends Stopped & { readonly from: number; readonly to: number }>(
  o: O,
  now: number,
  loads: LoadCounts,
): O {
  const saturated = isShort(loads) || now - o.to >= 4 * (o.to - o.from)
  const late = `packets of the measured window were still in the network ${now - o.to} cycles later, at measure.limit`
  return {
    ...o,
    why: saturated ? "saturated" : "limit",
    explains: saturated ? late : `${late}; raise it, or set measure.drain: none`,
  }
}

/** Returns true if the accepted load is known as precisely as the plan requires. */
export function enough({ drifts, half, mean }: Throughput, precision: number): boolean {
  return !drifts && half <= precision * mean
}

/** Returns the stop reason of a verdict, if it is a deadlock or starvation. */
export function standstill(verdict: Verdict | undefined): Stopped | undefined {
  return verdict?.kind === "deadlock" || verdict?.kind === "starved"
    ? { why: verdict.kind, explains: verdict.words }
    : undefined
}
