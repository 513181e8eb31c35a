// The networks with end-to-end reliability: a copy of every packet in stashes of the paper's sizes.
import { partition } from "./network.ts"
import type { Variant } from "./runs.ts"

/** Shares of the stash that may be used, as the paper names its networks; the first has no stash at all. */
export const capacities: readonly Variant[] = ["baseline", "100 %", "50 %", "25 %"]
export const partOf = (variant: Variant): number => (variant === "baseline" ? 0 : Number(variant.slice(0, -2)) / 100)

export function copies(): Record<string, object> {
  const kept = (capacity: number) => ({
    network: { switch: { stash: partition, capacity, reliability: true } },
  })
  return Object.fromEntries(capacities.map((v) => [v, v === "baseline" ? {} : kept(partOf(v))]))
}
