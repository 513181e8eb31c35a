// Weights of queues, for schedulers without a table (scfq, wfq, drr).
import type { Complaint } from "../core/complaint.ts"
import { complain } from "../core/complaint.ts"
import { type Field, list, real } from "../core/schema.ts"
import { MOST_QUEUE } from "../model/arbitration.ts"

export const weightsField: Field<readonly number[]> = list(real({ above: 0, max: 1e6 }), {
  about: "Weight of queue 0, 1, …; only the proportions matter",
  atLeast: 1,
})

export function weightsComplaints(weights: readonly number[]): Complaint[] {
  if (weights.length <= MOST_QUEUE + 1) return []
  return [complain("weights", `has ${weights.length} entries`, `give ${MOST_QUEUE + 1} at most`)]
}

/** Bits of the queues that have a weight. */
export function weighted(weights: readonly number[]): number {
  return 2 ** weights.length - 1
}

/** [queue] -> its part of the whole; 0 where none is given. */
export function sharesOf(weights: readonly number[], queues: number): Float64Array {
  const sum = weights.reduce((a, b) => a + b, 0)
  return Float64Array.from({ length: queues }, (_, q) => (weights[q] ?? 0) / sum)
}
