// One core step of a router in the most frequent configuration, as one loop: VC allocation, switch allocation and
// switch traversal. It needs iSLIP or separable allocators with one iteration, no crossbar speedup, private buffers, no
// speculation, and all VCs of a router in one 32-bit word.
//
// The stages in separate files (vc-allocation.ts, switch-allocation.ts, traverse.ts) pass their results in columns;
// here they are local variables. State and results are identical bit by bit (test/twins/general.test.ts checks it).
import { lowest } from "../../core/bitset.ts"
import { scratch, scratchOf } from "../../fabric/columns.ts"
import type { FlitSwitchPorts } from "../../fabric/switch.ts"
import type { IqSpec } from "./options.ts"
import type { RouteStage } from "./route.ts"
import type { IqState } from "./state.ts"
import type { VcStage } from "./vc-allocation.ts"

export type Visit = (t: number, s: number, r: number) => number

/** Returns whether the configuration of this router is the one that this file implements. */
export function isCommon(spec: IqSpec, state: IqState): boolean {
  const { W, VD, HELD, RETAIN, VCT, SHARED, PARK, VA_GENERAL, SA_GENERAL } = state
  const plain = !(VA_GENERAL || SA_GENERAL || SHARED || VCT || spec.tailWait)
  return plain && PARK && W === 1 && VD === 1 && HELD === 0 && RETAIN === 0
}

const roundOf = (n: number): Int32Array => scratchOf(Array.from({ length: n }, (_, i) => (i + 1) % n))

