// What is due in a cycle: credits and packets at routers, then at endpoints, visited in rising order of their ports.

import { lowest } from "../../../core/bitset.ts"
import { creditFlits, creditLane } from "../../../fabric/credit.ts"
import { lateIn, NEXT, PLACE, STATE } from "../../../fabric/packets.ts"
import type { TransferSwitch } from "../../../fabric/transfer.ts"
import type { Delivery } from "./delivery.ts"
import type { Entry } from "./entry.ts"
import type { TransferLoopSpec } from "./spec.ts"
import type { PacketWires } from "./wires.ts"

export interface Due {
  enter(part: number): void
  dueCredits(t: number): void
  dueArrivals(t: number): void
  /** called only where neighbours talk */
  dueMessages(t: number): void
  dueAtEnds(t: number): void
}

export function makeDue(
  spec: TransferLoopSpec,
  { nextCredit }: PacketWires,
  { arrive, credit, laneCredit, hear }: TransferSwitch,
  { deliver, heard }: Delivery,
  { give }: Entry,
): Due {
  const low = lowest
  const { LV, NOV, PS, firstRouter, firstEnd } = spec.layout
  const { packets, arriveDue, arriveMarks, creditDue, creditMarks, endArriveDue, endCreditDue, endWakeDue, flyHead, endFlyHead, endReady } =
    spec.columns
  const { hearDue, hearMarks, hearHead, endHearDue, endHearHead } = spec.columns
  const { wheelMask: WM, portWords: PW, portMarks: PM, endWords: EW } = spec.constants
  const bytes = new Uint8Array(packets.buffer)
  const { core: CORE } = spec.clock
  const late = lateIn(spec.pass)
  const FIRST = NOV >> LV
  const LANES = laneCredit !== undefined
  // bases of the partition that is running
  let me = 0
  let wheel = 0
  let portBase = 0
  let endBase = 0

  function enter(part: number): void {
    me = part
    wheel = part * (WM + 1)
    portBase = firstRouter[part]! * PS
    endBase = firstEnd[part]!
  }

  function dueCredits(t: number): void {
    const slot = wheel + (t & WM)
    for (let i = 0; i < PM; i++) {
      let marks = creditMarks[slot * PM + i]!
      if (marks === 0) continue
      creditMarks[slot * PM + i] = 0
      for (; marks !== 0; marks &= marks - 1) {
        const w = (i << 5) + low(marks)
        let m = creditDue[slot * PW + w]!
        creditDue[slot * PW + w] = 0
        for (; m !== 0; m &= m - 1) {
          const port = portBase + (w << 5) + low(m)
          const word = nextCredit(port)
          if (LANES) laneCredit!(port, creditLane(word), creditFlits(word), t)
          else credit((port << LV) + creditLane(word), creditFlits(word), t)
        }
      }
    }
  }

  function dueArrivals(t: number): void {
    const lateness = late[t % CORE]!
    const slot = wheel + (t & WM)
    for (let i = 0; i < PM; i++) {
      let marks = arriveMarks[slot * PM + i]!
      if (marks === 0) continue
      arriveMarks[slot * PM + i] = 0
      for (; marks !== 0; marks &= marks - 1) {
        const w = (i << 5) + low(marks)
        let m = arriveDue[slot * PW + w]!
        arriveDue[slot * PW + w] = 0
        for (; m !== 0; m &= m - 1) {
          const port = portBase + (w << 5) + low(m)
          const p = flyHead[port]!
          flyHead[port] = packets[p + NEXT]!
          packets[p + PLACE]! += lateness
          arrive((port << LV) + bytes[((p + STATE) << 2) + 1]!, p, t)
        }
      }
    }
  }

  /** Messages between neighbours. */
  function dueMessages(t: number): void {
    const slot = wheel + (t & WM)
    for (let i = 0; i < PM; i++) {
      let marks = hearMarks[slot * PM + i]!
      hearMarks[slot * PM + i] = 0
      for (; marks !== 0; marks &= marks - 1) {
        const w = (i << 5) + low(marks)
        let m = hearDue[slot * PW + w]!
        hearDue[slot * PW + w] = 0
        for (; m !== 0; m &= m - 1) {
          const port = portBase + (w << 5) + low(m)
          const p = hearHead[port]!
          hearHead[port] = packets[p + NEXT]!
          hear!(port, p, t)
        }
      }
    }
    const ends = (wheel + (t & WM)) * EW
    for (let w = 0; w < EW; w++) {
      let m = endHearDue[ends + w]!
      endHearDue[ends + w] = 0
      while (m !== 0) {
        const e = endBase + (w << 5) + low(m)
        m &= m - 1
        const p = endHearHead[e]!
        endHearHead[e] = packets[p + NEXT]!
        heard(e, p, t)
      }
    }
  }

  function dueAtEnds(t: number): void {
    const at = (wheel + (t & WM)) * EW
    const ready = me * EW
    for (let w = 0; w < EW; w++) {
      let m = endCreditDue[at + w]!
      endCreditDue[at + w] = 0
      endReady[ready + w]! |= m | endWakeDue[at + w]!
      endWakeDue[at + w] = 0
      while (m !== 0) {
        const e = endBase + (w << 5) + low(m)
        m &= m - 1
        const word = nextCredit(FIRST + e)
        give(e, creditLane(word), creditFlits(word))
      }
      m = endArriveDue[at + w]!
      endArriveDue[at + w] = 0
      while (m !== 0) {
        const e = endBase + (w << 5) + low(m)
        m &= m - 1
        const p = endFlyHead[e]!
        endFlyHead[e] = packets[p + NEXT]!
        deliver(e, p, t)
      }
    }
  }

  return { enter, dueCredits, dueArrivals, dueMessages, dueAtEnds }
}
