// Switch traversal of whole packets, a fast path of the input-queued router. It applies with cut-through, packet hold,
// packets of one size, and links as fast as the crossbar. A connection then lasts exactly as long as its packet, and
// each flit follows its head one cycle later on each link. A packet can therefore be one event: it crosses with its
// head, keeps its two ports busy until its last flit has left, and returns its buffer space when another packet fits.
//
// The same packets arrive in the same cycles as flit by flit (test/twins/packet-granular.test.ts).
import type { FlitSwitchPorts } from "../../fabric/switch.ts"
import type { IqSpec } from "./options.ts"
import type { RouteStage } from "./route.ts"
import type { IqState } from "./state.ts"
import type { VcStage } from "./vc-allocation.ts"

export interface HeldCrossing {
  traverse(t: number, iv: number, rb: number): boolean
  /** Frees the ports and VCs of the packets whose last flit leaves in step s. */
  end(t: number, s: number): void
}

export function makeHeld(
  spec: IqSpec,
  state: IqState,
  route: RouteStage,
  vcs: VcStage,
  links: FlitSwitchPorts,
): HeldCrossing {
  const { take } = spec.rules
  const { pNext, pHops } = spec.fields
  const { firstRouter } = spec.layout
  const { send, returnCredit } = links
  const { LV, P, C, PARK, VMASK, HELD, ENDS, ME, UPCOMING } = state
  const {
    cnt,
    rem,
    cur,
    qh,
    out,
    own,
    freeVc,
    saM,
    busyIn,
    busyOut,
    ending,
    endingCount,
    clock,
    hopOf,
    baseOf,
    routerAt,
    wake,
  } = state
  const { head } = route
  const { unpark } = vcs

  /** Returns the start of the list of packets that end in step s. */
  function listAt(s: number): number {
    const first = firstRouter[clock[ME]]
    return (first * ENDS + (s & (ENDS - 1)) * (firstRouter[clock[ME] + 1] - first)) * P
  }

  /**
   * Moves the whole packet of iv in one event. Its two ports stay busy, and `end` frees them in the step in which the
   * last flit leaves.
   */
  function traverse(t: number, iv: number, rb: number): boolean {
    const ov = rb + out[iv] - 1
    const p = cur[iv]
    const r = routerAt(iv)
    // The step after this one is `upcoming`; the last flit of the packet leaves HELD - 1 steps after its head.
    const s = clock[UPCOMING] - 1 + HELD - 1
    cnt[iv]--
    rem[iv] = 0
    cur[iv] = -1
    saM[iv >> 5] &= ~(1 << (iv & 31))
    take(ov)
    returnCredit(iv, t)
    if (C > 1) pHops[p] += hopOf[ov >> LV]
    busyIn[r] |= 1 << ((iv - rb) >> LV)
    busyOut[r] |= 1 << ((ov - rb) >> LV)
    ending[listAt(s) + endingCount[clock[ME] * ENDS + (s & (ENDS - 1))]++] = iv
    send(ov, p, p, true, t)
    return false
  }

  function end(t: number, s: number): void {
    const list = clock[ME] * ENDS + (s & (ENDS - 1))
    const n = endingCount[list]
    const at = listAt(s)
    endingCount[list] = 0
    for (let i = 0; i < n; i++) {
      const iv = ending[at + i]
      const rb = baseOf(iv)
      const r = routerAt(iv)
      const ov = rb + out[iv] - 1
      busyIn[r] &= ~(1 << ((iv - rb) >> LV))
      busyOut[r] &= ~(1 << ((ov - rb) >> LV))
      out[iv] = 0
      own[ov] = 0
      freeVc[ov >> LV] |= 1 << (ov & VMASK)
      if (PARK) unpark(ov >> LV, rb)
      wake(iv)
      if (cnt[iv] === 0) continue
      const q = qh[iv] - 1
      qh[iv] = pNext[q]
      cur[iv] = q
      head(iv, t)
    }
  }

  return { traverse, end }
}
