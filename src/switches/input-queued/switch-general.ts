// Switch allocation in its general form, which supports all options: speculation, packet hold, crossbar speedup,
// priorities and any allocator (../parts/allocator.ts). It is slower than switch-allocation.ts, which handles the
// frequent case.
import { lowest } from "../../core/bitset.ts"
import { scratch } from "../../fabric/columns.ts"
import type { IqSpec } from "./options.ts"
import type { IqState } from "./state.ts"
import { type AllocateSwitch, makeStillHasCredits } from "./switch-allocation.ts"
import type { Crossing } from "./traverse.ts"

export interface GeneralSwitch {
  allocate: AllocateSwitch
  /** Called before VC allocation: selects the VCs that bid speculatively in this step. */
  speculate(r: number): void
  /** Returns a non-zero mask if this router has held connections. */
  connections(r: number): number
}

export function makeGeneralSwitch(spec: IqSpec, state: IqState, crossing: Crossing): GeneralSwitch {
  const low = lowest
  const { outerRouter } = spec.layout
  const SPEC = spec.speculative
  const { W, RS, PS, LV, P, V, C, IS, OS, HOLD, SHARED, VMASK } = state
  const {
    cnt,
    out,
    rqPort,
    rqMask,
    freeVc,
    rr,
    saM,
    vaM,
    newVa,
    holdM,
    holdIn,
    holdOut,
    saGeneral,
    creditsOf,
    needOf,
    priorityOf,
  } = state
  const stillHasCredits = makeStillHasCredits(state)
  const { traverse } = crossing
  const LANES = P * OS
  const specM = scratch(W)
  // [crossbar input, crossbar output] -> VC that bids (-1 = none), and its priority. touched: entries in use. winner,
  // lane: the winning VCs and their crossbar outputs.
  const label = scratch(P * IS * LANES).fill(-1)
  const urgency = scratch(P * IS * LANES)
  const touched = scratch(P * V + 1)
  const winner = scratch(P * IS)
  const lane = scratch(P * IS)
  let bids = 0

  /**
   * Selects the VCs that wait for an output VC and bid speculatively for the switch: at least one VC that they request
   * is free and has a credit.
   */
  function speculate(r: number): void {
    const rp = r * PS
    for (let w = 0; w < W; w++) {
      let bets = 0
      const base = (r * W + w) << 5
      for (let m = vaM[r * W + w]; m !== 0; m &= m - 1) {
        const iv = base + low(m)
        const port = rp + rqPort[iv * C]
        for (let f = freeVc[port] & rqMask[iv * C]; f !== 0; f &= f - 1) {
          if (creditsOf((port << LV) + low(f)) > 0) {
            bets |= m & -m
            break
          }
        }
      }
      specM[w] = bets
    }
  }

  /**
   * Adds a bid of VC v at port p for port o, unless a held connection uses the crossbar input or output. If two VCs bid
   * for the same pair, the higher priority wins, then the round-robin order.
   */
  function request(p: number, v: number, o: number, urgent: number, rp: number): void {
    const xi = p * IS + (v % IS)
    const xo = o * OS + (p % OS)
    if (HOLD && (holdIn[rp * IS + xi] !== 0 || holdOut[rp * OS + xo] !== 0)) return
    const at = xi * LANES + xo
    const old = label[at]
    const from = rr[rp * IS + xi]
    if (old < 0 || urgent > urgency[at] || (urgent === urgency[at] && (v - from + V) % V < (old - from + V) % V)) {
      if (old < 0) touched[bids++] = at
      label[at] = v
      urgency[at] = urgent
    }
  }

  /** Allocates the crossbar of router r in step s, and moves the winning flits. */
  function allocate(t: number, r: number, s: number): void {
    const rb = r * RS
    const rp = r * PS
    bids = 0
    for (let w = 0; w < W; w++) {
      const base = (r * W + w) << 5
      const holding = HOLD ? holdM[r * W + w] : 0
      const steady = saM[r * W + w] & ~newVa[r * W + w] & ~holding
      for (let m = steady | (SPEC ? specM[w] : 0); m !== 0; m &= m - 1) {
        const iv = base + low(m)
        const betting = (steady & (m & -m)) === 0
        if (!betting && SHARED && !stillHasCredits(iv, rb, t)) continue
        const o = betting ? rqPort[iv * C] : (out[iv] - 1) >> LV
        // A speculative bid has a lower priority than any other bid.
        request((iv - rb) >> LV, iv & VMASK, o, betting ? priorityOf(iv) - 0x40000000 : priorityOf(iv), rp)
      }
    }
    // Connections are read before the matching, but held flits move after it, so that a connection which ends in this
    // step does not free its ports for the matching of the same step.
    const holds = HOLD && connections(r) !== 0
    const winners = match(r, s, rp)
    if (holds) continueHeld(t, r, rb, rp)
    for (let j = 0; j < winners; j++) {
      const iv = winner[j]
      const xo = lane[j]
      const o = out[iv]
      // A speculative bid fails if it got no VC in this step, a VC of another port, or a VC without credits.
      if (o === 0 || (o - 1) >> LV !== Math.floor(xo / OS) || creditsOf(rb + o - 1) < needOf(iv)) continue
      const xi = ((iv - rb) >> LV) * IS + ((iv & VMASK) % IS)
      const more = traverse(t, iv, rb)
      // The packet continues, so the connection is held and its ports leave the allocation.
      if (HOLD && more && cnt[iv] > 0) {
        holdM[iv >> 5] |= 1 << (iv & 31)
        holdIn[rp * IS + xi] = xo + 1
        holdOut[rp * OS + xo] = xi + 1
      }
    }
  }

  /** Runs the allocator on the collected bids. Returns the number of winners. */
  function match(r: number, s: number, rp: number): number {
    saGeneral.clear()
    for (let j = 0; j < bids; j++) {
      const at = touched[j]
      saGeneral.add(Math.floor(at / LANES), at % LANES, urgency[at])
    }
    saGeneral.allocate(r, s, outerRouter[r])
    let winners = 0
    for (let j = 0; j < bids; j++) {
      const at = touched[j]
      const xi = Math.floor(at / LANES)
      if (saGeneral.matchOf(xi) === at % LANES) {
        const v = label[at]
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
    for (let w = 0; w < W; w++) any |= holdM[r * W + w]
    return any
  }

  /**
   * Held connections send their next flit. A connection ends with its packet, or when it has no more flits in the
   * buffer, or no credits.
   */
  function continueHeld(t: number, r: number, rb: number, rp: number): void {
    for (let w = 0; w < W; w++) {
      const base = (r * W + w) << 5
      for (let m = holdM[r * W + w]; m !== 0; m &= m - 1) {
        const iv = base + low(m)
        const xi = ((iv - rb) >> LV) * IS + ((iv & VMASK) % IS)
        let keep = false
        if (creditsOf(rb + out[iv] - 1) > 0) keep = traverse(t, iv, rb) && cnt[iv] > 0
        if (keep) continue
        holdM[r * W + w] &= ~(m & -m)
        holdOut[rp * OS + holdIn[rp * IS + xi] - 1] = 0
        holdIn[rp * IS + xi] = 0
      }
    }
  }

  return { allocate, speculate, connections }
}
