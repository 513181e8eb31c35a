// How a run may end, for all engines: whether it stands still is asked before it is called anything better.
import { isShort, type LoadFacts } from "../core/saturation.ts"
import type { Throughput } from "../engines/steady.ts"
import type { Verdict } from "../engines/verdict.ts"
import type { StopReason } from "../model/experiment.ts"

/** Known this well, relative to what is offered, a network that is not clearly saturated is not. */
export const CLOSE = 0.0025

export type Stopped = { readonly why: StopReason; readonly explains: string }

/** A run that ends for this reason is asked once more whether it stands still; what may stand still is not called saturated. */
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
    why: "cycles",
    explains: `${may.words}\nit ended too early to tell whether it is saturated or stands still; raise measure.limit`,
  }
}

/** At the limit it is not known whether a growing backlog was a burst or saturation. */
export const UNSURE = "the backlog grew, but the accepted load is not known well enough to call the network saturated"

/** How much of what was created arrived, in words. */
export function shareOf({ offered, accepted }: LoadFacts): string {
  return `accepts ${((100 * accepted) / offered).toFixed(1)} % of what is offered`
}

/** Why a network is saturated; one that is not proved free of deadlock may still come to stand still. */
export function watched(says: string, plan: { readonly watch: number }, now: number): string {
  if (plan.watch === 0) return says
  return `${says}; no deadlock formed in ${now} cycles, but the network is not proved free of deadlock`
}

/** The limit ends a run whose window is over. What has not arrived after four windows never will at this load. */
export function undrained<O extends Stopped & { readonly from: number; readonly to: number }>(o: O, now: number, loads: LoadFacts): O {
  const saturated = isShort(loads) || now - o.to >= 4 * (o.to - o.from)
  const late = `packets of the measured window were still on their way ${now - o.to} cycles later, at measure.limit`
  return { ...o, why: saturated ? "saturated" : "cycles", explains: saturated ? late : `${late}; raise it, or set measure.drain: none` }
}

/** What is accepted is as well known as was asked. */
export function enough({ drifts, half, mean }: Throughput, precision: number): boolean {
  return !drifts && half <= precision * mean
}

export function standstill(verdict: Verdict | undefined): Stopped | undefined {
  return verdict?.kind === "deadlock" || verdict?.kind === "starved" ? { why: verdict.kind, explains: verdict.words } : undefined
}
