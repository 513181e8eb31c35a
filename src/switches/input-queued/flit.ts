// The input-queued virtual-channel router, flit by flit (README.md beside this file draws the pipeline). Readiness is kept by events, never
// searched: a flit into an empty VC, a credit, a VC grant set a bit; last flit, last credit and tail clear it. Per router and step:
//   route -> allocateVc -> allocateSwitch -> traverse; nothing granted in a step is visible to another stage of that step.
//
// Columns by input VC: cnt flits stored, rem flits left of the front packet, cur its id, qh/qt packets behind it, out = 1 + output VC
// (local to the router, 0 = none), rqPort/rqMask what it asks for. By output VC: own = 1 + input VC that holds it. By port: freeVc mask,
// rr, sg, sa round-robin pointers. By word of 32 VCs: saM may bid for the switch, vaM waits for a VC.

import { i32, u8, u16, upTo } from "../../fabric/columns.ts"
import type { AnyColumns } from "../../fabric/flit.ts"
import type { FlitSwitch, RoutingUse, SwitchSite, Wires } from "../../fabric/switch.ts"
import { type AllocatorChoice, type ArbiterName, makeAllocator } from "../parts/allocator.ts"
import { auditCredits } from "./audit.ts"
import { digestState } from "./digest.ts"
import { holderOf, waitsOf } from "./waits.ts"

export interface IqOptions {
  /** stage delays in core steps; route 0 = look-ahead */
  readonly routeDelay: number
  readonly vcDelay: number
  readonly speculative: boolean
  readonly hold: boolean
  readonly cutThrough: boolean
  readonly tailWait: boolean
  readonly busyWhenFull: boolean
  readonly inputSpeedup: number
  readonly outputSpeedup: number
  readonly priority: "none" | "class" | "age"
  readonly vcAllocator: AllocatorChoice
  readonly swAllocator: AllocatorChoice
  readonly arbiter: ArbiterName
  /** flits of each output's buffer, where a flit stays for a round trip of its link; 0 = no such buffer */
  readonly retention: number
}

export type IqSpec = SwitchSite & RoutingUse & IqOptions

