// The input-queued virtual-channel router, simulated flit by flit. README.md in this folder shows the pipeline.
// Readiness is event-driven and never searched. A flit that enters an empty VC, a credit, or a VC grant sets a bit; the
// last flit, the last credit and the tail clear it. In each core step a router executes
//   route -> VC allocation -> switch allocation -> switch traversal
// A grant is not visible to other stages in the same step. `step` visits only the routers with work.
import type { FlitSwitch, FlitSwitchPorts } from "../../fabric/switch.ts"
import { auditCredits } from "./audit.ts"
import { digestState } from "./digest.ts"
import { isCommon, makeFastStep } from "./fast-step.ts"
import { warmUpRarePaths } from "./jit-warmup.ts"
import type { IqSpec } from "./options.ts"
import { makeHeld } from "./packet-granular.ts"
import { makeRoute } from "./route.ts"
import { makeState } from "./state.ts"
import { makeSwitchAllocation } from "./switch-allocation.ts"
import { makeGeneralSwitch } from "./switch-general.ts"
import { makeCrossing } from "./traverse.ts"
import { makeVcAllocation } from "./vc-allocation.ts"
import { packetsOf, queuesOf, storedIn, waitsOf } from "./waits.ts"

/**
 * Creates the routers of all partitions of a network. The flit engine calls `step` in each core step of a partition.
 */
export function makeInputQueued(spec: IqSpec, links: FlitSwitchPorts): FlitSwitch {
  const { firstRouter } = spec.layout
  const state = makeState(spec)
  const {
    W,
    WORDS,
    ACT,
    VD,
    LISTS,
    ONE,
    SA_GENERAL,
    cnt,
    out,
    saM,
    vaM,
    soon,
    act,
    pending,
    granted,
    grantedCount,
    clock,
    newVa,
  } = state
  const { creditsOf, baseOf, bid, needOf, stalls, nextIs, ME, LIST_BASE, LIST_SIZE, PS, crossBatches } = state
  const route = makeRoute(spec, state)
  const vcs = makeVcAllocation(spec, state)
  const crossing = makeCrossing(spec, state, route, vcs, links)
  const general = makeGeneralSwitch(spec, state, crossing)
  const held = makeHeld(spec, state, route, vcs, links)
  const HELD = state.HELD > 0
  const { due } = route
  const allocateVc = vcs.allocate
  const allocateSwitch = SA_GENERAL ? general.allocate : makeSwitchAllocation(spec, state, HELD ? held : crossing)
  const { speculate, connections } = general
  const { end: endHeld } = held
  const SPEC = spec.speculative
  const HOLD = state.HOLD && !HELD

  /** VC grants that took several steps (vcDelay > 1) become effective. */
  function grants(t: number, s: number): void {
    const slot = s & (LISTS - 1)
    const list = clock[ME] * LISTS + slot
    const at = clock[LIST_BASE] + slot * clock[LIST_SIZE]
    const n = grantedCount[list]
    for (let i = 0; i < n; i++) {
      const iv = granted[at + i]
      pending[iv >> 5] &= ~(1 << (iv & 31))
      if (cnt[iv] > 0 && creditsOf(baseOf(iv) + out[iv] - 1) >= needOf(iv)) bid(iv)
      else stalls(iv, t)
    }
    grantedCount[list] = 0
  }

  // The frequent configuration uses the fused loop of fast-step.ts; both have the same results.
  const common = isCommon(spec, state)
  const visitOf = common ? makeFastStep(spec, state, route, vcs, links) : visit
  if (common) warmUpRarePaths(spec, state, visitOf, vcs, crossing)

  /** Executes core step s (cycle t) of the routers with work in the current partition. */
  function step(t: number, s: number): void {
    // Order of a step: routing, grants that become effective, then the routers with work.
    due(t, s)
    if (VD > 1) grants(t, s)
    nextIs(s + 1)
    // `act` has two rows of router bits. Row `here` is this step; once it is read, it is reused for the step after the
    // next. The other row is the next step.
    const here = (s & 1) === 0 ? 0 : ACT
    const next = ACT - here
    const end = ONE ? ACT : firstRouter[clock[ME] + 1] >> 5
    for (let w = ONE ? 0 : firstRouter[clock[ME]] >> 5; w < end; w++) {
      let m = act[here + w]
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
      // Bits are merged, because visits of other routers may have set some in the meantime.
      act[next + w] |= again
      act[here + w] |= after
    }
    if (HELD) endHeld(t, s)
  }

  /** Executes one step of router r. Returns 1 if it has work in the next step, 2 if in the one after, 3 if both. */
  function visit(t: number, s: number, r: number): number {
    const here = (s & 1) === 0 ? 0 : WORDS
    const next = WORDS - here
    let requests = 0
    // Requests for a VC that become visible in this step join those that wait.
    for (let w = 0, x = r * W; w < W; w++, x++) {
      newVa[x] = 0
      const m = vaM[x] | soon[here + x]
      vaM[x] = m
      soon[here + x] = 0
      requests |= m
    }
    // Speculative bids are collected before VC allocation changes the free VCs.
    if (SPEC) speculate(r)
    if (requests !== 0) allocateVc(t, r, s)
    allocateSwitch(t, r, s)
    // A router stays active while a VC bids, requests or will request, or while a connection is held.
    let live = HOLD ? connections(r) : 0
    let later = 0
    for (let x = r * W, e = x + W; x < e; x++) {
      live |= saM[x] | vaM[x] | soon[next + x]
      later |= soon[here + x]
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
    packets: (visit) => packetsOf(spec, state, visit),
    audit: (t) => auditCredits(spec, state.columns, t),
  }
}
