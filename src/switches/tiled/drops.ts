// Speculative packets that tiled switches drop (model/congestion.ts: Dropping). A packet is dropped at the front of its input, where its output is decided:
//   budget   it has waited so long in switches, all together (from its arrival until its link begins); fronts are looked at every LOOK cycles
//   lastHop  it goes to an endpoint of this switch, and more flits than this are on their way to that already; the answer says when to send it again
// Its record stays where it is and becomes the answer, which leaves the input on the VC of answers. Where the first switch keeps copies, a packet that is
// dropped there goes into the stash before: condemned, it waits for the row bus and for room in a pool.
// Its wait rides in VALUE: the cycle of its arrival is taken from it, the cycle in which its link begins is added.
// Columns:
//   condemned [q]  VCs of input q whose front goes into the stash and is answered
//   bound     [o]  flits that know that output o, which leads to an endpoint, is theirs; counted for lastHop alone
//   granted   [o]  the first cycle of its channel that no answer has named
import { lowest } from "../../core/bitset.ts"
import { recordViews } from "../../fabric/packets.ts"
import type { Dropping } from "../../model/congestion.ts"
import { reserve } from "../../model/reservation.ts"
import type { Frame } from "./frame.ts"

const LOOK = 16

export interface Drops {
  /** packet p may leave its input from cycle t on */
  arrives(p: number, t: number): void
  /** it has come to the front of VC v of input q, and its output is known; room that it frees is free from cycle `at` on */
  front(q: number, v: number, p: number, t: number, at: number): void
  /** a packet out of a pool knows its output */
  retrieved(q: number, p: number): void
  /** its link begins */
  leaves(o: number, p: number, t: number): void
  /** the front of VC v, which was condemned and whose copy is on its way to a pool, becomes the answer */
  answers(q: number, v: number, p: number, t: number, at: number): void
  /** all inputs [from, to) in cycle t */
  look(from: number, to: number, t: number): void
}

export function makeDrops(frame: Frame, d: Dropping, route: (p: number, q: number, v: number, t: number) => void): Drops {
  const low = lowest
  const { site, use, columns, tables, wires } = frame
  const { layout, constants } = site
  const { LV, PS, down } = layout
  const { packets } = site.columns
  const { pNext, pFlits, sPort } = recordViews(packets)
  const pKind = packets.subarray(constants.kind)
  const pValue = packets.subarray(constants.value)
  const { condemned, bound, granted, inMask, busBusy, rowDirty, heads } = columns
  const { router, isEnd } = tables
  const { input: INPUT } = frame.queues
  const { giveBack, answer } = wires
  const { budget: BUDGET, lastHop: LAST, kind: SPECULATIVE, answer: ANSWER, eps: EPS } = d
  const COPIES = d.copies !== undefined
  const { classes, data } = use.plan
  const rides = classes[data + d.rides]!
  const VCS = (2 ** rides.count - 1) << rides.first
  const BACK = classes[data + d.answersRide]!.first

  function arrives(p: number, t: number): void {
    if (pKind[p] === SPECULATIVE) pValue[p]! -= t
  }

  function front(q: number, v: number, p: number, t: number, at: number): void {
    if (LAST === 0) return
    const o = router[q]! * PS + sPort[p << 2]!
    if (down[o]! >= 0) return
    if (pKind[p] === SPECULATIVE && bound[o]! > LAST) drop(q, v, p, t, at)
    else bound[o]! += pFlits[p]!
  }

  function retrieved(q: number, p: number): void {
    const o = router[q]! * PS + sPort[p << 2]!
    if (LAST > 0 && down[o]! < 0) bound[o]! += pFlits[p]!
  }

  function leaves(o: number, p: number, t: number): void {
    if (pKind[p] === SPECULATIVE) pValue[p]! += t
    if (LAST > 0 && down[o]! < 0) bound[o]! -= pFlits[p]!
  }

  function drop(q: number, v: number, p: number, t: number, at: number): void {
    if (COPIES && isEnd[q] !== 0) condemned[q]! |= 1 << v
    else answers(q, v, p, t, at)
    if (busBusy[q] === 0) rowDirty[q >> 5]! |= 1 << q
  }

  function answers(q: number, v: number, p: number, t: number, at: number): void {
    const f = pFlits[p]!
    // those behind it in the queue stay there
    const next = pNext[p]!
    condemned[q]! &= ~(1 << v)
    answer(p, ANSWER, LAST > 0 ? reserve(granted, router[q]! * PS + sPort[p << 2]!, t, f, EPS) : 0, 1)
    pNext[p] = next
    if (f > 1) giveBack((q << LV) + v, f - 1, at)
    route(p, q, BACK, t)
    front(q, v, p, t, at)
  }

  function look(from: number, to: number, t: number): void {
    if (BUDGET === 0 || t % LOOK !== 0) return
    for (let q = from; q < to; q++) {
      for (let m = inMask[q]! & VCS & ~condemned[q]!; m !== 0; m &= m - 1) {
        const v = low(m)
        const p = heads[INPUT + (q << LV) + v]!
        if (pKind[p] === SPECULATIVE && pValue[p]! + t > BUDGET) drop(q, v, p, t, t)
      }
    }
  }

  return { arrives, front, retrieved, leaves, answers, look }
}
