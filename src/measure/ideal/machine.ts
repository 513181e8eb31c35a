// What the measurement of the ideal network needs of its engine: ranks of MPI programs and schedules by the rules of
// LogGOPSim are the two machines (run/ideal/machine.ts makes them, port.ts measures them).
import type { Saved, TypedArray } from "../saved.ts"

export interface IdealMachine {
  /** Runs until no event is left, the clock would pass `limit`, or `events` events were executed. Returns the clock. */
  run(limit: number, events: number): number
  pending(): number
  finished(rank: number): boolean
  readonly counts: { readonly events: number; readonly messages: number; readonly bytes: number }
  /** words of 32 bits that the state takes */
  readonly words: number
  /** Returns the words that reports need of all ranks. */
  summaries(): Int32Array
  save(): { readonly numbers: Readonly<Record<string, number>>; readonly columns: Readonly<Record<string, TypedArray>> }
  restore(numbers: Readonly<Record<string, number>>, saved: Saved): void
}
