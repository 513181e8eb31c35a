// The key `bisect` of a figure file: further runs that narrow the saturation loads of its curves.
import type { Complaint } from "../../../core/complaint.ts"
import { further, type Halving } from "../bisect.ts"
import type { PaperPlan } from "../paper.ts"
import { Keys } from "./keys.ts"

const known = ["in", "key", "variants", "stream", "reference", "precision"]

export function halvings(figure: Keys, bad: Complaint[]): readonly Halving[] {
  return figure.list("bisect").map((raw, i) => {
    const k = new Keys(raw, `bisect.${i}`, bad, known)
    const stream = k.text("stream")
    return {
      of: k.needed("in"),
      key: k.needed("key"),
      variants: k.list("variants").map(String),
      stream: stream === undefined ? "" : `${stream}.`,
      reference: k.needed("reference"),
      precision: k.number("precision") ?? 0.01,
    }
  })
}

/** Returns the plan with the runs that follow. */
export function bisected(plan: PaperPlan, all: readonly Halving[]): PaperPlan {
  if (all.length === 0) return plan
  return { ...plan, more: (runs) => further(runs, plan.experiments, all) }
}
