// Switch allocation in its simple form: iSLIP or separable with one iteration, no crossbar speedup, at most 32 ports.
// Each input port selects at most one VC for each output. If no output is requested twice and no input has two bids,
// all bids win, which is also the result of iSLIP. Otherwise each arbiter takes the first set bit at or after its
// pointer.
import { lowest } from "../../core/bitset.ts"
import { scratch } from "../../fabric/columns.ts"
import type { IqSpec } from "./options.ts"
import type { IqState } from "./state.ts"
import type { Crossing } from "./traverse.ts"

export type AllocateSwitch = (t: number, r: number, s: number) => void

export function makeSwitchAllocation(
  spec: IqSpec,
  state: IqState,
  crossing: Pick<Crossing, "traverse">,
): AllocateSwitch {
  const low = lowest
  const { W, RS, PS, LV, P, V, SPAN, VMASK, VALL, SHARED } = state
  const { out, rr, sg, sa, saM, newVa, busyIn, busyOut, turn } = state
  const stillHasCredits = makeStillHasCredits(state)
  const { traverse } = crossing
  const HELD = state.HELD > 0
  const INPUT_FIRST = spec.swAllocator.name === "separable-input-first"
  // Bids of one visit: input VC (local to the router) and output.
  const lI = scratch(SPAN + 1)
  const lO = scratch(SPAN + 1)

  function allocate(t: number, r: number): void {
    const rb = r * RS
    const rp = r * PS
    if (W === 1 && !SHARED && !HELD) {
      // A single bid wins.
      const el = saM[r] & ~newVa[r]
      if ((el & (el - 1)) === 0) {
        if (el === 0) return
        lI[0] = 31 - Math.clz32(el)
        lO[0] = (out[rb + lI[0]] - 1) >> LV
        win(t, rb, rp, 0)
        return
      }
    }
    let n = 0
    let seen = 0
    let clash = 0
    // In packet mode, ports in a transfer take no part.
    const closedIn = HELD ? busyIn[r] : 0
    const closedOut = HELD ? busyOut[r] : 0
    // Collect the bids, one VC for each pair of input and output, and detect conflicts.
    for (let w = 0; w < W; w++) {
      const wi = r * W + w
      let el = saM[wi] & ~newVa[wi]
      const wb = wi << 5
      const lb = w << 5
      while (el !== 0) {
        const i = low(el)
        const vb = i & ~VMASK
        const vm = (el >>> vb) & VALL
        if (HELD && ((closedIn >>> ((lb + i) >> LV)) & 1) !== 0) {
          el &= ~(VALL << vb)
          continue
        }
        // One VC of this input bids.
        if ((vm & (vm - 1)) === 0) {
          el &= el - 1
          if (SHARED && !stillHasCredits(wb + i, rb, t)) continue
          const o = (out[wb + i] - 1) >> LV
          if (HELD && ((closedOut >>> o) & 1) !== 0) continue
          clash |= seen & (1 << o)
          seen |= 1 << o
          lI[n] = lb + i
          lO[n++] = o
          continue
        }
        // Several VCs of this input bid: scan them round-robin, and take the first one for each output.
        el &= ~(VALL << vb)
        const k = rr[rp + ((lb + i) >> LV)]
        let m = (vm >>> k) << k
        let rest = vm ^ m
        if (m === 0) {
          m = rest
          rest = 0
        }
        const from = n
        while (m !== 0) {
          const i2 = vb + low(m)
          m &= m - 1
          if (m === 0) {
            m = rest
            rest = 0
          }
          if (SHARED && !stillHasCredits(wb + i2, rb, t)) continue
          const o = (out[wb + i2] - 1) >> LV
          if (HELD && ((closedOut >>> o) & 1) !== 0) continue
          // Only the first VC of this input for output o bids; the pointer decides which VC is first.
          let q = from
          while (q < n && lO[q] !== o) q++
          if (q < n) continue
          clash |= seen & (1 << o)
          seen |= 1 << o
          lI[n] = lb + i2
          lO[n++] = o
        }
        // Two bids of one input always conflict, whatever their outputs.
        if (n > from + 1) clash = -1
      }
    }
    if (clash === 0) for (let j = 0; j < n; j++) win(t, rb, rp, j)
    else if (INPUT_FIRST) inputFirst(t, rb, rp, n)
    else outputFirst(t, rb, rp, n)
  }

  /** Bid j wins: advances the pointers of both arbiters, and moves the flit. */
  function win(t: number, rb: number, rp: number, j: number): void {
    const li = lI[j]
    const o = lO[j]
    const p = li >> LV
    const v = li & VMASK
    rr[rp + p] = v + 1 >= V ? 0 : v + 1
    sg[rp + o] = p + 1 >= P ? 0 : p + 1
    sa[rp + p] = o + 1 >= P ? 0 : o + 1
    traverse(t, rb + li, rb)
  }

  /** The same bids as bits: [output] -> requesting inputs, [input] -> outputs that granted, [output, input] -> bid. */
  const requested = scratch(P)
  const granted = scratch(P)
  const bidOf = scratch(P << 5)

  /** Converts the n bids into bits, by output. */
  function request(n: number): void {
    for (let j = 0; j < n; j++) {
      const p = lI[j] >> LV
      requested[lO[j]] |= 1 << p
      bidOf[(lO[j] << 5) | p] = j
    }
  }

  /** Outputs grant, then inputs accept. */
  function outputFirst(t: number, rb: number, rp: number, n: number): void {
    request(n)
    let ins = 0
    for (let j = 0; j < n; j++) {
      const o = lO[j]
      const m = requested[o]
      if (m === 0) continue
      requested[o] = 0
      const p = turn(m, sg[rp + o])
      granted[p] |= 1 << o
      ins |= 1 << p
    }
    for (; ins !== 0; ins &= ins - 1) {
      const p = low(ins)
      const o = turn(granted[p], sa[rp + p])
      granted[p] = 0
      win(t, rb, rp, bidOf[(o << 5) | p])
    }
  }

  /** Inputs choose, then outputs choose among them. */
  function inputFirst(t: number, rb: number, rp: number, n: number): void {
    for (let j = 0; j < n; j++) {
      const p = lI[j] >> LV
      granted[p] |= 1 << lO[j]
      bidOf[(lO[j] << 5) | p] = j
    }
    let outs = 0
    for (let j = 0; j < n; j++) {
      const p = lI[j] >> LV
      const m = granted[p]
      if (m === 0) continue
      granted[p] = 0
      const o = turn(m, sa[rp + p])
      requested[o] |= 1 << p
      outs |= 1 << o
    }
    for (; outs !== 0; outs &= outs - 1) {
      const o = low(outs)
      const p = turn(requested[o], sg[rp + o])
      requested[o] = 0
      win(t, rb, rp, bidOf[(o << 5) | p])
    }
  }

  return allocate
}

/**
 * With shared buffers a bid can become invalid, because other VCs took the space. The bid is then withdrawn, and the
 * next credit renews it.
 */
export function makeStillHasCredits(state: IqState): (iv: number, rb: number, t: number) => boolean {
  const { out, saM, creditsOf, needOf, lengthOf, cur, rem, stalls, SINGLE } = state
  return function stillHasCredits(iv, rb, t) {
    if (creditsOf(rb + out[iv] - 1) >= needOf(iv)) return true
    saM[iv >> 5] &= ~(1 << (iv & 31))
    if (SINGLE || rem[iv] === lengthOf(cur[iv])) stalls(iv, t)
    return false
  }
}
