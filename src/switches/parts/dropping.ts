// Speculative packets that a router drops: their record goes back to the source as an answer, from the input of packets that the router makes itself.
//   budget   a packet that has waited so long in routers, all together, is dropped at the front of its queue; fronts are looked at every LOOK cycles, and one
//            of each input goes at a time
//   lastHop  a packet to an endpoint for which more flits than this wait in its router is dropped when it arrives; the answer says when to send it again
// Its wait rides in VALUE: the cycle of its arrival is taken from it, the cycle in which it begins to cross is added.
// N. Jiang, L. Dennison and W. J. Dally, "Network endpoint congestion control for fine-grained communication", 2015.
// Columns:
//   heldFor [o]  flits that wait in the input queues for output o
//   waits   [q]  speculative packets that wait at input q; none of them has waited too long before cycle `mayBe` [q], so nobody looks
//   granted [o]  the first cycle of the channel of output o that no answer has named
import { lowest } from "../../core/bitset.ts"
import { i32, scratch } from "../../fabric/columns.ts"
import { recordViews } from "../../fabric/packets.ts"
import type { TransferSite, TransferUse, TransferWires } from "../../fabric/transfer.ts"
import type { Dropping } from "../../model/congestion.ts"
import { reserve } from "../../model/reservation.ts"
import type { Ports } from "./ports.ts"

export const LOOK = 16

export interface DroppingPart {
  readonly columns: Readonly<Record<string, Int32Array>>
  /** whether packet p, which arrived on VC v of input q for output o, is dropped at once */
  refuses(q: number, o: number, p: number, t: number): boolean
  /** it begins to cross, or is dropped */
  leaves(q: number, o: number, p: number, t: number): void
  /** what it drops it needs: the stages that it is between */
  between(stages: DroppingStages): void
  /** drops the front of `q` for `o`, or what has just arrived there */
  answers(q: number, o: number, v: number, p: number, t: number): void
  /** all routers [from, to), in a cycle in which they are looked at */
  look(from: number, to: number, t: number): void
}

export interface DroppingStages {
  readonly waiting: Int32Array
  readonly outHeld: Int32Array
  front(q: number, o: number, v: number): number
  leave(q: number, o: number, v: number, t: number): number
  arrive(iv: number, p: number, t: number): void
  /** nobody waits for room behind output o any more */
  forget(q: number, o: number, v: number): void
}

export function makeDropping(site: TransferSite, use: TransferUse, ports: Ports, d: Dropping): (wires: TransferWires) => DroppingPart {
  const { layout: l } = site
  const columns = { heldFor: i32(ports.count), granted: i32(ports.count), waits: i32(ports.inputs), mayBe: i32(ports.inputs) }
  return ({ answer, giveBack }) => {
    const low = lowest
    const { LV, PS, radix: R } = l
    const { packets } = site.columns
    const { pFlits } = recordViews(packets)
    const pKind = packets.subarray(site.constants.kind)
    const pValue = packets.subarray(site.constants.value)
    const { router, ejects, count: PORTS } = ports
    const { heldFor, granted, waits, mayBe } = columns
    const { plan } = use
    const { budget: BUDGET, lastHop: LAST, kind: SPECULATIVE, answer: ANSWER, eps: EPS } = d
    // VCs of the class that speculative packets ride on, and the one of answers
    let mask = 0
    const rides = plan.classes[plan.data + d.rides]!
    for (let v = rides.first; v < rides.first + rides.count; v++) mask |= 1 << v
    const BACK = plan.classes[plan.data + d.answersRide]!.first
    let stages: DroppingStages | undefined
    const one = scratch(1)

    function between(given: DroppingStages): void {
      stages = given
    }

    function refuses(q: number, o: number, p: number, t: number): boolean {
      const port = router[q]! * PS + o
      if (pKind[p] === SPECULATIVE) {
        if (LAST > 0 && ejects[port] !== 0 && heldFor[port]! + stages!.outHeld[port]! > LAST) return true
        const late = t + BUDGET - pValue[p]!
        if (waits[q]!++ === 0 || late < mayBe[q]!) mayBe[q] = late
        pValue[p]! -= t
      }
      heldFor[port]! += pFlits[p]!
      return false
    }

    function leaves(q: number, o: number, p: number, t: number): void {
      heldFor[router[q]! * PS + o]! -= pFlits[p]!
      if (pKind[p] !== SPECULATIVE) return
      pValue[p]! += t
      waits[q]!--
    }

    function answers(q: number, o: number, v: number, p: number, t: number): void {
      const f = pFlits[p]!
      const r = router[q]!
      if (q < PORTS) giveBack((q << LV) + v, f, t)
      one[0] = LAST > 0 ? reserve(granted, r * PS + o, t, f, EPS) : 0
      answer(p, ANSWER, one[0]!, 1)
      stages!.arrive(((PORTS + r) << LV) + BACK, p, t)
    }

    function look(from: number, to: number, t: number): void {
      if (BUDGET === 0) return
      for (let r = from; r < to; r++) for (let q = r * PS; q < r * PS + R; q++) if (waits[q] !== 0 && mayBe[q]! < t) lookAt(q, t)
    }

    function lookAt(q: number, t: number): void {
      const { waiting } = stages!
      for (let o = 0; o < R; o++) {
        for (let m = waiting[q * R + o]! & mask; m !== 0; m &= m - 1) {
          const v = low(m)
          const p = stages!.front(q, o, v)
          if (pKind[p] !== SPECULATIVE || pValue[p]! + t <= BUDGET) continue
          stages!.forget(q, o, v)
          stages!.leave(q, o, v, t)
          answers(q, o, v, p, t)
          return
        }
      }
    }

    return { columns, refuses, leaves, between, answers, look }
  }
}
