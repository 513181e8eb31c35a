// Stage: switch allocation in its general form: speculation, packet hold, crossbar speed-up, priorities, any allocator.
import { lowest } from "../../core/bitset.ts"
import { scratch } from "../../fabric/columns.ts"
import type { IqSpec, IqState } from "./state.ts"
import { type AllocateSwitch, makeStillRoom } from "./switch-allocation.ts"
import type { Crossing } from "./traverse.ts"

export interface GeneralSwitch {
  allocate: AllocateSwitch
  /** before VC allocation: who may bet on getting a VC in this step */
  speculate(r: number): void
  /** connections of this router that are held */
  connections(r: number): number
}

export function makeGeneralSwitch(spec: IqSpec, state: IqState, crossing: Crossing): GeneralSwitch {
  const low = lowest
  const { outerRouter } = spec.layout
  const SPEC = spec.speculative
  const { W, RS, PS, LV, P, V, C, IS, OS, HOLD, SHARED, VMASK } = state
  const { cnt, out, rqPort, rqMask, freeVc, rr, saM, vaM, newVa, holdM, holdIn, holdOut, saGeneral, room, needOf, priorityOf } = state
  const stillRoom = makeStillRoom(state)
  const { traverse } = crossing
  const LANES = P * OS
  const specM = scratch(W)
  // [crossbar input, crossbar output] -> VC that bids, -1 = none, and how urgently; those that are set; winners
  const label = scratch(P * IS * LANES).fill(-1)
  const urgency = scratch(P * IS * LANES)
  const touched = scratch(P * V + 1)
  const winner = scratch(P * IS)
  const lane = scratch(P * IS)
  let bids = 0

  /** VCs that wait for an output VC and may bet on getting one: some VC of their range is free and has a credit */
  function speculate(r: number): void {
    const rp = r * PS
    for (let w = 0; w < W; w++) {
      let bets = 0
      const base = (r * W + w) << 5
      for (let m = vaM[r * W + w]!; m !== 0; m &= m - 1) {
        const iv = base + low(m)
        const port = rp + rqPort[iv * C]!
        for (let f = freeVc[port]! & rqMask[iv * C]!; f !== 0; f &= f - 1) {
          if (room((port << LV) + low(f)) > 0) {
            bets |= m & -m
            break
          }
        }
      }
      specM[w] = bets
    }
  }

  function request(p: number, v: number, o: number, urgent: number, rp: number): void {
    const xi = p * IS + (v % IS)
    const xo = o * OS + (p % OS)
    if (HOLD && (holdIn[rp * IS + xi] !== 0 || holdOut[rp * OS + xo] !== 0)) return
    const at = xi * LANES + xo
    const old = label[at]!
    const from = rr[rp * IS + xi]!
    if (old < 0 || urgent > urgency[at]! || (urgent === urgency[at]! && (v - from + V) % V < (old - from + V) % V)) {
      if (old < 0) touched[bids++] = at
      label[at] = v
      urgency[at] = urgent
    }
  }

  function allocate(t: number, r: number, s: number): void {
    const rb = r * RS
    const rp = r * PS
    bids = 0
    for (let w = 0; w < W; w++) {
      const base = (r * W + w) << 5
      const holding = HOLD ? holdM[r * W + w]! : 0
      const steady = saM[r * W + w]! & ~newVa[r * W + w]! & ~holding
      for (let m = steady | (SPEC ? specM[w]! : 0); m !== 0; m &= m - 1) {
        const iv = base + low(m)
        const betting = (steady & (m & -m)) === 0
        if (!betting && SHARED && !stillRoom(iv, rb, t)) continue
        const o = betting ? rqPort[iv * C]! : (out[iv]! - 1) >> LV
        request((iv - rb) >> LV, iv & VMASK, o, betting ? priorityOf(iv) - 0x40000000 : priorityOf(iv), rp)
      }
    }
    const holds = HOLD && connections(r) !== 0
    const winners = match(r, s, rp)
    if (holds) continueHeld(t, r, rb, rp)
    for (let j = 0; j < winners; j++) {
      const iv = winner[j]!
      const xo = lane[j]!
      const o = out[iv]!
      // a bet is lost if no VC was granted in this step, or one at another port, or one without a credit
      if (o === 0 || (o - 1) >> LV !== Math.floor(xo / OS) || room(rb + o - 1) < needOf(iv)) continue
      const xi = ((iv - rb) >> LV) * IS + ((iv & VMASK) % IS)
      const more = traverse(t, iv, rb)
      if (HOLD && more && cnt[iv]! > 0) {
        holdM[iv >> 5]! |= 1 << (iv & 31)
        holdIn[rp * IS + xi] = xo + 1
        holdOut[rp * OS + xo] = xi + 1
      }
    }
  }

  function match(r: number, s: number, rp: number): number {
    saGeneral.clear()
    for (let j = 0; j < bids; j++) {
      const at = touched[j]!
      saGeneral.add(Math.floor(at / LANES), at % LANES, urgency[at]!)
    }
    saGeneral.allocate(r, s, outerRouter[r]!)
    let winners = 0
    for (let j = 0; j < bids; j++) {
      const at = touched[j]!
      const xi = Math.floor(at / LANES)
      if (saGeneral.matchOf(xi) === at % LANES) {
        const v = label[at]!
        winner[winners] = ((rp + Math.floor(xi / IS)) << LV) + v
        lane[winners++] = at % LANES
        rr[rp * IS + xi] = (v + IS) % V
      }
      label[at] = -1
    }
    return winners
  }

  function connections(r: number): number {
    let any = 0
    for (let w = 0; w < W; w++) any |= holdM[r * W + w]!
    return any
  }

  /** connections that are held send their next flit; they end with the packet, with the flits at hand, or without a credit */
  function continueHeld(t: number, r: number, rb: number, rp: number): void {
    for (let w = 0; w < W; w++) {
      const base = (r * W + w) << 5
      for (let m = holdM[r * W + w]!; m !== 0; m &= m - 1) {
        const iv = base + low(m)
        const xi = ((iv - rb) >> LV) * IS + ((iv & VMASK) % IS)
        let keep = false
        if (room(rb + out[iv]! - 1) > 0) keep = traverse(t, iv, rb) && cnt[iv]! > 0
        if (keep) continue
        holdM[r * W + w]! &= ~(m & -m)
        holdOut[rp * OS + holdIn[rp * IS + xi]! - 1] = 0
        holdIn[rp * IS + xi] = 0
      }
    }
  }

  return { allocate, speculate, connections }
}
