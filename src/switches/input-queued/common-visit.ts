// One step of a router in the common case, as one loop: VC allocation, switch allocation and crossing by iSLIP or separable with one iteration, one
// crossbar lane for each port, private buffers, no speculation, all VCs of a router in one word. What the stages of their own files (vc-allocation.ts,
// switch-allocation.ts, traverse.ts) hand each other in columns lies in variables here; the bits and the results are the same (test/twins/general.test.ts).
import { lowest } from "../../core/bitset.ts"
import { scratch, scratchOf } from "../../fabric/columns.ts"
import type { Wires } from "../../fabric/switch.ts"
import type { RouteStage } from "./route.ts"
import type { IqSpec, IqState } from "./state.ts"
import type { VcStage } from "./vc-allocation.ts"

export type Visit = (t: number, s: number, r: number) => number

/** Whether every choice of this router is the common one. */
export function isCommon(spec: IqSpec, state: IqState): boolean {
  const { W, VD, HELD, RETAIN, VCT, SHARED, PARK, VA_GENERAL, SA_GENERAL } = state
  const plain = !(VA_GENERAL || SA_GENERAL || SHARED || VCT || spec.tailWait)
  return plain && PARK && W === 1 && VD === 1 && HELD === 0 && RETAIN === 0
}

const roundOf = (n: number): Int32Array => scratchOf(Array.from({ length: n }, (_, i) => (i + 1) % n))

