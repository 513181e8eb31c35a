// Endpoints that must look again, now or in a later cycle, and the timers of their protocol.
import { lowest } from "../../../core/bitset.ts"
import type { TransferLoopSpec } from "./spec.ts"

export interface Wakes {
  enter(part: number): void
  /** cycle t is the next whose timers are due */
  begin(t: number): void
  /** endpoint e is to be asked in this cycle what it can send */
  wake(e: number): void
  /** or in cycle t, which the wheel reaches */
  wakeAt(e: number, t: number): void
  /** the protocol's timer of endpoint e is due in cycle `at`, or in the earliest that was asked for */
  timer(e: number, at: number): void
  /** calls `due` for every endpoint whose timer is due; those that are further away than the wheel reaches go round */
  dueTimers(t: number, due: (e: number, t: number) => void): void
}

export function makeWakes(spec: TransferLoopSpec): Wakes {
  const low = lowest
  const { firstEnd } = spec.layout
  const { endReady, endWakeDue, timerAt, timerDue } = spec.columns
  const { wheelMask: WM, endWords: EW } = spec.constants
  // bases of the partition that is running, and the last cycle whose timers are done
  let me = 0
  let wheel = 0
  let endBase = 0
  let done = -1

  function enter(part: number): void {
    me = part
    wheel = part * (WM + 1)
    endBase = firstEnd[part]!
  }

  function begin(t: number): void {
    done = t - 1
  }

  function wake(e: number): void {
    const rel = e - endBase
    endReady[me * EW + (rel >> 5)]! |= 1 << (rel & 31)
  }

  function wakeAt(e: number, t: number): void {
    const rel = e - endBase
    endWakeDue[(wheel + (t & WM)) * EW + (rel >> 5)]! |= 1 << (rel & 31)
  }

  function timer(e: number, at: number): void {
    const next = at > done ? at : done + 1
    if (timerAt[e] !== 0 && timerAt[e]! <= next) return
    timerAt[e] = next
    arm(e, next)
  }

  function arm(e: number, at: number): void {
    const rel = e - endBase
    const t = at - done > WM ? done + WM : at
    timerDue[(wheel + (t & WM)) * EW + (rel >> 5)]! |= 1 << (rel & 31)
  }

  function dueTimers(t: number, due: (e: number, t: number) => void): void {
    const at = (wheel + (t & WM)) * EW
    done = t
    for (let w = 0; w < EW; w++) {
      let m = timerDue[at + w]!
      if (m === 0) continue
      timerDue[at + w] = 0
      while (m !== 0) {
        const e = endBase + (w << 5) + low(m)
        m &= m - 1
        const when = timerAt[e]!
        // asked for again in the meantime, for an earlier cycle
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
