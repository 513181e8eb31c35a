// Wake-ups of endpoints, in the present or a later cycle, and the timers of their protocol. Bits of endpoints are
// stored in timing wheels. injection.ts, control.ts and delivery.ts request wake-ups; loop.ts calls `dueTimers`.
import { lowest } from "../../../core/bitset.ts"
import type { TransferLoopSpec } from "./spec.ts"

export interface Wakes {
  enter(part: number): void
  /** Sets the first cycle whose timers are due. */
  begin(t: number): void
  /** Endpoint e checks in this cycle whether it can send. */
  wake(e: number): void
  /** The same in cycle t, which must be within the wheel. */
  wakeAt(e: number, t: number): void
  /** Sets the protocol's timer of endpoint e to cycle `at`, unless it is already set to an earlier one. */
  timer(e: number, at: number): void
  /** Calls `due` for each endpoint whose timer is due. A timer beyond the wheel is set again. */
  dueTimers(t: number, due: (e: number, t: number) => void): void
}

export function makeWakes(spec: TransferLoopSpec): Wakes {
  const low = lowest
  const { firstEnd } = spec.layout
  const { endReady, endWakeDue, timerAt, timerDue } = spec.columns
  const { wheelMask: WM, endWords: EW } = spec.constants
  // Offsets of the running partition, and the last cycle whose timers were handled.
  let me = 0
  let wheel = 0
  let endBase = 0
  let done = -1

  function enter(part: number): void {
    me = part
    wheel = part * (WM + 1)
    endBase = firstEnd[part]
  }

  function begin(t: number): void {
    done = t - 1
  }

  function wake(e: number): void {
    const rel = e - endBase
    endReady[me * EW + (rel >> 5)] |= 1 << (rel & 31)
  }

  function wakeAt(e: number, t: number): void {
    const rel = e - endBase
    endWakeDue[(wheel + (t & WM)) * EW + (rel >> 5)] |= 1 << (rel & 31)
  }

  function timer(e: number, at: number): void {
    const next = at > done ? at : done + 1
    if (timerAt[e] !== 0 && timerAt[e] <= next) return
    timerAt[e] = next
    arm(e, next)
  }

  function arm(e: number, at: number): void {
    const rel = e - endBase
    const t = at - done > WM ? done + WM : at
    timerDue[(wheel + (t & WM)) * EW + (rel >> 5)] |= 1 << (rel & 31)
  }

  function dueTimers(t: number, due: (e: number, t: number) => void): void {
    const at = (wheel + (t & WM)) * EW
    done = t
    for (let w = 0; w < EW; w++) {
      let m = timerDue[at + w]
      if (m === 0) continue
      timerDue[at + w] = 0
      while (m !== 0) {
        const e = endBase + (w << 5) + low(m)
        m &= m - 1
        const when = timerAt[e]
        // Already handled, because the timer was set again for an earlier cycle.
        if (when === 0) continue
        if (when > t) arm(e, when)
        else {
          timerAt[e] = 0
          due(e, t)
        }
      }
    }
  }

  return { enter, begin, wake, wakeAt, timer, dueTimers }
}
