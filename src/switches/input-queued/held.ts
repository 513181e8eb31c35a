// Packets in one piece. With cut-through, packet hold, one size of packets and links as fast as the crossbar, a connection lasts exactly as long
// as its packet, and every flit follows its head one cycle later on every link. A packet is then one event: it crosses when its head does, keeps its
// two ports busy until its last flit has left, and frees its place upstream when so many of its flits are gone that another packet fits. The same
// packets arrive at the same cycles as flit by flit (test/twins/held.test.ts).
import type { Wires } from "../../fabric/switch.ts"
import type { RouteStage } from "./route.ts"
import type { IqSpec, IqState } from "./state.ts"
import type { VcStage } from "./vc-allocation.ts"

export interface HeldCrossing {
  traverse(t: number, iv: number, rb: number): boolean
  /** what the last flits that leave in step s set free */
  end(t: number, s: number): void
}

export function makeHeld(spec: IqSpec, state: IqState, route: RouteStage, vcs: VcStage, wires: Wires): HeldCrossing {
  const { take } = spec.rules
  const { pNext, pHops } = spec.fields
  const { firstRouter } = spec.layout
  const { send, giveBack } = wires
  const { LV, P, C, PARK, VMASK, HELD, ENDS, ME, UPCOMING } = state
  const { cnt, rem, cur, qh, out, own, freeVc, saM, busyIn, busyOut, ending, endingCount, clock, hopOf, baseOf, routerAt, wake } = state
  const { head } = route
  const { unpark } = vcs

  /** where the list of step s begins */
  function listAt(s: number): number {
    const first = firstRouter[clock[ME]!]!
    return (first * ENDS + (s & (ENDS - 1)) * (firstRouter[clock[ME]! + 1]! - first)) * P
  }

  function traverse(t: number, iv: number, rb: number): boolean {
    const ov = rb + out[iv]! - 1
    const p = cur[iv]!
    const r = routerAt(iv)
    // the step after this is `upcoming`
    const s = clock[UPCOMING]! - 1 + HELD - 1
    cnt[iv]!--
    rem[iv] = 0
    cur[iv] = -1
    saM[iv >> 5]! &= ~(1 << (iv & 31))
    take(ov)
    giveBack(iv, t)
    if (C > 1) pHops[p]! += hopOf[ov >> LV]!
    busyIn[r]! |= 1 << ((iv - rb) >> LV)
    busyOut[r]! |= 1 << ((ov - rb) >> LV)
    ending[listAt(s) + endingCount[clock[ME]! * ENDS + (s & (ENDS - 1))]!++] = iv
    send(ov, p, p, true, t)
    return false
  }

  function end(t: number, s: number): void {
    const list = clock[ME]! * ENDS + (s & (ENDS - 1))
    const n = endingCount[list]!
    const at = listAt(s)
    endingCount[list] = 0
    for (let i = 0; i < n; i++) {
      const iv = ending[at + i]!
      const rb = baseOf(iv)
      const r = routerAt(iv)
      const ov = rb + out[iv]! - 1
      busyIn[r]! &= ~(1 << ((iv - rb) >> LV))
      busyOut[r]! &= ~(1 << ((ov - rb) >> LV))
      out[iv] = 0
      own[ov] = 0
      freeVc[ov >> LV]! |= 1 << (ov & VMASK)
      if (PARK) unpark(ov >> LV, rb)
      wake(iv)
      if (cnt[iv] === 0) continue
      const q = qh[iv]! - 1
      qh[iv] = pNext[q]!
      cur[iv] = q
      head(iv, t)
    }
  }

  return { traverse, end }
}
