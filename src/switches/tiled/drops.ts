// Dropping of speculative packets in tiled switches (model/congestion.ts: Dropping). A packet is dropped at the head of
// its input queue, where its output is known. There are two rules:
//   `budget`   its total waiting time in switches exceeds the budget (checked every LOOK cycles);
//   `lastHop`  more than this many flits are queued for its endpoint; the NACK carries the cycle of the retransmission.
// The record becomes the NACK in place, and leaves the input on the VC of NACKs. If the first switch keeps copies, a
// packet that is dropped there goes to the stash first: it is condemned, and waits for the row bus and for pool space.
// The field VALUE accumulates the waiting time: the cycle of each arrival is subtracted, the cycle of each departure is
// added.
//
// Columns:
//   `condemned`  [q]  VCs of input q whose head packet goes to the stash and is then answered by a NACK;
//   `bound`      [o]  flits that are routed to endpoint output o; only counted for lastHop;
//   `granted`    [o]  the first cycle of its channel that no NACK has reserved.
import { lowest } from "../../core/bitset.ts"
import { recordViews } from "../../fabric/packets.ts"
import type { Dropping } from "../../model/congestion.ts"
import { reserve } from "../../model/reservation.ts"
import type { SharedState } from "./shared-state.ts"

const LOOK = 16

export interface Drops {
  /** Packet p can leave its input from cycle t on. */
  arrives(p: number, t: number): void
  /**
   * Packet p is routed at the head of VC v of input q: drops it if lastHop says so. Credits that this frees are
   * returned in cycle `at`.
   */
  front(q: number, v: number, p: number, t: number, at: number): void
  /** A packet from a pool is routed. */
  retrieved(q: number, p: number): void
  /** The link starts to send the packet. */
  leaves(o: number, p: number, t: number): void
  /** The condemned head packet of VC v, whose copy goes to a pool, becomes a NACK. */
  answers(q: number, v: number, p: number, t: number, at: number): void
  /** Checks the budgets of the inputs [from, to) in cycle t. */
  look(from: number, to: number, t: number): void
}

export function makeDrops(
  sharedState: SharedState,
  d: Dropping,
  route: (p: number, q: number, v: number, t: number) => void,
): Drops {
  const low = lowest
  const { site, use, columns, tables, links } = sharedState
  const { layout, constants } = site
  const { LV, PS, down } = layout
  const { packets } = site.columns
  const { pNext, pFlits, sPort } = recordViews(packets)
  const pKind = packets.subarray(constants.kind)
  const pValue = packets.subarray(constants.value)
  const { condemned, bound, granted, inMask, busBusy, rowPending, heads } = columns
  const { router, isEnd } = tables
  const { input: INPUT } = sharedState.queues
  const { returnCredit, answer } = links
  const { budget: BUDGET, lastHop: LAST, kind: SPECULATIVE, answer: ANSWER, eps: EPS } = d
  const COPIES = d.copies !== undefined
  const { classes, data } = use.plan
  const rides = classes[data + d.rides]
  const VCS = (2 ** rides.count - 1) << rides.first
  const BACK = classes[data + d.answersRide].first

  function arrives(p: number, t: number): void {
    if (pKind[p] === SPECULATIVE) pValue[p] -= t
  }

  function front(q: number, v: number, p: number, t: number, at: number): void {
    if (LAST === 0) return
    const o = router[q] * PS + sPort[p << 2]
    if (down[o] >= 0) return
    if (pKind[p] === SPECULATIVE && bound[o] > LAST) drop(q, v, p, t, at)
    else bound[o] += pFlits[p]
  }

  function retrieved(q: number, p: number): void {
    const o = router[q] * PS + sPort[p << 2]
    if (LAST > 0 && down[o] < 0) bound[o] += pFlits[p]
  }

  function leaves(o: number, p: number, t: number): void {
    if (pKind[p] === SPECULATIVE) pValue[p] += t
    if (LAST > 0 && down[o] < 0) bound[o] -= pFlits[p]
  }

  /** Drops the head packet of VC v: with copies at an endpoint port via the stash, otherwise at once. */
  function drop(q: number, v: number, p: number, t: number, at: number): void {
    if (COPIES && isEnd[q] !== 0) condemned[q] |= 1 << v
    else answers(q, v, p, t, at)
    if (busBusy[q] === 0) rowPending[q >> 5] |= 1 << q
  }

  function answers(q: number, v: number, p: number, t: number, at: number): void {
    const f = pFlits[p]
    // The packets behind it stay in the queue.
    const next = pNext[p]
    condemned[q] &= ~(1 << v)
    answer(p, ANSWER, LAST > 0 ? reserve(granted, router[q] * PS + sPort[p << 2], t, f, EPS) : 0, 1)
    pNext[p] = next
    if (f > 1) returnCredit((q << LV) + v, f - 1, at)
    route(p, q, BACK, t)
    front(q, v, p, t, at)
  }

  /** Drops the head packets that exceed their budget, every LOOK cycles. */
  function look(from: number, to: number, t: number): void {
    if (BUDGET === 0 || t % LOOK !== 0) return
    for (let q = from; q < to; q++) {
      for (let m = inMask[q] & VCS & ~condemned[q]; m !== 0; m &= m - 1) {
        const v = low(m)
        const p = heads[INPUT + (q << LV) + v]
        if (pKind[p] === SPECULATIVE && pValue[p] + t > BUDGET) drop(q, v, p, t, t)
      }
    }
  }

  return { arrives, front, retrieved, leaves, answers, look }
}