/** Returns the function that executes one core step of a router. */
export function makeFastStep(
  spec: IqSpec,
  state: IqState,
  route: RouteStage,
  vcs: VcStage,
  links: FlitSwitchPorts,
): Visit {
  const low = lowest
  const { credits: cred } = spec.buffers
  const { pNext } = spec.fields
  const { PS, LV, P, V, LEN, SPAN, WORDS, SINGLE, VMASK, VALL } = state
  const {
    cnt,
    rem,
    cur,
    qh,
    out,
    own,
    rqPort,
    rqMask,
    gptr,
    aptr,
    freeVc,
    rr,
    sg,
    sa,
    saM,
    vaM,
    soon,
    parkHead,
    parkNext,
  } = state
  const { lengthOf, stalls, turn } = state
  const { send, returnCredit } = links
  const { head } = route
  const { unpark } = vcs
  // Scratch memory. requested: [output] -> requesting inputs (VC allocation: input VCs). may: [input VC] -> output VCs
  // that it may get. granted: [input] -> outputs that granted it. bidOf: [output, input] -> the VC that bids.
  const requested = scratch(32)
  const may = scratch(32)
  const granted = scratch(32)
  const bidOf = scratch(P << 5)
  // [i] -> next position of a round-robin pointer. A table avoids a branch that the processor cannot predict.
  const nextVc = roundOf(V)
  const nextPort = roundOf(P)
  const nextSlot = roundOf(SPAN)

  // Output-first or input-first, where several requesters compete for one output.
  const shareOf = spec.vcAllocator.name === "separable-input-first" ? chooseVcs : grantVcs
  const match = spec.swAllocator.name === "separable-input-first" ? acceptFirst : grantFirst

  /**
   * Each free VC of port o grants one of the requesters m (bits). The grants of each requester replace its entry of
   * `may`. Returns the requesters with a grant.
   */
  function grantVcs(m: number, o: number, rb: number): number {
    let any = 0
    let all = -1
    for (let q = m; q !== 0; q &= q - 1) {
      any |= may[low(q)]
      all &= may[low(q)]
    }
    // If all requesters may have VC x, the filter below is not needed.
    let winners = 0
    for (; any !== 0; any &= any - 1) {
      const x = any & -any
      let who = m
      if ((all & x) === 0) for (let q = m; q !== 0; q &= q - 1) if ((may[low(q)] & x) === 0) who ^= q & -q
      const i = turn(who, gptr[rb + (o << LV) + low(x)])
      if ((winners & (1 << i)) === 0) granted[i] = 0
      winners |= 1 << i
      granted[i] |= x
    }
    for (let q = winners; q !== 0; q &= q - 1) {
      may[low(q)] = granted[low(q)]
      granted[low(q)] = 0
    }
    return winners
  }

  /** Each requester chooses one VC, and each VC chooses one of its requesters. Returns the winners. */
  function chooseVcs(m: number, o: number, rb: number): number {
    let chosen = 0
    for (; m !== 0; m &= m - 1) {
      const i = low(m)
      const x = turn(may[i], startAt(aptr[rb + i], o))
      chosen |= 1 << x
      granted[x] |= m & -m
    }
    let winners = 0
    for (; chosen !== 0; chosen &= chosen - 1) {
      const x = low(chosen)
      const i = turn(granted[x], gptr[rb + (o << LV) + x])
      granted[x] = 0
      may[i] = 1 << x
      winners |= 1 << i
    }
    return winners
  }

  /**
   * Returns the start of a round-robin scan over the VCs of port o, for a pointer over all output VCs of the router.
   */
  function startAt(pointer: number, o: number): number {
    return pointer >> LV === o ? pointer & VMASK : 0
  }

  /**
   * Resolves conflicting bids (bits of input VCs): each output grants one input, then each input accepts one output.
   * Returns the winners.
   */
  function grantFirst(bids: number, rb: number, rp: number): number {
    let outs = 0
    for (; bids !== 0; bids &= bids - 1) {
      const i = low(bids)
      const o = (out[rb + i] - 1) >> LV
      outs |= 1 << o
      requested[o] |= 1 << (i >> LV)
      bidOf[(o << 5) | (i >> LV)] = i
    }
    let ins = 0
    for (; outs !== 0; outs &= outs - 1) {
      const o = low(outs)
      const p = turn(requested[o], sg[rp + o])
      requested[o] = 0
      granted[p] |= 1 << o
      ins |= 1 << p
    }
    let won = 0
    for (; ins !== 0; ins &= ins - 1) {
      const p = low(ins)
      won |= 1 << bidOf[(turn(granted[p], sa[rp + p]) << 5) | p]
      granted[p] = 0
    }
    return won
  }

  /** The same, but inputs choose first: each output then grants one of the inputs that chose it. */
  function acceptFirst(bids: number, rb: number, rp: number): number {
    let ins = 0
    for (; bids !== 0; bids &= bids - 1) {
      const i = low(bids)
      const o = (out[rb + i] - 1) >> LV
      ins |= 1 << (i >> LV)
      granted[i >> LV] |= 1 << o
      bidOf[(o << 5) | (i >> LV)] = i
    }
    let outs = 0
    for (; ins !== 0; ins &= ins - 1) {
      const p = low(ins)
      const o = turn(granted[p], sa[rp + p])
      granted[p] = 0
      requested[o] |= 1 << p
      outs |= 1 << o
    }
    let won = 0
    for (; outs !== 0; outs &= outs - 1) {
      const o = low(outs)
      won |= 1 << bidOf[(o << 5) | turn(requested[o], sg[rp + o])]
      requested[o] = 0
    }
    return won
  }

  /**
   * Executes core step s (cycle t) of router r. Returns 1 if it has work in the next step, 2 if in the one after, 3 if
   * both.
   */
  return function visit(t: number, s: number, r: number): number {
    const rb = r << 5
    const rp = r * PS
    const here = (s & 1) === 0 ? 0 : WORDS
    // Requests for a VC: those that wait, and those that become visible in this step.
    let va = vaM[r] | soon[here + r]
    soon[here + r] = 0
    let bidding = saM[r]
    // Switch allocation uses the bids of earlier steps only. A VC granted in this step bids in the next one, because
    // `el` is copied before VC allocation adds to `bidding`.
    let el = bidding

    // Stage 1: VC allocation.
    if (va !== 0) {
      let heads = 0
      let outs = 0
      let clash = 0
      for (let m = va; m !== 0; m &= m - 1) {
        const i = low(m)
        const iv = rb + i
        const o = rqPort[iv]
        const f = freeVc[rp + o] & rqMask[iv]
        // No VC is free: the head is parked at the port, and `unpark` renews its request.
        if (f === 0) {
          va ^= m & -m
          parkNext[iv] = parkHead[rp + o]
          parkHead[rp + o] = i + 1
          continue
        }
        may[i] = f
        heads |= m & -m
        clash |= outs & (1 << o)
        outs |= 1 << o
      }
      // Only ports with several requesters need arbitration.
      if (clash !== 0) {
        for (let m = heads; m !== 0; m &= m - 1) {
          const o = rqPort[rb + low(m)]
          if ((clash & (1 << o)) !== 0) requested[o] |= m & -m
        }
        for (; clash !== 0; clash &= clash - 1) {
          const o = low(clash)
          const m = requested[o]
          requested[o] = 0
          heads ^= m ^ shareOf(m, o, rb)
        }
      }
      va ^= heads
      // The winners accept one VC each; both pointers advance.
      for (; heads !== 0; heads &= heads - 1) {
        const i = low(heads)
        const iv = rb + i
        const o = rqPort[iv]
        const x = turn(may[i], startAt(aptr[iv], o))
        const ol = (o << LV) + x
        gptr[rb + ol] = nextSlot[i]
        aptr[iv] = nextSlot[ol]
        own[rb + ol] = i + 1
        out[iv] = ol + 1
        if (!SINGLE) rem[iv] = LEN > 0 ? LEN : lengthOf(cur[iv])
        freeVc[rp + o] &= ~(1 << x)
        if (cred[rb + ol] > 0) bidding |= heads & -heads
        else stalls(iv, t + 1)
      }
      vaM[r] = va
    }

    // Stage 2: switch allocation. A single bid wins without arbitration.
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
            const o = (out[rb + i] - 1) >> LV
            clash |= seen & (1 << o)
            seen |= 1 << o
            won |= el & -el
            el &= el - 1
            continue
          }
          // Several VCs of this input bid: the next VC in round-robin order for each output that they request.
          el &= ~(VALL << vb)
          const k = rr[rp + (i >> LV)]
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
            const b = 1 << ((out[rb + i2] - 1) >> LV)
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

      // Stage 3: switch traversal of the winners.
      for (; won !== 0; won &= won - 1) {
        const b = won & -won
        const i = 31 - Math.clz32(b)
        const iv = rb + i
        const ol = out[iv] - 1
        const ov = rb + ol
        const o = ol >> LV
        const p = i >> LV
        const v = i & VMASK
        rr[rp + p] = nextVc[v]
        sg[rp + o] = nextPort[p]
        sa[rp + p] = nextPort[o]
        const c = cnt[iv] - 1
        const packet = cur[iv]
        const left = SINGLE ? 0 : rem[iv] - 1
        const creditsLeft = cred[ov] - 1
        cnt[iv] = c
        cred[ov] = creditsLeft
        returnCredit(iv, t)
        const first = SINGLE || left === lengthOf(packet) - 1 ? packet : -1
        if (left !== 0) {
          rem[iv] = left
          if (c === 0 || creditsLeft === 0) bidding ^= b
          send(ov, first, packet, false, t)
          continue
        }
        // The tail has left: the output VC becomes free, and the next packet of this input VC becomes the head.
        bidding ^= b
        out[iv] = 0
        own[ov] = 0
        freeVc[rp + o] |= 1 << (ol & VMASK)
        unpark(rp + o, rb)
        if (c > 0) {
          const q = qh[iv] - 1
          qh[iv] = pNext[q]
          cur[iv] = q
          head(iv, t)
        }
        send(ov, first, packet, true, t)
      }
    }
    saM[r] = bidding
    return ((bidding | vaM[r] | soon[WORDS - here + r]) !== 0 ? 1 : 0) | (soon[here + r] !== 0 ? 2 : 0)
  }
}
