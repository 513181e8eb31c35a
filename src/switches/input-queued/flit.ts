// The input-queued virtual-channel router, flit by flit (README.md beside this file draws the pipeline). Readiness is kept by events, never
// searched: a flit into an empty VC, a credit, a VC grant set a bit; last flit, last credit and tail clear it. Per router and step:
//   route -> VC allocation -> switch allocation -> crossing; nothing granted in a step is visible to another stage of that step.
import type { FlitSwitch, Wires } from "../../fabric/switch.ts"
import { auditCredits } from "./audit.ts"
import { isCommon, makeCommonVisit } from "./common-visit.ts"
import { digestState } from "./digest.ts"
import { makeHeld } from "./held.ts"
import { rehearse } from "./rehearsal.ts"
import { makeRoute } from "./route.ts"
import { type IqSpec, makeState } from "./state.ts"
import { makeSwitchAllocation } from "./switch-allocation.ts"
import { makeGeneralSwitch } from "./switch-general.ts"
import { makeCrossing } from "./traverse.ts"
import { makeVcAllocation } from "./vc-allocation.ts"
import { queuesOf, storedIn, waitsOf } from "./waits.ts"

export function makeInputQueued(spec: IqSpec, wires: Wires): FlitSwitch {
  const { firstRouter } = spec.layout
  const state = makeState(spec)
  const { W, WORDS, ACT, VD, LISTS, ONE, SA_GENERAL, cnt, out, saM, vaM, soon, act, pending, granted, grantedCount, clock, newVa } = state
  const { room, baseOf, bid, needOf, lacks, nextIs, ME, LIST_BASE, LIST_ROOM, PS, crossBatches } = state
  const route = makeRoute(spec, state)
  const vcs = makeVcAllocation(spec, state)
  const crossing = makeCrossing(spec, state, route, vcs, wires)
  const general = makeGeneralSwitch(spec, state, crossing)
  const held = makeHeld(spec, state, route, vcs, wires)
  const HELD = state.HELD > 0
  const { due } = route
  const allocateVc = vcs.allocate
  const allocateSwitch = SA_GENERAL ? general.allocate : makeSwitchAllocation(spec, state, HELD ? held : crossing)
  const { speculate, connections } = general
  const { end: endHeld } = held
  const SPEC = spec.speculative
  const HOLD = state.HOLD && !HELD

  /** VC grants that took several steps come into force */
  function grants(t: number, s: number): void {
    const slot = s & (LISTS - 1)
    const list = clock[ME]! * LISTS + slot
    const at = clock[LIST_BASE]! + slot * clock[LIST_ROOM]!
    const n = grantedCount[list]!
    for (let i = 0; i < n; i++) {
      const iv = granted[at + i]!
      pending[iv >> 5]! &= ~(1 << (iv & 31))
      if (cnt[iv]! > 0 && room(baseOf(iv) + out[iv]! - 1) >= needOf(iv)) bid(iv)
      else lacks(iv, t)
    }
    grantedCount[list] = 0
  }

  const common = isCommon(spec, state)
  const visitOf = common ? makeCommonVisit(spec, state, route, vcs, wires) : visit
  if (common) rehearse(spec, state, visitOf, vcs, crossing)

  function step(t: number, s: number): void {
    due(t, s)
    if (VD > 1) grants(t, s)
    nextIs(s + 1)
    // bits of this step and, once they are taken, of the one after next; bits of the next step
    const here = (s & 1) === 0 ? 0 : ACT
    const next = ACT - here
    const end = ONE ? ACT : firstRouter[clock[ME]! + 1]! >> 5
    for (let w = ONE ? 0 : firstRouter[clock[ME]!]! >> 5; w < end; w++) {
      let m = act[here + w]!
      if (m === 0) continue
      act[here + w] = 0
      let again = 0
      let after = 0
      while (m !== 0) {
        const b = m & -m
        m ^= b
        const live = visitOf(t, s, (w << 5) + 31 - Math.clz32(b))
        if ((live & 1) !== 0) again |= b
        if ((live & 2) !== 0) after |= b
      }
      act[next + w]! |= again
      act[here + w]! |= after
    }
    if (HELD) endHeld(t, s)
  }

  /** One step of a router. 1 = it has something to do in the next step, 2 = in the one after, 3 = both. */
  function visit(t: number, s: number, r: number): number {
    const here = (s & 1) === 0 ? 0 : WORDS
    const next = WORDS - here
    let asks = 0
    for (let w = 0, x = r * W; w < W; w++, x++) {
      newVa[x] = 0
      const m = vaM[x]! | soon[here + x]!
      vaM[x] = m
      soon[here + x] = 0
      asks |= m
    }
    if (SPEC) speculate(r)
    if (asks !== 0) allocateVc(t, r, s)
    allocateSwitch(t, r, s)
    let live = HOLD ? connections(r) : 0
    let later = 0
    for (let x = r * W, e = x + W; x < e; x++) {
      live |= saM[x]! | vaM[x]! | soon[next + x]!
      later |= soon[here + x]!
    }
    return (live !== 0 ? 1 : 0) | (later !== 0 ? 2 : 0)
  }

  return {
    enter: state.enter,
    arrive: crossing.arrive,
    credit: crossing.credit,
    release: crossing.release,
    ...(state.CROSS_BATCHES ? { crossed: (port, s) => crossBatches.enter(Math.floor(port / PS), s + 1) } : {}),
    step,
    columns: state.columns,
    digest: (d, outer, s) => digestState(spec, state, d, outer, s),
    waits: () => waitsOf(spec, state, vcs),
    stored: (router) => storedIn(spec, state, router),
    queues: (visit) => queuesOf(spec, state, visit),
    audit: (t) => auditCredits(spec, state.columns, t),
  }
}
