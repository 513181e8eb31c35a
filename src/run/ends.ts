// How a run may end, for all engines: whether it stands still is asked before it is called anything better.
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

/** What is accepted is as well known as was asked. */
export function enough({ drifts, half, mean }: Throughput, precision: number): boolean {
  return !drifts && half <= precision * mean
}

export function standstill(verdict: Verdict | undefined): Stopped | undefined {
  return verdict?.kind === "deadlock" || verdict?.kind === "starved" ? { why: verdict.kind, explains: verdict.words } : undefined
}