export function makeCommonVisit(spec: IqSpec, state: IqState, route: RouteStage, vcs: VcStage, wires: Wires): Visit {
  const low = lowest
  const { credits: cred } = spec.buffers
  const { pNext } = spec.fields
  const { PS, LV, P, V, LEN, SPAN, WORDS, SINGLE, VMASK, VALL } = state
  const { cnt, rem, cur, qh, out, own, rqPort, rqMask, gptr, aptr, freeVc, rr, sg, sa, saM, vaM, soon, parkHead, parkNext } = state
  const { lengthOf, lacks, turn } = state
  const { send, giveBack } = wires
  const { head } = route
  const { unpark } = vcs
  // [output] inputs that ask for it, of VC allocation: input VCs; [input VC] output VCs that it may have; [input] outputs that granted it; [output, input] the VC
  const asked = scratch(32)
  const may = scratch(32)
  const granted = scratch(32)
  const bidOf = scratch(P << 5)
  // the next in a round robin; a table, because the branch at its end is foreseen by nobody
  const nextVc = roundOf(V)
  const nextPort = roundOf(P)
  const nextSlot = roundOf(SPAN)

  // who decides first where several ask for one output
  const shareOf = spec.vcAllocator.name === "separable-input-first" ? chooseVcs : grantVcs
  const match = spec.swAllocator.name === "separable-input-first" ? acceptFirst : grantFirst

  /** Every free VC of port o grants one of the requesters m, as bits; what each was granted comes to `may`. Answers who got something. */
  function grantVcs(m: number, o: number, rb: number): number {
    let any = 0
    let all = -1
    for (let q = m; q !== 0; q &= q - 1) {
      any |= may[low(q)]!
      all &= may[low(q)]!
    }
    let winners = 0
    for (; any !== 0; any &= any - 1) {
      const x = any & -any
      let who = m
      if ((all & x) === 0) for (let q = m; q !== 0; q &= q - 1) if ((may[low(q)]! & x) === 0) who ^= q & -q
      const i = turn(who, gptr[rb + (o << LV) + low(x)]!)
      if ((winners & (1 << i)) === 0) granted[i] = 0
      winners |= 1 << i
      granted[i]! |= x
    }
    for (let q = winners; q !== 0; q &= q - 1) {
      may[low(q)] = granted[low(q)]!
      granted[low(q)] = 0
    }
    return winners
  }

  /** Every requester chooses one VC, and every VC one of those that chose it. */
  function chooseVcs(m: number, o: number, rb: number): number {
    let chosen = 0
    for (; m !== 0; m &= m - 1) {
      const i = low(m)
      const x = turn(may[i]!, startAt(aptr[rb + i]!, o))
      chosen |= 1 << x
      granted[x]! |= m & -m
    }
    let winners = 0
    for (; chosen !== 0; chosen &= chosen - 1) {
      const x = low(chosen)
      const i = turn(granted[x]!, gptr[rb + (o << LV) + x]!)
      granted[x] = 0
      may[i] = 1 << x
      winners |= 1 << i
    }
    return winners
  }

  /** where a round robin over the VCs of port o starts, given a pointer over all output VCs of the router */
  function startAt(pointer: number, o: number): number {
    return pointer >> LV === o ? pointer & VMASK : 0
  }

  /** Bids, as bits of input VCs, several for an output or of an input: every output grants one input, every input accepts one output. Answers who goes. */
  function grantFirst(bids: number, rb: number, rp: number): number {
    let outs = 0
    for (; bids !== 0; bids &= bids - 1) {
      const i = low(bids)
      const o = (out[rb + i]! - 1) >> LV
      outs |= 1 << o
      asked[o]! |= 1 << (i >> LV)
      bidOf[(o << 5) | (i >> LV)] = i
    }
    let ins = 0
    for (; outs !== 0; outs &= outs - 1) {
      const o = low(outs)
      const p = turn(asked[o]!, sg[rp + o]!)
      asked[o] = 0
      granted[p]! |= 1 << o
      ins |= 1 << p
    }
    let won = 0
    for (; ins !== 0; ins &= ins - 1) {
      const p = low(ins)
      won |= 1 << bidOf[(turn(granted[p]!, sa[rp + p]!) << 5) | p]!
      granted[p] = 0
    }
    return won
  }

  /** The same, but every input chooses one output, and every output one of the inputs that chose it. */
  function acceptFirst(bids: number, rb: number, rp: number): number {
    let ins = 0
    for (; bids !== 0; bids &= bids - 1) {
      const i = low(bids)
      const o = (out[rb + i]! - 1) >> LV
      ins |= 1 << (i >> LV)
      granted[i >> LV]! |= 1 << o
      bidOf[(o << 5) | (i >> LV)] = i
    }
    let outs = 0
    for (; ins !== 0; ins &= ins - 1) {
      const p = low(ins)
      const o = turn(granted[p]!, sa[rp + p]!)
      granted[p] = 0
      asked[o]! |= 1 << p
      outs |= 1 << o
    }
    let won = 0
    for (; outs !== 0; outs &= outs - 1) {
      const o = low(outs)
      won |= 1 << bidOf[(o << 5) | turn(asked[o]!, sg[rp + o]!)]!
      asked[o] = 0
    }
    return won
  }

  return function visit(t: number, s: number, r: number): number {
    const rb = r << 5
    const rp = r * PS
    const here = (s & 1) === 0 ? 0 : WORDS
    let va = vaM[r]! | soon[here + r]!
    soon[here + r] = 0
    let bidding = saM[r]!
    let el = bidding

    if (va !== 0) {
      let heads = 0
      let outs = 0
      let clash = 0
      for (let m = va; m !== 0; m &= m - 1) {
        const i = low(m)
        const iv = rb + i
        const o = rqPort[iv]!
        const f = freeVc[rp + o]! & rqMask[iv]!
        if (f === 0) {
          va ^= m & -m
          parkNext[iv] = parkHead[rp + o]!
          parkHead[rp + o] = i + 1
          continue
        }
        may[i] = f
        heads |= m & -m
        clash |= outs & (1 << o)
        outs |= 1 << o
      }
      if (clash !== 0) {
        for (let m = heads; m !== 0; m &= m - 1) {
          const o = rqPort[rb + low(m)]!
          if ((clash & (1 << o)) !== 0) asked[o]! |= m & -m
        }
        for (; clash !== 0; clash &= clash - 1) {
          const o = low(clash)
          const m = asked[o]!
          asked[o] = 0
          heads ^= m ^ shareOf(m, o, rb)
        }
      }
      va ^= heads
      for (; heads !== 0; heads &= heads - 1) {
        const i = low(heads)
        const iv = rb + i
        const o = rqPort[iv]!
        const x = turn(may[i]!, startAt(aptr[iv]!, o))
        const ol = (o << LV) + x
        gptr[rb + ol] = nextSlot[i]!
        aptr[iv] = nextSlot[ol]!
        own[rb + ol] = i + 1
        out[iv] = ol + 1
        if (!SINGLE) rem[iv] = LEN > 0 ? LEN : lengthOf(cur[iv]!)
        freeVc[rp + o]! &= ~(1 << x)
        if (cred[rb + ol]! > 0) bidding |= heads & -heads
        else lacks(iv, t + 1)
      }
      vaM[r] = va
    }

    if (el !== 0) {
      let won = el
      if ((el & (el - 1)) !== 0) {
        won = 0
        let seen = 0
        let clash = 0
        while (el !== 0) {
          const i = low(el)
          const vb = i & ~VMASK
          const vm = (el >>> vb) & VALL
          if ((vm & (vm - 1)) === 0) {
            const o = (out[rb + i]! - 1) >> LV
            clash |= seen & (1 << o)
            seen |= 1 << o
            won |= el & -el
            el &= el - 1
            continue
          }
          // one VC for each output that this input's VCs want, the next in turn
          el &= ~(VALL << vb)
          const k = rr[rp + (i >> LV)]!
          let m = (vm >>> k) << k
          let rest = vm ^ m
          if (m === 0) {
            m = rest
            rest = 0
          }
          let mine = 0
          while (m !== 0) {
            const i2 = vb + low(m)
            m &= m - 1
            if (m === 0) {
              m = rest
              rest = 0
            }
            const b = 1 << ((out[rb + i2]! - 1) >> LV)
            if ((mine & b) !== 0) continue
            mine |= b
            won |= 1 << i2
          }
          clash |= seen & mine
          if ((mine & (mine - 1)) !== 0) clash = -1
          seen |= mine
        }
        if (clash !== 0) won = match(won, rb, rp)
      }

      for (; won !== 0; won &= won - 1) {
        const b = won & -won
        const i = 31 - Math.clz32(b)
        const iv = rb + i
        const ol = out[iv]! - 1
        const ov = rb + ol
        const o = ol >> LV
        const p = i >> LV
        const v = i & VMASK
        rr[rp + p] = nextVc[v]!
        sg[rp + o] = nextPort[p]!
        sa[rp + p] = nextPort[o]!
        const c = cnt[iv]! - 1
        const packet = cur[iv]!
        const left = SINGLE ? 0 : rem[iv]! - 1
        const room = cred[ov]! - 1
        cnt[iv] = c
        cred[ov] = room
        giveBack(iv, t)
        const first = SINGLE || left === lengthOf(packet) - 1 ? packet : -1
        if (left !== 0) {
          rem[iv] = left
          if (c === 0 || room === 0) bidding ^= b
          send(ov, first, packet, false, t)
          continue
        }
        bidding ^= b
        out[iv] = 0
        own[ov] = 0
        freeVc[rp + o]! |= 1 << (ol & VMASK)
        unpark(rp + o, rb)
        if (c > 0) {
          const q = qh[iv]! - 1
          qh[iv] = pNext[q]!
          cur[iv] = q
          head(iv, t)
        }
        send(ov, first, packet, true, t)
      }
    }
    saM[r] = bidding
    return ((bidding | vaM[r]! | soon[WORDS - here + r]!) !== 0 ? 1 : 0) | (soon[here + r] !== 0 ? 2 : 0)
  }
}
