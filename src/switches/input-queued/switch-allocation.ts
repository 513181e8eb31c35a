// Stage: switch allocation in its plain form: iSLIP or separable with one iteration, one crossbar lane for each port, at most 32 ports. Every
// input port names at most one VC for each output; where no port is asked for twice, all win, which is what iSLIP would say. Else a round
// robin is the first set bit at or after a pointer.
import { lowest } from "../../core/bitset.ts"
import { scratch } from "../../fabric/columns.ts"
import type { IqSpec, IqState } from "./state.ts"
import type { Crossing } from "./traverse.ts"

export type AllocateSwitch = (t: number, r: number, s: number) => void

export function makeSwitchAllocation(spec: IqSpec, state: IqState, crossing: Pick<Crossing, "traverse">): AllocateSwitch {
  const low = lowest
  const { W, RS, PS, LV, P, V, SPAN, VMASK, VALL, SHARED } = state
  const { out, rr, sg, sa, saM, newVa, busyIn, busyOut, turn } = state
  const stillRoom = makeStillRoom(state)
  const { traverse } = crossing
  const HELD = state.HELD > 0
  const INPUT_FIRST = spec.swAllocator.name === "separable-input-first"
  // bids of one visit: VC (local to the router), output
  const lI = scratch(SPAN + 1)
  const lO = scratch(SPAN + 1)

  function allocate(t: number, r: number): void {
    const rb = r * RS
    const rp = r * PS
    if (W === 1 && !SHARED && !HELD) {
      // one bid alone wins
      const el = saM[r]! & ~newVa[r]!
      if ((el & (el - 1)) === 0) {
        if (el === 0) return
        lI[0] = 31 - Math.clz32(el)
        lO[0] = (out[rb + lI[0]!]! - 1) >> LV
        win(t, rb, rp, 0)
        return
      }
    }
    let n = 0
    let seen = 0
    let clash = 0
    const closedIn = HELD ? busyIn[r]! : 0
    const closedOut = HELD ? busyOut[r]! : 0
    for (let w = 0; w < W; w++) {
      const wi = r * W + w
      let el = saM[wi]! & ~newVa[wi]!
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
        if ((vm & (vm - 1)) === 0) {
          el &= el - 1
          if (SHARED && !stillRoom(wb + i, rb, t)) continue
          const o = (out[wb + i]! - 1) >> LV
          if (HELD && ((closedOut >>> o) & 1) !== 0) continue
          clash |= seen & (1 << o)
          seen |= 1 << o
          lI[n] = lb + i
          lO[n++] = o
          continue
        }
        el &= ~(VALL << vb)
        const k = rr[rp + ((lb + i) >> LV)]!
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
          if (SHARED && !stillRoom(wb + i2, rb, t)) continue
          const o = (out[wb + i2]! - 1) >> LV
          if (HELD && ((closedOut >>> o) & 1) !== 0) continue
          let q = from
          while (q < n && lO[q] !== o) q++
          if (q < n) continue
          clash |= seen & (1 << o)
          seen |= 1 << o
          lI[n] = lb + i2
          lO[n++] = o
        }
        if (n > from + 1) clash = -1
      }
    }
    if (clash === 0) for (let j = 0; j < n; j++) win(t, rb, rp, j)
    else if (INPUT_FIRST) inputFirst(t, rb, rp, n)
    else outputFirst(t, rb, rp, n)
  }

  function win(t: number, rb: number, rp: number, j: number): void {
    const li = lI[j]!
    const o = lO[j]!
    const p = li >> LV
    const v = li & VMASK
    rr[rp + p] = v + 1 >= V ? 0 : v + 1
    sg[rp + o] = p + 1 >= P ? 0 : p + 1
    sa[rp + p] = o + 1 >= P ? 0 : o + 1
    traverse(t, rb + li, rb)
  }

  /** the same bids as bits: [output] inputs that ask, [input] outputs that granted, [output, input] the bid */
  const asked = scratch(P)
  const granted = scratch(P)
  const bidOf = scratch(P << 5)

  function ask(n: number): void {
    for (let j = 0; j < n; j++) {
      const p = lI[j]! >> LV
      asked[lO[j]!]! |= 1 << p
      bidOf[(lO[j]! << 5) | p] = j
    }
  }

  function outputFirst(t: number, rb: number, rp: number, n: number): void {
    ask(n)
    let ins = 0
    for (let j = 0; j < n; j++) {
      const o = lO[j]!
      const m = asked[o]!
      if (m === 0) continue
      asked[o] = 0
      const p = turn(m, sg[rp + o]!)
      granted[p]! |= 1 << o
      ins |= 1 << p
    }
    for (; ins !== 0; ins &= ins - 1) {
      const p = low(ins)
      const o = turn(granted[p]!, sa[rp + p]!)
      granted[p] = 0
      win(t, rb, rp, bidOf[(o << 5) | p]!)
    }
  }

  function inputFirst(t: number, rb: number, rp: number, n: number): void {
    for (let j = 0; j < n; j++) {
      const p = lI[j]! >> LV
      granted[p]! |= 1 << lO[j]!
      bidOf[(lO[j]! << 5) | p] = j
    }
    let outs = 0
    for (let j = 0; j < n; j++) {
      const p = lI[j]! >> LV
      const m = granted[p]!
      if (m === 0) continue
      granted[p] = 0
      const o = turn(m, sa[rp + p]!)
      asked[o]! |= 1 << p
      outs |= 1 << o
    }
    for (; outs !== 0; outs &= outs - 1) {
      const o = low(outs)
      const p = turn(asked[o]!, sg[rp + o]!)
      asked[o] = 0
      win(t, rb, rp, bidOf[(o << 5) | p]!)
    }
  }

  return allocate
}

/** with shared room a bid can go stale: others took the room; the next credit renews it */
export function makeStillRoom(state: IqState): (iv: number, rb: number, t: number) => boolean {
  const { out, saM, room, needOf, lengthOf, cur, rem, lacks, SINGLE } = state
  return function stillRoom(iv, rb, t) {
    if (room(rb + out[iv]! - 1) >= needOf(iv)) return true
    saM[iv >> 5]! &= ~(1 << (iv & 31))
    if (SINGLE || rem[iv] === lengthOf(cur[iv]!)) lacks(iv, t)
    return false
  }
}
