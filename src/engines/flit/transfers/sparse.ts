// The cycle loop for switches that report when they have work (TransferSwitch.due): a stage is called only in cycles in
// which it has an event. A congested network moves little and would otherwise spend its time in calls that find
// nothing. The loop tests the words that the stage itself would test, so no other part changes. The result equals that
// of loop.ts. Limits: one clock; no ranks, timers, messages between neighbours or trace events.
import { GENERATION_MASK } from "../../../fabric/flit.ts"
import type { TransferSwitch } from "../../../fabric/transfer.ts"
import type { Generation } from "../generation.ts"
import type { Due } from "./due.ts"
import type { Injection } from "./injection.ts"
import type { TransferLoopSpec } from "./spec.ts"

export function makeSparse(
  spec: TransferLoopSpec,
  { dueCredits, dueArrivals, dueAtEnds }: Due,
  { wake: wakeSources }: Generation,
  { inject }: Injection,
  { core }: TransferSwitch,
  coreDue: (t: number) => boolean,
): (part: number, t: number, end: number) => void {
  const { arriveMarks, creditMarks, endArriveDue, endCreditDue, endWakeDue, endReady, generationWheel } = spec.columns
  const { wheelMask: WM, nearMask: NM, portMarks: PM, endWords: EW } = spec.constants
  const BM = GENERATION_MASK

  return function run(part: number, from: number, end: number): void {
    const wheel = part * (WM + 1)
    const near = part * (NM + 1)
    const createdAt = part * (BM + 1)
    const ready = part * EW
    for (let t = from; t < end; t++) {
      const marks = Math.imul(near + (t & NM), PM)
      if (any(creditMarks, marks, PM)) dueCredits(t)
      if (any(arriveMarks, marks, PM)) dueArrivals(t)
      if (generationWheel[createdAt + (t & BM)] !== 0) wakeSources(t)
      const at = Math.imul(wheel + (t & WM), EW)
      if (any(endCreditDue, at, EW) || any(endWakeDue, at, EW) || any(endArriveDue, at, EW)) dueAtEnds(t)
      if (any(endReady, ready, EW)) inject(t)
      if (coreDue(t)) core(t, t)
    }
  }
}

/** Returns true if one of n words has a bit. */
function any(words: Int32Array, first: number, n: number): boolean {
  let bits = 0
  for (let i = 0; i < n; i++) bits |= words[first + i]
  return bits !== 0
}
