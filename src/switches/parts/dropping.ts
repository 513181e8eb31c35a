// Dropping of speculative packets, for congestion controls that send before they have a reservation. The router turns
// the record of a dropped packet into a NACK, which returns to the source from the router's internal input. There are
// two rules:
//   `budget`   A packet whose total waiting time in routers exceeds the budget is dropped when it is at the head of its
//              queue. Head packets are checked every LOOK cycles, and at most one packet per input is dropped each
//              time.
//   `lastHop`  A packet is dropped on arrival if more than this many flits wait in the router for its endpoint. The
//              NACK carries the cycle in which the source may retransmit.
// The field VALUE of a packet accumulates its waiting time: the cycle of each arrival is subtracted, and the cycle in
// which it starts to cross is added. N. Jiang, L. Dennison and W. J. Dally, "Network endpoint congestion control for
// fine-grained communication", 2015.
//
// Columns:
//   `heldFor`  [o]  flits in the input queues for output o;
//   `waits`    [q]  number of speculative packets at input q;
//   `mayBe`    [q]  no speculative packet at input q exceeds the budget before this cycle, so the check skips the
//                   input;
//   `granted`  [o]  the first cycle of the ejection channel of output o that no NACK has reserved.
import { lowest } from "../../core/bitset.ts"
import { i32, scratch } from "../../fabric/columns.ts"
import { recordViews } from "../../fabric/packets.ts"
import type { SwitchContext, SwitchPorts, TransferSite } from "../../fabric/transfer.ts"
import type { Dropping } from "../../model/congestion.ts"
import { reserve } from "../../model/reservation.ts"
import type { Ports } from "./ports.ts"

export const LOOK = 16

export interface DroppingPart {
  readonly columns: Readonly<Record<string, Int32Array>>
  /**
   * In FIFOs: `waits` counts the waiting time of packet p from its arrival on, `routed` counts its flits once it is at
   * the head and has an output.
   */
  waits(q: number, p: number, t: number): void
  routed(q: number, o: number, p: number): void
  /** Returns whether packet p, which arrived at input q for output o, is dropped at once; otherwise counts it. */
  refuses(q: number, o: number, p: number, t: number): boolean
  /** Packet p starts to cross, or is dropped. */
  leaves(q: number, o: number, p: number, t: number): void
  /** Connects the stages around this part, which it needs in order to drop packets. */
  between(stages: DroppingStages): void
  /** Drops packet p, which was at the head of a queue of input q or has just arrived there, and sends a NACK. */
  answers(q: number, o: number, v: number, p: number, t: number): void
  /** Checks the head packets of routers [from, to). */
  look(from: number, to: number, t: number): void
}

export interface DroppingStages {
  readonly waiting: Int32Array
  readonly outHeld: Int32Array
  /** [q * R + o] -> VCs whose head packet has a VC of the output; absent: a switch without this stage */
  readonly allocated?: Int32Array | undefined
  front(q: number, o: number, v: number): number
  leave(q: number, o: number, v: number, t: number): number
  arrive(iv: number, p: number, t: number): void
  /** Ends the credit stall of a dropped head packet. */
  forget(q: number, o: number, v: number): void
}

export function makeDropping(
  site: TransferSite,
  use: SwitchContext,
  ports: Ports,
  d: Dropping,
): (links: SwitchPorts) => DroppingPart {
  const { layout: l } = site
  const columns = {
    heldFor: i32(ports.count),
    granted: i32(ports.count),
    waits: i32(ports.inputs),
    mayBe: i32(ports.inputs),
  }
  return ({ answer, returnCredit }) => {
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
    // The VCs of the class of speculative packets, and the VC of NACKs.
    let mask = 0
    const rides = plan.classes[plan.data + d.rides]
    for (let v = rides.first; v < rides.first + rides.count; v++) mask |= 1 << v
    const BACK = plan.classes[plan.data + d.answersRide].first
    let stages: DroppingStages | undefined
    const one = scratch(1)

    function between(given: DroppingStages): void {
      stages = given
    }

    function refuses(q: number, o: number, p: number, t: number): boolean {
      const port = router[q] * PS + o
      if (pKind[p] === SPECULATIVE) {
        // Last-hop rule.
        if (LAST > 0 && ejects[port] !== 0 && heldFor[port] + stages!.outHeld[port] > LAST) return true
        startsWaiting(q, p, t)
      }
      heldFor[port] += pFlits[p]
      return false
    }

    function startsWaiting(q: number, p: number, t: number): void {
      if (pKind[p] !== SPECULATIVE) return
      const late = t + BUDGET - pValue[p]
      if (waits[q]++ === 0 || late < mayBe[q]) mayBe[q] = late
      pValue[p] -= t
    }

    function routed(q: number, o: number, p: number): void {
      heldFor[router[q] * PS + o] += pFlits[p]
    }

    function leaves(q: number, o: number, p: number, t: number): void {
      heldFor[router[q] * PS + o] -= pFlits[p]
      if (pKind[p] !== SPECULATIVE) return
      pValue[p] += t
      waits[q]--
    }

    function answers(q: number, o: number, v: number, p: number, t: number): void {
      const f = pFlits[p]
      const r = router[q]
      if (q < PORTS) returnCredit((q << LV) + v, f, t)
      one[0] = LAST > 0 ? reserve(granted, r * PS + o, t, f, EPS) : 0
      answer(p, ANSWER, one[0], 1)
      stages!.arrive(((PORTS + r) << LV) + BACK, p, t)
    }

    function look(from: number, to: number, t: number): void {
      if (BUDGET === 0) return
      for (let r = from; r < to; r++)
        for (let q = r * PS; q < r * PS + R; q++) if (waits[q] !== 0 && mayBe[q] < t) lookAt(q, t)
    }

    /** Drops the first head packet of input q that exceeds its budget. */
    function lookAt(q: number, t: number): void {
      const { waiting, allocated: given } = stages!
      for (let o = 0; o < R; o++) {
        // A packet with a VC of its output has left the switch.
        const free = given === undefined ? -1 : ~given[q * R + o]
        for (let m = waiting[q * R + o] & mask & free; m !== 0; m &= m - 1) {
          const v = low(m)
          const p = stages!.front(q, o, v)
          if (pKind[p] !== SPECULATIVE || pValue[p] + t <= BUDGET) continue
          stages!.forget(q, o, v)
          stages!.leave(q, o, v, t)
          answers(q, o, v, p, t)
          return
        }
      }
    }

    return { columns, waits: startsWaiting, routed, refuses, leaves, between, answers, look }
  }
}