export function makeInputQueued(spec: IqSpec, wires: Wires): FlitSwitch {
  const { layout, buffers, rules, routing, net, out: found, constants } = spec
  const { W, RS, PS, LV, routers: R, radix: P, vcs: V, outerRouter, firstRouter, parts } = layout
  const { pNext, pLen, pHops, pStream, pBirth, pDst } = spec.fields
  const { credits: cred, capacity } = buffers
  const { take, give } = rules
  const RETAIN = spec.retention
  // room that several VCs share can be gone when a bid comes up
  const SHARED = buffers.shared || RETAIN > 0
  const room = RETAIN > 0 ? retainedRoom : rules.room
  const { send, giveBack } = wires
  const LEN = constants.fixedLength
  const SINGLE = LEN === 1
  const STREAMS = constants.streams
  const ONE = parts === 1
  const VMASK = (1 << LV) - 1
  const VALL = (2 ** (1 << LV) - 1) | 0
  const SPAN = P << LV
  const {
    adaptive: ADAPTIVE,
    routeDelay: RD,
    vcDelay: VD,
    speculative: SPEC,
    hold: HOLD,
    cutThrough: VCT,
    tailWait: TAILWAIT,
    busyWhenFull: BUSY,
    inputSpeedup: IS,
    outputSpeedup: OS,
    candidates: C,
    vcFirst,
    streamPriority,
  } = spec
  const AGE = spec.priority === "age"
  const PRIO = spec.priority !== "none"
  const MATRIX = spec.arbiter === "matrix"
  const VA_GENERAL =
    PRIO ||
    MATRIX ||
    (spec.vcAllocator.name !== "islip" &&
      spec.vcAllocator.name !== "separable-output-first" &&
      spec.vcAllocator.name !== "separable-input-first") ||
    spec.vcAllocator.iterations > 1
  const VA_INPUT_FIRST = spec.vcAllocator.name === "separable-input-first"
  const SA_GENERAL =
    PRIO ||
    MATRIX ||
    SPEC ||
    HOLD ||
    IS > 1 ||
    OS > 1 ||
    (spec.swAllocator.name !== "islip" &&
      spec.swAllocator.name !== "separable-output-first" &&
      spec.swAllocator.name !== "separable-input-first") ||
    spec.swAllocator.iterations > 1
  const SA_INPUT_FIRST = spec.swAllocator.name === "separable-input-first"
  // bubble flow control: the routing says how many packets (of the longest kind) a head must find room for before it takes a VC, so that one that waits
  // does not bar those it must let pass
  const ROOM = VCT && routing.room !== undefined
  const PARK = C === 1 && !BUSY && !ROOM
  // a routing that reads no queues can be asked as soon as a head comes to the front; bits then say in which step it may ask for a VC
  const AT_ONCE = !ADAPTIVE && RD <= 1
  const hasInject = routing.inject !== undefined
  const next = C === 1 && !hasInject ? routing.oblivious : undefined
  const classMask = 2 ** spec.vcsPerClass - 1
  const SLOTS = R * RS
  const PORTS = R * PS
  // lists of heads that come to the front, by the step in which they are routed
  const LISTS = 2 ** Math.ceil(Math.log2(Math.max(2, RD + 1, VD + 1)))
  const LIST_ROOM = 2 * IS * PS

  const cnt = upTo(maxOf(capacity), SLOTS)
  const rem = upTo(constants.maxLength, SLOTS)
  const cur = i32(SLOTS)
  const qh = i32(SLOTS)
  const qt = i32(SLOTS)
  const out = upTo(RS, SLOTS)
  const own = upTo(RS, SLOTS)
  const rqPort = upTo(P, SLOTS * C)
  const rqMask = upTo(2 ** V - 1, SLOTS * C)
  const rqCount = u8(C > 1 ? SLOTS : 1)
  const gptr = upTo(RS, SLOTS)
  const aptr = upTo(RS, SLOTS)
  const freeVc = upTo(2 ** V - 1, PORTS).fill(V >= 32 ? -1 : 2 ** V - 1)
  const rr = u8(PORTS * IS)
  const sg = upTo(P, PORTS)
  const sa = upTo(P, PORTS)
  const saM = i32(R * W)
  const vaM = i32(R * W)
  const vaSoon = i32(AT_ONCE ? R * W : 1)
  const vaLater = i32(AT_ONCE ? R * W : 1)
  const act = i32((R + 31) >> 5)
  const kept = i32(RETAIN > 0 ? PORTS : 1).fill(RETAIN)
  const parkHead = upTo(RS, PARK ? PORTS : 1)
  const parkNext = upTo(RS, PARK ? SLOTS : 1)
  const holdM = i32(HOLD ? R * W : 1)
  const holdIn = u16(HOLD ? PORTS * IS : 1)
  const holdOut = u16(HOLD ? PORTS * OS : 1)
  const front = i32(LISTS * LIST_ROOM * R)
  const frontCount = i32(parts * LISTS)
  const granted = i32(VD > 1 ? LISTS * LIST_ROOM * R : 1)
  const grantedCount = i32(parts * LISTS)
  const vaGeneral = makeAllocator(spec.vcAllocator, VA_GENERAL ? R : 1, SPAN, SPAN, constants.seed ^ 1, spec.arbiter)
  const saGeneral = makeAllocator(spec.swAllocator, SA_GENERAL ? R : 1, P * IS, P * OS, constants.seed ^ 2, spec.arbiter)
  // scratch of one visit: empty between visits
  const lP = new Int32Array(SPAN + 1)
  const lV = new Int32Array(SPAN + 1)
  const lO = new Int32Array(SPAN + 1)
  const lN = new Int32Array(SPAN + 1)
  const lM = new Int32Array(SPAN + 1)
  const first = new Int32Array(SPAN + 1)
  const touched = new Int32Array(SPAN + 1)
  const gFirst = new Int32Array(P)
  const gNext = new Int32Array(SPAN + 1)
  const gList = new Int32Array(SPAN + 1)
  const newVa = new Int32Array(W)
  const specM = new Int32Array(W)
  const label = new Int32Array(P * IS * P * OS).fill(-1)
  const labelPri = new Int32Array(P * IS * P * OS)

  let me = 0
  let upcoming = 0
  let listBase = 0
  let listRoom = R * LIST_ROOM

  function maxOf(a: ArrayLike<number>): number {
    let m = 0
    for (let i = 0; i < a.length; i++) if (a[i]! > m) m = a[i]!
    return m
  }
  const baseOf = (id: number): number => (W === 1 ? id & ~31 : id - (id % RS))
  const routerAt = (id: number): number => (W === 1 ? id >> 5 : Math.floor(id / RS))

  function wake(r: number): void {
    act[r >> 5]! |= 1 << (r & 31)
  }
  function bid(iv: number): void {
    saM[iv >> 5]! |= 1 << (iv & 31)
    wake(routerAt(iv))
  }
  function lengthOf(p: number): number {
    return LEN > 0 ? LEN : pLen[p]!
  }
  /** room that the front flit of iv needs downstream: a head under cut-through needs its whole packet's */
  function needOf(iv: number): number {
    if (!VCT) return 1
    const n = lengthOf(cur[iv]!)
    return rem[iv] === n ? n : 1
  }
  /** room that a head asks for at this port before it takes a VC there */
  function needAt(iv: number, port: number): number {
    if (!ROOM) return 1
    const r = routerAt(iv)
    return constants.maxLength * routing.room!(ONE ? r : outerRouter[r]!, (iv - r * RS) >> LV, port - r * PS)
  }

  // ---- what the world tells

  function arrive(iv: number, packet: number, t: number): void {
    const c = cnt[iv]!
    cnt[iv] = c + 1
    if (c === 0) {
      const o = out[iv]!
      if (o === 0) {
        cur[iv] = packet
        if (AT_ONCE) {
          routeHead(iv, t)
          if (RD === 0) ask(iv)
          else soon(iv)
        } else toFront(iv, upcoming)
      } else if (room(baseOf(iv) + o - 1) >= needOf(iv)) bid(iv)
    } else if (packet >= 0) {
      pNext[packet] = 0
      if (qh[iv] === 0) qh[iv] = packet + 1
      else pNext[qt[iv]!] = packet + 1
      qt[iv] = packet
    }
  }

  function credit(ov: number): void {
    if (!SHARED && !VCT && !TAILWAIT) {
      // only the first credit after none can wake anybody
      const c = cred[ov]!
      cred[ov] = c + 1
      if (c === 0) rebid(ov)
      return
    }
    give(ov)
    if (SHARED) {
      const base = (ov >> LV) << LV
      for (let v = 0; v < V; v++) rebid(base + v)
    } else rebid(ov)
    if (TAILWAIT && own[ov] === 0 && cred[ov] === capacity[ov]) {
      freeVc[ov >> LV]! |= 1 << (ov & VMASK)
      if (PARK) unpark(ov >> LV, baseOf(ov))
      wake(routerAt(ov))
    }
  }
  /** A place of the output buffer is free again. */
  function release(port: number): void {
    kept[port]!++
    for (let v = 0; v < V; v++) rebid((port << LV) + v)
  }
  function retainedRoom(ov: number): number {
    const free = kept[ov >> LV]!
    const open = rules.room(ov)
    return free < open ? free : open
  }
  function rebid(ov: number): void {
    const o = own[ov]!
    if (o === 0) return
    const iv = baseOf(ov) + o - 1
    if (cnt[iv]! > 0 && room(ov) >= needOf(iv)) bid(iv)
  }

  function toFront(iv: number, s: number): void {
    const slot = (RD > 1 ? s + RD - 1 : s) & (LISTS - 1)
    const list = ONE ? slot : me * LISTS + slot
    const n = frontCount[list]!
    front[(ONE ? 0 : listBase) + slot * (ONE ? R * LIST_ROOM : listRoom) + n] = iv
    frontCount[list] = n + 1
  }

  // ---- stage: route

  function routeHead(iv: number, t: number): void {
    const r = routerAt(iv)
    const p = cur[iv]!
    const at = ONE ? r : outerRouter[r]!
    if (next !== undefined) {
      rqPort[iv] = next.port(at, pDst[p]!)
      rqMask[iv] = STREAMS > 1 ? classMask << vcFirst[pStream[p]!]! : classMask
      return
    }
    const local = iv - r * RS
    net.decide(t)
    if (hasInject && pHops[p] === 0) routing.inject!(p, at, net)
    found.n = 0
    const shift = STREAMS > 1 ? vcFirst[pStream[p]!]! : 0
    routing.route(p, at, local >> LV, (local & VMASK) - shift, net, found)
    if (C === 1) {
      rqPort[iv] = found.port[0]!
      rqMask[iv] = found.vcMask[0]! << shift
      return
    }
    const n = found.n
    rqCount[iv] = n
    for (let k = 0; k < n; k++) {
      let j = k
      const cost = found.cost[k]!
      const port = found.port[k]!
      const mask = found.vcMask[k]! << shift
      for (; j > 0 && found.cost[j - 1]! > cost; j--) {
        found.cost[j] = found.cost[j - 1]!
        rqPort[iv * C + j] = rqPort[iv * C + j - 1]!
        rqMask[iv * C + j] = rqMask[iv * C + j - 1]!
      }
      found.cost[j] = cost
      rqPort[iv * C + j] = port
      rqMask[iv * C + j] = mask
    }
  }

  function ask(iv: number): void {
    vaM[iv >> 5]! |= 1 << (iv & 31)
    wake(routerAt(iv))
  }

  /** asks from the next step on */
  function soon(iv: number): void {
    vaSoon[iv >> 5]! |= 1 << (iv & 31)
    wake(routerAt(iv))
  }

  // ---- stage: VC allocation

  function unpark(port: number, rb: number): void {
    let e = parkHead[port]!
    if (e === 0) return
    parkHead[port] = 0
    while (e !== 0) {
      const iv = rb + e - 1
      vaM[iv >> 5]! |= 1 << (iv & 31)
      e = parkNext[iv]!
    }
  }

  /** free VCs of the mask at this port; with busy-when-full only those that have a credit */
  function freeOf(iv: number, port: number, mask: number): number {
    let f = freeVc[port]! & mask
    if (BUSY || ROOM) {
      const need = needAt(iv, port)
      for (let m = f; m !== 0; m &= m - 1) {
        const v = 31 - Math.clz32(m & -m)
        if (room((port << LV) + v) < need) f &= ~(1 << v)
      }
    }
    return f
  }

  function grantVc(iv: number, port: number, v: number, rb: number): void {
    const ov = (port << LV) + v
    const w = iv >> 5
    const b = 1 << (iv & 31)
    own[ov] = iv - rb + 1
    out[iv] = ov - rb + 1
    if (!SINGLE) rem[iv] = LEN > 0 ? LEN : lengthOf(cur[iv]!)
    freeVc[port]! &= ~(1 << v)
    vaM[w]! &= ~b
    if (VD > 1) {
      const slot = (upcoming + VD - 1) & (LISTS - 1)
      granted[listBase + slot * listRoom + grantedCount[me * LISTS + slot]!++] = iv
      return
    }
    newVa[W === 1 ? 0 : w - ((rb / RS) | 0) * W]! |= b
    if (room(ov) >= needOf(iv)) saM[w]! |= b
  }

  /** first set bit of m at or after k, cyclically */
  function turn(m: number, k: number): number {
    let x = (m >>> k) << k
    if (x === 0) x = m
    return 31 - Math.clz32(x & -x)
  }
  /** where a round robin over this port's VCs starts, given a pointer over all output VCs of the router */
  function startAt(pointer: number, local: number): number {
    return pointer >> LV === local ? pointer & VMASK : 0
  }

  function allocateVc(r: number): void {
    const rb = r * RS
    const rp = r * PS
    let n = 0
    let outs = 0
    for (let w = 0; w < W; w++) {
      let m = vaM[r * W + w]!
      const base = (r * W + w) << 5
      while (m !== 0) {
        const bit = m & -m
        const iv = base + 31 - Math.clz32(bit)
        m ^= bit
        let o = 0
        let f = 0
        if (C === 1) {
          o = rqPort[iv]!
          f = freeOf(iv, rp + o, rqMask[iv]!)
        } else {
          for (let k = 0; k < rqCount[iv]! && f === 0; k++) {
            o = rqPort[iv * C + k]!
            f = freeOf(iv, rp + o, rqMask[iv * C + k]!)
          }
        }
        if (f === 0) {
          if (PARK) {
            vaM[r * W + w]! &= ~bit
            parkNext[iv] = parkHead[rp + o]!
            parkHead[rp + o] = iv - rb + 1
          }
          continue
        }
        if (VA_INPUT_FIRST) {
          const x = turn(f, startAt(aptr[iv]!, o))
          o = (o << LV) + x
        }
        lP[n] = iv
        lM[n] = f
        const e = first[o]!
        lN[n] = e
        first[o] = ++n
        if (e === 0) touched[outs++] = o
      }
    }
    for (let j = 0; j < outs; j++) {
      const o = touched[j]!
      const e = first[o]!
      first[o] = 0
      if (VA_INPUT_FIRST) pickInput(e, o, rb)
      else if (lN[e - 1] === 0) {
        const iv = lP[e - 1]!
        const x = turn(lM[e - 1]!, startAt(aptr[iv]!, o))
        movePointers(iv, (o << LV) + x, rb)
        grantVc(iv, rp + o, x, rb)
      } else matchPort(e, o, rb, rp)
    }
  }

  function movePointers(iv: number, ol: number, rb: number): void {
    const il = iv - rb
    gptr[rb + ol] = il + 1 >= SPAN ? 0 : il + 1
    aptr[iv] = ol + 1 >= SPAN ? 0 : ol + 1
  }

  /** separable, input first: one output VC, one of the inputs that chose it */
  function pickInput(e: number, ol: number, rb: number): void {
    let best = lP[e - 1]!
    if (lN[e - 1] !== 0) {
      const g = gptr[rb + ol]!
      let least = 1 << 30
      for (; e !== 0; e = lN[e - 1]!) {
        let d = lP[e - 1]! - rb - g
        if (d < 0) d += SPAN
        if (d < least) {
          least = d
          best = lP[e - 1]!
        }
      }
    }
    movePointers(best, ol, rb)
    grantVc(best, (rb >> LV) + (ol >> LV), ol & VMASK, rb)
  }

  /** iSLIP with one iteration over the VCs of one port: every free VC grants one requester, every requester accepts one VC */
  function matchPort(e0: number, o: number, rb: number, rp: number): void {
    let any = 0
    for (let e = e0; e !== 0; e = lN[e - 1]!) {
      lV[e - 1] = 0
      any |= lM[e - 1]!
    }
    while (any !== 0) {
      const xb = any & -any
      any ^= xb
      const g = gptr[rb + (o << LV) + 31 - Math.clz32(xb)]!
      let best = -1
      let least = 1 << 30
      for (let e = e0; e !== 0; e = lN[e - 1]!) {
        if ((lM[e - 1]! & xb) === 0) continue
        let d = lP[e - 1]! - rb - g
        if (d < 0) d += SPAN
        if (d < least) {
          least = d
          best = e - 1
        }
      }
      lV[best]! |= xb
    }
    for (let e = e0; e !== 0; e = lN[e - 1]!) {
      const got = lV[e - 1]!
      if (got === 0) continue
      const iv = lP[e - 1]!
      const x = turn(got, startAt(aptr[iv]!, o))
      movePointers(iv, (o << LV) + x, rb)
      grantVc(iv, rp + o, x, rb)
    }
  }

  function allocateVcGeneral(r: number, s: number): void {
    const rb = r * RS
    const rp = r * PS
    vaGeneral.clear()
    for (let w = 0; w < W; w++) {
      const base = (r * W + w) << 5
      for (let m = vaM[r * W + w]!; m !== 0; m &= m - 1) {
        const iv = base + 31 - Math.clz32(m & -m)
        for (let k = 0; k < (C === 1 ? 1 : rqCount[iv]!); k++) {
          const o = rqPort[iv * C + k]!
          for (let f = freeOf(iv, rp + o, rqMask[iv * C + k]!); f !== 0; f &= f - 1)
            vaGeneral.add(iv - rb, (o << LV) + 31 - Math.clz32(f & -f), priorityOf(iv))
        }
      }
    }
    vaGeneral.allocate(r, s, outerRouter[r]!)
    for (let w = 0; w < W; w++) {
      const base = (r * W + w) << 5
      for (let m = vaM[r * W + w]!; m !== 0; m &= m - 1) {
        const iv = base + 31 - Math.clz32(m & -m)
        const ol = vaGeneral.matchOf(iv - rb)
        if (ol >= 0) grantVc(iv, rp + (ol >> LV), ol & VMASK, rb)
      }
    }
  }

  function priorityOf(iv: number): number {
    if (!PRIO) return 0
    const p = cur[iv]!
    return AGE ? 0x7fffffff - pBirth[p]! : streamPriority[STREAMS > 1 ? pStream[p]! : 0]!
  }

  // ---- stage: switch allocation

  function allocateSwitch(t: number, r: number): void {
    const rb = r * RS
    const rp = r * PS
    let n = 0
    let outs = 0
    let clash = 0
    for (let w = 0; w < W; w++) {
      const wi = r * W + w
      let el = saM[wi]! & ~newVa[w]!
      const wb = wi << 5
      while (el !== 0) {
        const i = 31 - Math.clz32(el & -el)
        const vb = i & ~VMASK
        const vm = (el >>> vb) & VALL
        const p = ((w << 5) | i) >> LV
        if ((vm & (vm - 1)) === 0) {
          el &= el - 1
          if (SHARED && !stillRoom(wb + i, rb)) continue
          const o = (out[wb + i]! - 1) >> LV
          const e = first[o]!
          lP[n] = p
          lV[n] = i & VMASK
          lO[n] = o
          lN[n] = e
          first[o] = ++n
          if (e === 0) touched[outs++] = o
          else clash = 1
          continue
        }
        el &= ~(VALL << vb)
        const k = rr[rp + p]!
        let m = (vm >>> k) << k
        let m2 = vm ^ m
        if (m === 0) {
          m = m2
          m2 = 0
        }
        let mine = 0
        for (;;) {
          const v = 31 - Math.clz32(m & -m)
          m &= m - 1
          if (!SHARED || stillRoom(wb + vb + v, rb)) {
            const o = (out[wb + vb + v]! - 1) >> LV
            const e = first[o]!
            if (e === 0 || lP[e - 1] !== p) {
              lP[n] = p
              lV[n] = v
              lO[n] = o
              lN[n] = e
              first[o] = ++n
              if (e === 0) touched[outs++] = o
              else clash = 1
              if (mine++ !== 0) clash = 1
            }
          }
          if (m === 0) {
            if (m2 === 0) break
            m = m2
            m2 = 0
          }
        }
      }
    }
    if (n === 0) return
    if (clash === 0) {
      for (let j = 0; j < n; j++) {
        first[lO[j]!] = 0
        win(t, rb, rp, lP[j]!, lV[j]!, lO[j]!)
      }
    } else if (SA_INPUT_FIRST) matchInputFirst(t, rb, rp, n, outs)
    else matchOutputFirst(t, rb, rp, outs)
  }

  /** with shared room a bid can go stale: others took the room; the next credit renews it */
  function stillRoom(iv: number, rb: number): boolean {
    if (room(rb + out[iv]! - 1) >= needOf(iv)) return true
    saM[iv >> 5]! &= ~(1 << (iv & 31))
    return false
  }

  function matchOutputFirst(t: number, rb: number, rp: number, outs: number): void {
    let ins = 0
    for (let j = 0; j < outs; j++) {
      const o = touched[j]!
      const g = sg[rp + o]!
      let best = -1
      let least = 1 << 30
      for (let e = first[o]!; e !== 0; e = lN[e - 1]!) {
        let d = lP[e - 1]! - g
        if (d < 0) d += P
        if (d < least) {
          least = d
          best = e - 1
        }
      }
      first[o] = 0
      const p = lP[best]!
      const e = gFirst[p]!
      gNext[best] = e
      gFirst[p] = best + 1
      if (e === 0) gList[ins++] = p
    }
    for (let j = 0; j < ins; j++) {
      const p = gList[j]!
      const best = nearestOutput(gFirst[p]!, sa[rp + p]!)
      gFirst[p] = 0
      win(t, rb, rp, p, lV[best]!, lO[best]!)
    }
  }

  /** entry of the chain (linked by gNext) whose output comes first at or after pointer a */
  function nearestOutput(e: number, a: number): number {
    let best = -1
    let least = 1 << 30
    for (; e !== 0; e = gNext[e - 1]!) {
      let d = lO[e - 1]! - a
      if (d < 0) d += P
      if (d < least) {
        least = d
        best = e - 1
      }
    }
    return best
  }

  function matchInputFirst(t: number, rb: number, rp: number, n: number, outs: number): void {
    let ins = 0
    for (let j = 0; j < outs; j++) first[touched[j]!] = 0
    for (let j = 0; j < n; j++) {
      const p = lP[j]!
      const e = gFirst[p]!
      gNext[j] = e
      gFirst[p] = j + 1
      if (e === 0) gList[ins++] = p
    }
    let chosen = 0
    for (let j = 0; j < ins; j++) {
      const p = gList[j]!
      const q = nearestOutput(gFirst[p]!, sa[rp + p]!)
      gFirst[p] = 0
      const o = lO[q]!
      const e = first[o]!
      lN[q] = e
      first[o] = q + 1
      if (e === 0) touched[chosen++] = o
    }
    for (let j = 0; j < chosen; j++) {
      const o = touched[j]!
      const g = sg[rp + o]!
      let best = -1
      let least = 1 << 30
      for (let e = first[o]!; e !== 0; e = lN[e - 1]!) {
        let d = lP[e - 1]! - g
        if (d < 0) d += P
        if (d < least) {
          least = d
          best = e - 1
        }
      }
      first[o] = 0
      win(t, rb, rp, lP[best]!, lV[best]!, o)
    }
  }

  function win(t: number, rb: number, rp: number, p: number, v: number, o: number): void {
    rr[rp + p] = v + 1 >= V ? 0 : v + 1
    sg[rp + o] = p + 1 >= P ? 0 : p + 1
    sa[rp + p] = o + 1 >= P ? 0 : o + 1
    traverse(t, ((rp + p) << LV) + v, rb)
  }

  // ---- the general form: speculation, packet hold, crossbar speed-up, priorities, other allocators

  /** VCs that wait for an output VC and may bet on getting one: some VC of their range is free and has a credit */
  function speculate(r: number): void {
    const rp = r * PS
    for (let w = 0; w < W; w++) {
      let bets = 0
      const base = (r * W + w) << 5
      for (let m = vaM[r * W + w]!; m !== 0; m &= m - 1) {
        const iv = base + 31 - Math.clz32(m & -m)
        const port = rp + rqPort[iv * C]!
        for (let f = freeVc[port]! & rqMask[iv * C]!; f !== 0; f &= f - 1) {
          if (room((port << LV) + 31 - Math.clz32(f & -f)) > 0) {
            bets |= m & -m
            break
          }
        }
      }
      specM[w] = bets
    }
  }

  function request(p: number, v: number, o: number, priority: number, rp: number): void {
    const xi = p * IS + (v % IS)
    const xo = o * OS + (p % OS)
    if (HOLD && (holdIn[rp * IS + xi] !== 0 || holdOut[rp * OS + xo] !== 0)) return
    const at = xi * P * OS + xo
    const old = label[at]!
    const from = rr[rp * IS + xi]!
    if (old < 0 || priority > labelPri[at]! || (priority === labelPri[at]! && (v - from + V) % V < (old - from + V) % V)) {
      if (old < 0) touched[outsGeneral++] = at
      label[at] = v
      labelPri[at] = priority
    }
  }
  let outsGeneral = 0

  function allocateSwitchGeneral(t: number, r: number, s: number): void {
    const rb = r * RS
    const rp = r * PS
    outsGeneral = 0
    let held = 0
    if (HOLD) held = heldWords(r)
    for (let w = 0; w < W; w++) {
      const base = (r * W + w) << 5
      const holding = HOLD ? holdM[r * W + w]! : 0
      const steady = saM[r * W + w]! & ~newVa[w]! & ~holding
      for (let m = steady | (SPEC ? specM[w]! : 0); m !== 0; m &= m - 1) {
        const iv = base + 31 - Math.clz32(m & -m)
        const betting = (steady & (m & -m)) === 0
        if (!betting && SHARED && !stillRoom(iv, rb)) continue
        const o = betting ? rqPort[iv * C]! : (out[iv]! - 1) >> LV
        request((iv - rb) >> LV, iv & VMASK, o, betting ? priorityOf(iv) - 0x40000000 : priorityOf(iv), rp)
      }
    }
    saGeneral.clear()
    for (let j = 0; j < outsGeneral; j++) {
      const at = touched[j]!
      saGeneral.add(Math.floor(at / (P * OS)), at % (P * OS), labelPri[at]!)
    }
    saGeneral.allocate(r, s, outerRouter[r]!)
    const holds = held !== 0
    let winners = 0
    for (let j = 0; j < outsGeneral; j++) {
      const at = touched[j]!
      const xi = Math.floor(at / (P * OS))
      if (saGeneral.matchOf(xi) === at % (P * OS)) {
        const v = label[at]!
        lP[winners] = ((rp + Math.floor(xi / IS)) << LV) + v
        lO[winners++] = at % (P * OS)
        rr[rp * IS + xi] = (v + IS) % V
      }
      label[at] = -1
    }
    if (holds) continueHeld(t, r, rb, rp)
    for (let j = 0; j < winners; j++) {
      const iv = lP[j]!
      const xo = lO[j]!
      const o = out[iv]!
      // a bet is lost if no VC was granted in this step, or one at another port, or one without a credit
      if (o === 0 || (o - 1) >> LV !== Math.floor(xo / OS) || room(rb + o - 1) < needOf(iv)) continue
      const p = (iv - rb) >> LV
      const xi = p * IS + ((iv & VMASK) % IS)
      const more = traverse(t, iv, rb)
      if (HOLD && more && cnt[iv]! > 0) {
        holdM[iv >> 5]! |= 1 << (iv & 31)
        holdIn[rp * IS + xi] = xo + 1
        holdOut[rp * OS + xo] = xi + 1
      }
    }
  }

  function heldWords(r: number): number {
    let any = 0
    for (let w = 0; w < W; w++) any |= holdM[r * W + w]!
    return any
  }

  /** connections that are held send their next flit; they end with the packet, with the flits at hand, or without a credit */
  function continueHeld(t: number, r: number, rb: number, rp: number): void {
    for (let w = 0; w < W; w++) {
      const base = (r * W + w) << 5
      for (let m = holdM[r * W + w]!; m !== 0; m &= m - 1) {
        const iv = base + 31 - Math.clz32(m & -m)
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

  // ---- stage: traverse

  /** The front flit of iv crosses. True if its packet goes on behind it. */
  function traverse(t: number, iv: number, rb: number): boolean {
    const ov = rb + out[iv]! - 1
    const c = cnt[iv]! - 1
    const left = SINGLE ? 0 : rem[iv]! - 1
    const p = cur[iv]!
    const w = iv >> 5
    const b = 1 << (iv & 31)
    cnt[iv] = c
    take(ov)
    if (RETAIN > 0) kept[ov >> LV]!--
    giveBack(iv, t)
    const isHead = SINGLE || left === lengthOf(p) - 1
    if (isHead) pHops[p]!++
    if (left !== 0) {
      rem[iv] = left
      send(ov, isHead ? p : -1, p, false, t)
      if (c === 0 || room(ov) === 0) saM[w]! &= ~b
      return true
    }
    out[iv] = 0
    own[ov] = 0
    if (!TAILWAIT) {
      freeVc[ov >> LV]! |= 1 << (ov & VMASK)
      if (PARK) unpark(ov >> LV, rb)
    }
    saM[w]! &= ~b
    if (c > 0) {
      const q = qh[iv]! - 1
      qh[iv] = pNext[q]!
      cur[iv] = q
      if (AT_ONCE) {
        routeHead(iv, t)
        if (RD === 0) vaSoon[w]! |= b
        else vaLater[w]! |= b
      } else toFront(iv, upcoming)
    }
    send(ov, isHead ? p : -1, p, true, t)
    return false
  }

  // ---- one core step

  function step(t: number, s: number): void {
    upcoming = s + 1
    const list = (ONE ? 0 : me * LISTS) + (s & (LISTS - 1))
    const at = ONE ? list * R * LIST_ROOM : listBase + (s & (LISTS - 1)) * listRoom
    const heads = frontCount[list]!
    if (ADAPTIVE || RD === 0) for (let i = 0; i < heads; i++) routeHead(front[at + i]!, t)
    if (RD === 0) {
      for (let i = 0; i < heads; i++) ask(front[at + i]!)
      frontCount[list] = 0
    }
    if (VD > 1) {
      const g = grantedCount[list]!
      for (let i = 0; i < g; i++) {
        const iv = granted[at + i]!
        if (cnt[iv]! > 0 && room(baseOf(iv) + out[iv]! - 1) >= needOf(iv)) bid(iv)
      }
      grantedCount[list] = 0
    }
    const end = ONE ? (R + 31) >> 5 : firstRouter[me + 1]! >> 5
    for (let w = ONE ? 0 : firstRouter[me]! >> 5; w < end; w++) {
      let m = act[w]!
      while (m !== 0) {
        const b = m & -m
        m ^= b
        const r = (w << 5) + 31 - Math.clz32(b)
        visit(t, s, r)
        let live = 0
        for (let x = r * W, e = x + W; x < e; x++) {
          if (AT_ONCE) {
            const next = vaSoon[x]!
            const after = vaLater[x]!
            vaM[x]! |= next
            vaSoon[x] = after
            vaLater[x] = 0
            live |= after
          }
          live |= saM[x]! | vaM[x]!
        }
        if (HOLD) live |= heldWords(r)
        if (live === 0) act[w]! &= ~b
      }
    }
    if (RD === 0) return
    for (let i = 0; i < heads; i++) {
      const iv = front[at + i]!
      if (!ADAPTIVE) routeHead(iv, t)
      ask(iv)
    }
    frontCount[list] = 0
  }

  function visit(t: number, s: number, r: number): void {
    if (SPEC) speculate(r)
    let asks = 0
    for (let w = 0; w < W; w++) {
      newVa[w] = 0
      asks |= vaM[r * W + w]!
    }
    if (asks !== 0) {
      if (VA_GENERAL) allocateVcGeneral(r, s)
      else allocateVc(r)
    }
    if (SA_GENERAL) allocateSwitchGeneral(t, r, s)
    else allocateSwitch(t, r)
  }

  const state: AnyColumns = {
    cnt,
    rem,
    cur,
    qh,
    qt,
    out,
    own,
    rqPort,
    rqMask,
    rqCount,
    gptr,
    aptr,
    freeVc,
    rr,
    sg,
    sa,
    saM,
    vaM,
    vaSoon,
    vaLater,
    act,
    kept,
    parkHead,
    parkNext,
    holdM,
    holdIn,
    holdOut,
    front,
    frontCount,
    granted,
    grantedCount,
  }
  for (const [k, c] of Object.entries(vaGeneral.columns)) state[`va.${k}`] = c
  for (const [k, c] of Object.entries(saGeneral.columns)) state[`sa.${k}`] = c

  return {
    enter(part, s) {
      me = part
      upcoming = s
      listBase = firstRouter[part]! * LIST_ROOM * LISTS
      listRoom = (firstRouter[part + 1]! - firstRouter[part]!) * LIST_ROOM
    },
    arrive,
    credit,
    release,
    step,
    columns: state,
    digest: (d, outer) => digestState(spec, state, d, outer),
    waits: () => waitsOf(spec, state),
    holder: (ov) => holderOf(spec, state, ov),
    audit: (t) => auditCredits(spec, state, t),
  }
}
