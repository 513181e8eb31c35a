// VC allocation of the input-queued router. A head flit requests one of the free VCs of its output port. The simple
// form is iSLIP or separable with one iteration; the general form uses any allocator (../parts/allocator.ts). A head
// that finds no free VC is parked at its port until a VC becomes free there, so that waiting heads cost no time.
import { lowest } from "../../core/bitset.ts"
import { scratch } from "../../fabric/columns.ts"
import type { IqSpec } from "./options.ts"
import type { IqState } from "./state.ts"

export interface VcStage {
  allocate(t: number, r: number, s: number): void
  /** A VC of this port has become free: its parked heads request again. rb is the first slot of the router. */
  unpark(port: number, rb: number): void
  /** Returns the credits that the head of iv needs at this port before it takes a VC there. */
  needAt(iv: number, port: number): number
}

export function makeVcAllocation(spec: IqSpec, state: IqState): VcStage {
  const low = lowest
  const { routing, constants } = spec
  const { outerRouter } = spec.layout
  const { W, RS, PS, LV, P, C, VD, LEN, SPAN, ONE, SINGLE, VMASK, BUBBLE, PARK, LISTS, VA_GENERAL } = state
  const { cur, rem, out, own, rqPort, rqMask, rqCount, gptr, aptr, freeVc, saM, vaM, parkHead, parkNext } = state
  const { granted, grantedCount, vaGeneral, clock, pending, newVa, ME, UPCOMING, LIST_BASE, LIST_SIZE } = state
  const { creditsOf, routerAt, lengthOf, needOf, priorityOf, stalls, turn } = state
  const BUSY = spec.busyWhenFull
  const INPUT_FIRST = spec.vcAllocator.name === "separable-input-first"
  // Requests of one visit: input VC, free VCs that it may get, output (input-first: output VC), next request of the
  // same output.
  const lI = scratch(SPAN + 1)
  const lM = scratch(SPAN + 1)
  const lO = scratch(SPAN + 1)
  const lN = scratch(SPAN + 1)
  const got = scratch(SPAN + 1)
  const first = scratch(SPAN + 1)
  const touched = scratch(SPAN + 1)

  function unpark(port: number, rb: number): void {
    let e = parkHead[port]
    if (e === 0) return
    parkHead[port] = 0
    while (e !== 0) {
      const iv = rb + e - 1
      vaM[iv >> 5] |= 1 << (iv & 31)
      e = parkNext[iv]
    }
  }

  function needAt(iv: number, port: number): number {
    if (!BUBBLE) return needOf(iv)
    const r = routerAt(iv)
    return constants.maxLength * routing.room!(ONE ? r : outerRouter[r], (iv - r * RS) >> LV, port - r * PS)
  }

  /** Returns the free VCs of the mask at this port; with busy-when-full or bubbles, only those with enough credits. */
  function freeOf(iv: number, port: number, mask: number): number {
    let f = freeVc[port] & mask
    if (BUSY || BUBBLE) {
      const need = needAt(iv, port)
      for (let m = f; m !== 0; m &= m - 1) {
        const v = low(m)
        if (creditsOf((port << LV) + v) < need) f &= ~(1 << v)
      }
    }
    return f
  }

  /**
   * Assigns VC v of a port to input VC iv. If VC allocation takes several steps, the grant becomes effective later
   * (flit.ts: grants).
   */
  function grantVc(t: number, iv: number, port: number, v: number, rb: number): void {
    const ov = (port << LV) + v
    const w = iv >> 5
    const b = 1 << (iv & 31)
    own[ov] = iv - rb + 1
    out[iv] = ov - rb + 1
    if (!SINGLE) rem[iv] = LEN > 0 ? LEN : lengthOf(cur[iv])
    freeVc[port] &= ~(1 << v)
    vaM[w] &= ~b
    if (VD > 1) {
      pending[w] |= b
      const slot = (clock[UPCOMING] + VD - 1) & (LISTS - 1)
      granted[clock[LIST_BASE] + slot * clock[LIST_SIZE] + grantedCount[clock[ME] * LISTS + slot]++] = iv
      return
    }
    newVa[w] |= b
    if (creditsOf(ov) >= needOf(iv)) saM[w] |= b
    else stalls(iv, t + 1)
  }

  /** Returns the start of a round-robin scan over this port's VCs, for a pointer over all output VCs of the router. */
  function startAt(pointer: number, local: number): number {
    return pointer >> LV === local ? pointer & VMASK : 0
  }
  /** Advances the round-robin pointers of the output VC and of the input VC past their partner. */
  function movePointers(iv: number, ol: number, rb: number): void {
    const il = iv - rb
    gptr[rb + ol] = il + 1 >= SPAN ? 0 : il + 1
    aptr[iv] = ol + 1 >= SPAN ? 0 : ol + 1
  }
  /** Input VC iv accepts one of the offered VCs of port o, round-robin. */
  function accept(t: number, iv: number, o: number, offered: number, rb: number, rp: number): void {
    const x = turn(offered, startAt(aptr[iv], o))
    movePointers(iv, (o << LV) + x, rb)
    grantVc(t, iv, rp + o, x, rb)
  }

  /** Collects the requests of router r, and resolves conflicts only where an output has several requesters. */
  function allocatePlain(t: number, r: number): void {
    const rb = r * RS
    const rp = r * PS
    let n = 0
    let seen = 0
    let clash = 0
    // Step 1: collect the requests. A conflict exists only if two heads request the same port, because a head that is
    // the only requester of a port can take any free VC there.
    for (let w = 0; w < W; w++) {
      let m = vaM[r * W + w]
      const base = (r * W + w) << 5
      while (m !== 0) {
        const bit = m & -m
        const iv = base + 31 - Math.clz32(bit)
        m ^= bit
        let o = 0
        let f = 0
        if (C === 1) {
          o = rqPort[iv]
          f = freeOf(iv, rp + o, rqMask[iv])
        } else {
          for (let k = 0; k < rqCount[iv] && f === 0; k++) {
            o = rqPort[iv * C + k]
            f = freeOf(iv, rp + o, rqMask[iv * C + k])
          }
        }
        // With several candidates, the first port with a free VC is requested, in order of cost.
        if (f === 0) {
          if (PARK) {
            vaM[r * W + w] &= ~bit
            parkNext[iv] = parkHead[rp + o]
            parkHead[rp + o] = iv - rb + 1
          }
          continue
        }
        // Ports above 31 share bits with others. A false conflict is harmless, because the steps below compare real
        // ports.
        clash |= seen & (1 << o)
        seen |= 1 << o
        lI[n] = iv
        lM[n] = f
        lO[n++] = o
      }
    }
    // Step 2: resolve conflicts, by bits for routers with one word, by lists otherwise.
    if (INPUT_FIRST) inputFirst(t, n, rb)
    else if (clash === 0) for (let j = 0; j < n; j++) accept(t, lI[j], lO[j], lM[j], rb, rp)
    else if (W === 1) matchBits(t, n, rb, rp)
    else outputFirst(t, n, rb, rp)
  }

  /** Links the requests by output. Returns the number of outputs. */
  function chain(n: number): number {
    let outs = 0
    for (let j = 0; j < n; j++) {
      const o = lO[j]
      const e = first[o]
      lN[j] = e
      first[o] = j + 1
      if (e === 0) touched[outs++] = o
    }
    return outs
  }

  /** Separable input-first: each head chooses one VC, each VC one of the heads that chose it. */
  function inputFirst(t: number, n: number, rb: number): void {
    for (let j = 0; j < n; j++) lO[j] = (lO[j] << LV) + turn(lM[j], startAt(aptr[lI[j]], lO[j]))
    for (let k = chain(n) - 1; k >= 0; k--) {
      const ol = touched[k]
      const iv = lI[nearest(first[ol], gptr[rb + ol], rb, -1)]
      first[ol] = 0
      movePointers(iv, ol, rb)
      grantVc(t, iv, (rb >> LV) + (ol >> LV), ol & VMASK, rb)
    }
  }

  /**
   * Returns, of a list, the request that may get one of `among` and whose input VC comes first at or after pointer g.
   */
  function nearest(e: number, g: number, rb: number, among: number): number {
    let best = -1
    let least = 1 << 30
    for (; e !== 0; e = lN[e - 1]) {
      if ((lM[e - 1] & among) === 0) continue
      let d = lI[e - 1] - rb - g
      if (d < 0) d += SPAN
      if (d < least) {
        least = d
        best = e - 1
      }
    }
    return best
  }

  // The same for routers with one word, as bits. requested: [output] -> requesting input VCs. all, any: [output] ->
  // free VCs that all of them, or any of them, may get. may: [input VC] -> its free VCs.
  const requested = scratch(P)
  const all = scratch(P)
  const any = scratch(P)
  const may = scratch(32)

  /** Groups the n requests by port, and arbitrates only the ports with several requesters. */
  function matchBits(t: number, n: number, rb: number, rp: number): void {
    for (let j = 0; j < n; j++) {
      const o = lO[j]
      const i = lI[j] & 31
      const f = lM[j]
      may[i] = f
      all[o] = requested[o] === 0 ? f : all[o] & f
      any[o] = requested[o] === 0 ? f : any[o] | f
      requested[o] |= 1 << i
    }
    for (let j = 0; j < n; j++) {
      const o = lO[j]
      const m = requested[o]
      if (m === 0) continue
      requested[o] = 0
      if ((m & (m - 1)) === 0) accept(t, lI[j], o, lM[j], rb, rp)
      else matchPort(t, o, m, rb, rp)
    }
  }

  /**
   * iSLIP with one iteration for port o: each free VC grants one of the requesters m, then each requester accepts one
   * VC.
   */
  function matchPort(t: number, o: number, m: number, rb: number, rp: number): void {
    // A VC that all requesters may get needs no filter.
    const common = all[o]
    let winners = 0
    for (let f = any[o]; f !== 0; f &= f - 1) {
      const x = f & -f
      let who = m
      if ((common & x) === 0) for (let q = m; q !== 0; q &= q - 1) if ((may[low(q)] & x) === 0) who ^= q & -q
      const i = turn(who, gptr[rb + (o << LV) + 31 - Math.clz32(x)])
      if ((winners & (1 << i)) === 0) got[i] = 0
      winners |= 1 << i
      got[i] |= x
    }
    for (; winners !== 0; winners &= winners - 1) {
      const i = low(winners)
      accept(t, rb + i, o, got[i], rb, rp)
    }
  }

  /** iSLIP with one iteration: each free VC of a port grants one requester, then each requester accepts one VC. */
  function outputFirst(t: number, n: number, rb: number, rp: number): void {
    for (let k = chain(n) - 1; k >= 0; k--) {
      const o = touched[k]
      const e0 = first[o]
      first[o] = 0
      if (lN[e0 - 1] === 0) {
        accept(t, lI[e0 - 1], o, lM[e0 - 1], rb, rp)
        continue
      }
      let any = 0
      for (let e = e0; e !== 0; e = lN[e - 1]) {
        got[e - 1] = 0
        any |= lM[e - 1]
      }
      while (any !== 0) {
        const x = any & -any
        any ^= x
        got[nearest(e0, gptr[rb + (o << LV) + 31 - Math.clz32(x)], rb, x)] |= x
      }
      for (let e = e0; e !== 0; e = lN[e - 1]) if (got[e - 1] !== 0) accept(t, lI[e - 1], o, got[e - 1], rb, rp)
    }
  }

  /** VC allocation with any allocator: adds all pairs of request and free VC, with priorities. */
  function allocateGeneral(t: number, r: number, s: number): void {
    const rb = r * RS
    const rp = r * PS
    vaGeneral.clear()
    for (let w = 0; w < W; w++) {
      const base = (r * W + w) << 5
      for (let m = vaM[r * W + w]; m !== 0; m &= m - 1) {
        const iv = base + low(m)
        for (let k = 0; k < (C === 1 ? 1 : rqCount[iv]); k++) {
          const o = rqPort[iv * C + k]
          for (let f = freeOf(iv, rp + o, rqMask[iv * C + k]); f !== 0; f &= f - 1)
            vaGeneral.add(iv - rb, (o << LV) + low(f), priorityOf(iv))
        }
      }
    }
    vaGeneral.allocate(r, s, outerRouter[r])
    for (let w = 0; w < W; w++) {
      const base = (r * W + w) << 5
      for (let m = vaM[r * W + w]; m !== 0; m &= m - 1) {
        const iv = base + low(m)
        const ol = vaGeneral.matchOf(iv - rb)
        if (ol >= 0) grantVc(t, iv, rp + (ol >> LV), ol & VMASK, rb)
      }
    }
  }

  return { allocate: VA_GENERAL ? allocateGeneral : allocatePlain, unpark, needAt }
}
