// Who waits for what inside the input-queued routers, for the diagnosis of a stall. A packet may lie in several buffers; what waits is the front of one.
import { lowest } from "../../core/bitset.ts"
import type { StateWait, StateWaits, VisitQueue } from "../../fabric/switch.ts"
import type { IqSpec, IqState } from "./state.ts"
import type { VcStage } from "./vc-allocation.ts"

/**
 * Every buffer whose front cannot move now, with what it waits for; any one would do. Nothing is said to wait that will go on by itself: with room before it,
 * before its route is known, or whose next flit is still to come (its buffer is empty, so it finds room).
 */
export function waitsOf(spec: IqSpec, state: IqState, { needAt }: Pick<VcStage, "needAt">): StateWaits[] {
  const { layout: l, buffers, rules } = spec
  const { V, C, VMASK, LV, PS } = state
  const { cnt, cur, out, own, rqPort, rqMask, rqCount, freeVc, baseOf, routerAt, needOf } = state
  const { credits, capacity, shared, reserve } = buffers
  const onTheirWay = headsToRoute(spec, state)
  const free: StateWait = { wants: -1, holds: -1, by: -1 }

  /** what the front of the buffer behind ov must do: go on, unless something on the wire changes that buffer first */
  function front(wants: number, holds: number): StateWait {
    const behind = l.down[holds >> LV]! + (holds & VMASK)
    if (capacity[holds]! - credits[holds]! !== cnt[behind]!) return free
    return { wants, holds, by: behind }
  }

  /** who may make room for `need` flits behind ov: the front of that buffer, or of others that have taken of the room they share */
  function room(ov: number, need: number, found: StateWait[]): void {
    if (rules.room(ov) >= need || l.down[ov >> LV]! < 0) {
      found.push(free)
      return
    }
    if (credits[ov] !== capacity[ov]) found.push(front(ov, ov))
    if (!shared || credits[ov]! < need) return
    const base = ov - (ov & VMASK)
    for (let x = base; x < base + V; x++) if (x !== ov && capacity[x]! - credits[x]! > reserve) found.push(front(ov, x))
  }

  /** what a head of iv that wants to have output VC ov waits for */
  function vc(iv: number, ov: number, found: StateWait[]): void {
    const port = ov >> LV
    const owner = own[ov]!
    if (((freeVc[port]! >>> (ov & VMASK)) & 1) === 1) {
      if (spec.busyWhenFull || state.ROOM) room(ov, needAt(iv, port), found)
      else found.push(free)
    } else if (owner > 0) found.push({ wants: ov, holds: ov, by: baseOf(ov) + owner - 1 })
    // nobody has it, but not all its credits are back
    else found.push(l.down[port]! < 0 ? free : front(ov, ov))
  }

  const waits: StateWaits[] = []
  for (let iv = 0; iv < l.NOV; iv++) {
    // without a packet: the one before it leaves as a whole
    if (cnt[iv] === 0 || cur[iv]! < 0 || onTheirWay.has(iv)) continue
    const found: StateWait[] = []
    if (out[iv]! > 0) room(baseOf(iv) + out[iv]! - 1, needOf(iv), found)
    else {
      const first = routerAt(iv) * PS
      const count = C === 1 ? 1 : rqCount[iv]!
      for (let k = iv * C; k < iv * C + count; k++)
        for (let v = 0; v < V; v++) if (((rqMask[k]! >>> v) & 1) === 1) vc(iv, ((first + rqPort[k]!) << LV) + v, found)
    }
    if (!found.includes(free)) waits.push({ at: iv, packet: cur[iv]!, waits: found })
  }
  return waits
}

/** Input VCs whose head is not routed yet. */
function headsToRoute({ layout: l }: IqSpec, state: IqState): ReadonlySet<number> {
  const heads = new Set<number>()
  const { LISTS, HEADS, front, frontCount, AT_ONCE } = state
  if (AT_ONCE) return heads
  for (let part = 0; part < l.parts; part++) {
    const first = l.parts === 1 ? 0 : l.firstRouter[part]!
    const routers = l.parts === 1 ? state.R : l.firstRouter[part + 1]! - first
    for (let slot = 0; slot < LISTS; slot++) {
      const at = (first * LISTS + slot * routers) * HEADS
      for (let i = 0; i < frontCount[part * LISTS + slot]!; i++) heads.add(front[at + i]!)
    }
  }
  return heads
}

/** Flits in the buffers of a router; a packet that crosses in one piece counts as a whole until its head leaves. */
export function storedIn({ layout: { RS }, constants }: IqSpec, { cnt }: IqState, router: number): number {
  let n = 0
  for (let iv = router * RS; iv < (router + 1) * RS; iv++) n += cnt[iv]!
  return n * Math.max(1, constants.held)
}

/** Every buffer that holds something, by the output port that its front packet goes to, and whether that port has room for it behind it. */
export function queuesOf(spec: IqSpec, state: IqState, visit: VisitQueue): void {
  const { layout: l, candidates: C, constants, rules } = spec
  const { cnt, out, cur, rqPort, rqMask } = state
  const roomBehind = (port: number, mask: number): boolean => {
    for (let v = 0; v < l.vcs; v++) if (((mask >>> v) & 1) === 1 && rules.room((port << l.LV) + v) > 0) return true
    return false
  }
  for (let iv = 0; iv < l.NOV; iv++) {
    const n = cnt[iv]!
    if (n === 0) continue
    const o = out[iv]!
    const port = Math.floor(iv / l.RS) * l.PS + (o > 0 ? (o - 1) >> l.LV : rqPort[iv * C]!)
    if (cur[iv]! < 0) continue
    const mask = o > 0 ? 1 << ((o - 1) & ((1 << l.LV) - 1)) : rqMask[iv * C]!
    visit(port, n * Math.max(1, constants.held), cur[iv]!, roomBehind(port, mask), iv, lowest(mask))
  }
}
