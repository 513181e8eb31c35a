// Checkpoint format of a clocked run: the measurement with its engine (measure/), the number of workers, because the
// columns are laid out for their partitions, and the wall-clock seconds so far. run/checkpoint.ts writes it to disk.
import type { JsonValue, Saved } from "../../measure/saved.ts"

/** Wraps a saved measurement as a saved run. */
export function saveRun({ state, columns }: Saved, workers: number, seconds: number): Saved {
  return { state: { workers, seconds, measurement: state }, columns }
}

/** Returns the parts of a saved run. Throws if the data is not from a clocked engine. */
export function readRun({ state, columns }: Saved): { workers: number; seconds: number; measurement: Saved } {
  const { workers, seconds, measurement } = state as { workers?: unknown; seconds?: unknown; measurement?: JsonValue }
  if (typeof workers !== "number" || typeof seconds !== "number" || measurement === undefined)
    throw new Error("this is not a saved run of a clocked engine")
  return { workers, seconds, measurement: { state: measurement, columns } }
}
