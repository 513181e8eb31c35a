// What several figures judge of a curve: the most that is accepted, and the saturation load. One rule serves all
// figures: experiment/rows/saturation.ts, with the latency of the ideal at its lowest load as the reference.
import { further, type Halving, kneeIn } from "../bisect.ts"
import type { PaperPlan, PaperRuns } from "../paper.ts"
import { at } from "./network.ts"

/** Width of the interval around a saturation load; as the resolution of a row, it leaves a near miss open. */
export const PRECISION = 0.01

export type Curve = Omit<Halving, "key" | "precision" | "variants">

export function most(runs: PaperRuns, variant: string, loads: readonly number[]): number {
  return Math.max(...loads.map((load) => at(runs, "curve", { variant, load }, "accepted")))
}

/** The lowest load that is not carried; the highest load of all if every load is. */
export function saturation(runs: PaperRuns, curve: Curve, variant: string): number {
  return kneeIn(runs, curve, variant).high
}

/** The plan with the runs that narrow the saturation loads of these variants of a curve. */
export function narrowed(plan: PaperPlan, ...curves: readonly (Curve & Pick<Halving, "variants">)[]): PaperPlan {
  const halvings = curves.map((c) => ({ ...c, key: "traffic.0.load", precision: PRECISION }))
  return { ...plan, more: (runs) => further(runs, plan.experiments, halvings) }
}
