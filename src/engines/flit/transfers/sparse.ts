// Cycles of a network whose switches say when they have something to do (TransferSwitch.due): a stage is called only in cycles in which something is due for
// it. A congested network moves little, and would spend its time on calls that find nothing. The words that a stage itself would look at are looked at here,
// so nothing else has to know of it. One clock; no ranks, timers, messages between neighbours or facts.
import { BIRTH_MASK } from "../../../fabric/flit.ts"
import type { TransferSwitch } from "../../../fabric/transfer.ts"
import type { Births } from "../births.ts"
import type { Due } from "./due.ts"
import type { Injection } from "./injection.ts"
import type { TransferLoopSpec } from "./spec.ts"

export function makeSparse(
  spec: TransferLoopSpec,
  { dueCredits, dueArrivals, dueAtEnds }: Due,
  { wake: wakeSources }: Births,
  { inject }: Injection,
  { core }: TransferSwitch,
  coreDue: (t: number) => boolean,
): (part: number, t: number, end: number) => void {
  const { arriveMarks, creditMarks, endArriveDue, endCreditDue, endWakeDue, endReady, births } = spec.columns
  const { wheelMask: WM, nearMask: NM, portMarks: PM, endWords: EW } = spec.constants
  const BM = BIRTH_MASK

  return function run(part: number, from: number, end: number): void {
    const wheel = part * (WM + 1)
    const near = part * (NM + 1)
    const born = part * (BM + 1)
    const ready = part * EW
    for (let t = from; t < end; t++) {
      const marks = Math.imul(near + (t & NM), PM)
      if (any(creditMarks, marks, PM)) dueCredits(t)
      if (any(arriveMarks, marks, PM)) dueArrivals(t)
      if (births[born + (t & BM)] !== 0) wakeSources(t)
      const at = Math.imul(wheel + (t & WM), EW)
      if (any(endCreditDue, at, EW) || any(endWakeDue, at, EW) || any(endArriveDue, at, EW)) dueAtEnds(t)
      if (any(endReady, ready, EW)) inject(t)
      if (coreDue(t)) core(t, t)
    }
  }
}

/** Whether one of so many words has a bit. */
function any(words: Int32Array, first: number, n: number): boolean {
  let bits = 0
  for (let i = 0; i < n; i++) bits |= words[first + i]!
  return bits !== 0
}
