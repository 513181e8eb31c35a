// Stage: the crossbar, and what the world tells: flits that arrive, credits that come back.
import type { Wires } from "../../fabric/switch.ts"
import type { RouteStage } from "./route.ts"
import type { IqSpec, IqState } from "./state.ts"
import type { VcStage } from "./vc-allocation.ts"

export interface Crossing {
  /** The front flit of iv crosses. True if its packet goes on behind it. */
  traverse(t: number, iv: number, rb: number): boolean
  arrive(iv: number, packet: number, t: number): void
  credit(ov: number, t: number): void
  /** a place of the output buffer is free again */
  release(port: number, t: number): void
}

export function makeCrossing(spec: IqSpec, state: IqState, route: RouteStage, vcs: VcStage, wires: Wires): Crossing {
  const { credits: cred, capacity } = spec.buffers
  const { take, give } = spec.rules
  const { pNext, pHops } = spec.fields
  const { send, giveBack } = wires
  const { LV, V, C, VD, SINGLE, VCT, SHARED, PARK, RETAIN, VMASK, HELD } = state
  const { cnt, rem, cur, qh, qt, out, own, freeVc, saM, kept, pending, hopOf } = state
  const { room, baseOf, wake, bid, lengthOf, needOf, finds } = state
  const { head } = route
  const { unpark } = vcs
  const TAILWAIT = spec.tailWait

  function traverse(t: number, iv: number, rb: number): boolean {
    const ov = rb + out[iv]! - 1
    const port = ov >> LV
    const c = cnt[iv]! - 1
    const left = SINGLE ? 0 : rem[iv]! - 1
    const p = cur[iv]!
    const w = iv >> 5
    const b = 1 << (iv & 31)
    cnt[iv] = c
    take(ov)
    if (RETAIN > 0) kept[port]!--
    giveBack(iv, t)
    const isHead = SINGLE || left === lengthOf(p) - 1
    if (isHead && C > 1) pHops[p]! += hopOf[port]!
    if (left !== 0) {
      rem[iv] = left
      send(ov, isHead ? p : -1, p, false, t)
      if (c === 0 || room(ov) === 0) saM[w]! &= ~b
      return true
    }
    out[iv] = 0
    own[ov] = 0
    if (!TAILWAIT) {
      freeVc[port]! |= 1 << (ov & VMASK)
      if (PARK) unpark(port, rb)
    }
    saM[w]! &= ~b
    if (c > 0) {
      const q = qh[iv]! - 1
      qh[iv] = pNext[q]!
      cur[iv] = q
      head(iv, t)
    }
    send(ov, isHead ? p : -1, p, true, t)
    return false
  }

  function arrive(iv: number, packet: number, t: number): void {
    const c = cnt[iv]!
    cnt[iv] = c + 1
    if (HELD > 0 ? c === 0 && out[iv] === 0 : c === 0) {
      const o = out[iv]!
      if (o === 0) {
        cur[iv] = packet
        head(iv, t)
      } else if (room(baseOf(iv) + o - 1) >= needOf(iv)) bid(iv)
    } else if (packet >= 0) {
      pNext[packet] = 0
      if (qh[iv] === 0) qh[iv] = packet + 1
      else pNext[qt[iv]!] = packet + 1
      qt[iv] = packet
    }
  }

  function rebid(ov: number, t: number): void {
    const o = own[ov]!
    if (o === 0) return
    const iv = baseOf(ov) + o - 1
    if (VD > 1 && ((pending[iv >> 5]! >>> (iv & 31)) & 1) !== 0) return
    if ((HELD > 0 ? rem[iv]! : cnt[iv]!) > 0 && room(ov) >= needOf(iv)) {
      finds(iv, t)
      bid(iv)
    }
  }

  function credit(ov: number, t: number): void {
    if (!SHARED && !VCT && !TAILWAIT) {
      // only the first credit after none can wake anybody
      const c = cred[ov]!
      cred[ov] = c + 1
      if (c === 0) rebid(ov, t)
      return
    }
    give(ov)
    if (SHARED) {
      const base = (ov >> LV) << LV
      for (let v = 0; v < V; v++) rebid(base + v, t)
    } else rebid(ov, t)
    if (TAILWAIT && own[ov] === 0 && cred[ov] === capacity[ov]) {
      freeVc[ov >> LV]! |= 1 << (ov & VMASK)
      if (PARK) unpark(ov >> LV, baseOf(ov))
      wake(ov)
    }
  }

  function release(port: number, t: number): void {
    kept[port]!++
    for (let v = 0; v < V; v++) rebid((port << LV) + v, t)
  }

  return { traverse, arrive, credit, release }
}
