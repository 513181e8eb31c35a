// Switch traversal of the input-queued router, and its external events: arriving flits, returning credits, and released
// space of output buffers.
import type { FlitSwitchPorts } from "../../fabric/switch.ts"
import type { IqSpec } from "./options.ts"
import type { RouteStage } from "./route.ts"
import type { IqState } from "./state.ts"
import type { VcStage } from "./vc-allocation.ts"

export interface Crossing {
  /** Moves the first flit of iv across the switch. Returns true if its packet continues behind it. */
  traverse(t: number, iv: number, rb: number): boolean
  arrive(iv: number, packet: number, t: number): void
  credit(ov: number, t: number): void
  /** One flit of the output buffer is released. */
  release(port: number, t: number): void
}

export function makeCrossing(
  spec: IqSpec,
  state: IqState,
  route: RouteStage,
  vcs: VcStage,
  links: FlitSwitchPorts,
): Crossing {
  const { credits: cred, capacity } = spec.buffers
  const { take, give } = spec.rules
  const { pNext, pHops } = spec.fields
  const { send, returnCredit } = links
  const { LV, V, C, VD, SINGLE, VCT, SHARED, PARK, RETAIN, VMASK, HELD } = state
  const { cnt, rem, cur, qh, qt, out, own, freeVc, saM, kept, pending, hopOf } = state
  const { creditsOf, baseOf, wake, bid, lengthOf, needOf, finds } = state
  const { head } = route
  const { unpark } = vcs
  const TAILWAIT = spec.tailWait

  function traverse(t: number, iv: number, rb: number): boolean {
    const ov = rb + out[iv] - 1
    const port = ov >> LV
    const c = cnt[iv] - 1
    const left = SINGLE ? 0 : rem[iv] - 1
    const p = cur[iv]
    const w = iv >> 5
    const b = 1 << (iv & 31)
    cnt[iv] = c
    take(ov)
    if (RETAIN > 0) kept[port]--
    returnCredit(iv, t)
    // With several candidates, the output is only known now, so the hop is counted here; otherwise route.ts has counted
    // it.
    const isHead = SINGLE || left === lengthOf(p) - 1
    if (isHead && C > 1) pHops[p] += hopOf[port]
    if (left !== 0) {
      rem[iv] = left
      send(ov, isHead ? p : -1, p, false, t)
      // The VC stops bidding when it runs out of flits or credits. `arrive` and `credit` set the bit again.
      if (c === 0 || creditsOf(ov) === 0) saM[w] &= ~b
      return true
    }
    // The tail has left. The output VC becomes free now, or with `tailWait` when all its credits have returned (see
    // `credit`).
    out[iv] = 0
    own[ov] = 0
    if (!TAILWAIT) {
      freeVc[port] |= 1 << (ov & VMASK)
      if (PARK) unpark(port, rb)
    }
    saM[w] &= ~b
    if (c > 0) {
      const q = qh[iv] - 1
      qh[iv] = pNext[q]
      cur[iv] = q
      head(iv, t)
    }
    send(ov, isHead ? p : -1, p, true, t)
    return false
  }

  /**
   * A flit arrives at input VC iv; `packet` is its packet if it is a head flit, otherwise -1. Only a flit that enters
   * an empty VC can change the readiness of the VC.
   */
  function arrive(iv: number, packet: number, t: number): void {
    const c = cnt[iv]
    cnt[iv] = c + 1
    // In packet mode (HELD) an empty VC may still send the rest of its last packet; a new packet then queues behind it.
    if (HELD > 0 ? c === 0 && out[iv] === 0 : c === 0) {
      const o = out[iv]
      if (o === 0) {
        cur[iv] = packet
        head(iv, t)
      } else if (creditsOf(baseOf(iv) + o - 1) >= needOf(iv)) bid(iv)
    } else if (packet >= 0) {
      pNext[packet] = 0
      if (qh[iv] === 0) qh[iv] = packet + 1
      else pNext[qt[iv]] = packet + 1
      qt[iv] = packet
    }
  }

  /** Output VC ov has more credits: its owner bids for the switch, if it has a flit and now enough credits. */
  function rebid(ov: number, t: number): void {
    const o = own[ov]
    if (o === 0) return
    const iv = baseOf(ov) + o - 1
    // The grant is not effective yet; `grants` (flit.ts) will check the credits.
    if (VD > 1 && ((pending[iv >> 5] >>> (iv & 31)) & 1) !== 0) return
    if ((HELD > 0 ? rem[iv] : cnt[iv]) > 0 && creditsOf(ov) >= needOf(iv)) {
      finds(iv, t)
      bid(iv)
    }
  }

  /** A credit of output VC ov returns. */
  function credit(ov: number, t: number): void {
    if (!SHARED && !VCT && !TAILWAIT) {
      // Only the first credit after none can wake the owner.
      const c = cred[ov]
      cred[ov] = c + 1
      if (c === 0) rebid(ov, t)
      return
    }
    // With shared buffers, one credit can enable any VC of the port.
    give(ov)
    if (SHARED) {
      const base = (ov >> LV) << LV
      for (let v = 0; v < V; v++) rebid(base + v, t)
    } else rebid(ov, t)
    // All credits are back and no packet owns the VC, so it can be assigned again.
    if (TAILWAIT && own[ov] === 0 && cred[ov] === capacity[ov]) {
      freeVc[ov >> LV] |= 1 << (ov & VMASK)
      if (PARK) unpark(ov >> LV, baseOf(ov))
      wake(ov)
    }
  }

  function release(port: number, t: number): void {
    kept[port]++
    for (let v = 0; v < V; v++) rebid((port << LV) + v, t)
  }

  return { traverse, arrive, credit, release }
}
