// The saturation load of a curve: the lowest load that the network does not carry. A load is carried if the most of it
// arrives, with less than some times the latency of a reference. Loads above a load that is not carried do not count.
import { saturationInfo } from "./functions.ts"

export interface CurvePoint {
  readonly load: number
  readonly latency: number
  readonly accepted: number
  readonly offered: number
}

export interface Knee {
  /** highest load below `high`; 0 if there is none */
  readonly low: number
  /** lowest load that is not carried; the highest load if all are carried */
  readonly high: number
  /** whether a load was not carried at all */
  readonly found: boolean
}

/** `zero`: the latency of reference. Without a number there, or without points, both loads are NaN. */
export function kneeOf(
  points: readonly CurvePoint[],
  zero: number,
  { delivered, latency }: { readonly delivered: number; readonly latency: number } = saturationInfo,
): Knee {
  if (!Number.isFinite(zero) || points.length === 0) return { low: Number.NaN, high: Number.NaN, found: false }
  const ordered = [...points].sort((a, b) => a.load - b.load)
  const first = ordered.findIndex((p) => !(p.latency < latency * zero && p.accepted >= delivered * p.offered))
  if (first < 0) return { low: ordered.at(-1)!.load, high: ordered.at(-1)!.load, found: false }
  return { low: ordered[first - 1]?.load ?? 0, high: ordered[first].load, found: true }
}
