// The wait-for relation inside input-queued routers, for the deadlock diagnosis, and visits of their queues for probes.
// A packet may occupy several buffers; the unit here is the first packet of one buffer.
import { lowest } from "../../core/bitset.ts"
import type { StateWait, StateWaits, VisitQueue, VisitStored } from "../../fabric/switch.ts"
import type { IqSpec } from "./options.ts"
import type { IqState } from "./state.ts"
import type { VcStage } from "./vc-allocation.ts"

/**
 * Returns all buffers whose first packet cannot move now, with the resources that it waits for; any one of them would
 * do. A packet that will move by itself is left out: it has credits, is not routed yet, or its next flit has not
 * arrived (its buffer is empty, so it has space).
 */
export function waitsOf(spec: IqSpec, state: IqState, { needAt }: Pick<VcStage, "needAt">): StateWaits[] {
  const { layout: l, buffers, rules } = spec
  const { V, C, VMASK, LV, PS } = state
  const { cnt, cur, out, own, rqPort, rqMask, rqCount, freeVc, baseOf, routerAt, needOf } = state
  const { credits, capacity, shared, reserve } = buffers
  const onTheirWay = headsToRoute(spec, state)
  const free: StateWait = { wants: -1, holds: -1, by: -1 }

  /**
   * Returns the wait for the head of the buffer behind output VC `holds`, or `free` if flits or credits in flight will
   * change that buffer first.
   */
  function front(wants: number, holds: number): StateWait {
    const behind = l.down[holds >> LV] + (holds & VMASK)
    if (capacity[holds] - credits[holds] !== cnt[behind]) return free
    return { wants, holds, by: behind }
  }

  /**
   * Adds the waits for `need` credits of ov: the head of that buffer, and the heads of other buffers that occupy the
   * shared space.
   */
  function creditWait(ov: number, need: number, found: StateWait[]): void {
    if (rules.creditsOf(ov) >= need || l.down[ov >> LV] < 0) {
      found.push(free)
      return
    }
    if (credits[ov] !== capacity[ov]) found.push(front(ov, ov))
    // With a shared buffer, VCs that hold more than their reserve may free the space as well.
    if (!shared || credits[ov] < need) return
    const base = ov - (ov & VMASK)
    for (let x = base; x < base + V; x++) if (x !== ov && capacity[x] - credits[x] > reserve) found.push(front(ov, x))
  }

  /** Adds the waits of a head of iv that requests output VC ov. */
  function vc(iv: number, ov: number, found: StateWait[]): void {
    const port = ov >> LV
    const owner = own[ov]
    if (((freeVc[port] >>> (ov & VMASK)) & 1) === 1) {
      if (spec.busyWhenFull || state.BUBBLE) creditWait(ov, needAt(iv, port), found)
      else found.push(free)
    } else if (owner > 0) found.push({ wants: ov, holds: ov, by: baseOf(ov) + owner - 1 })
    // The VC has no owner, but not all its credits have returned (tailWait).
    else found.push(l.down[port] < 0 ? free : front(ov, ov))
  }

  const waits: StateWaits[] = []
  for (let iv = 0; iv < l.NOV; iv++) {
    // Without a head packet: the previous packet is leaving as a whole.
    if (cnt[iv] === 0 || cur[iv] < 0 || onTheirWay.has(iv)) continue
    const found: StateWait[] = []
    if (out[iv] > 0) creditWait(baseOf(iv) + out[iv] - 1, needOf(iv), found)
    else {
      const first = routerAt(iv) * PS
      const count = C === 1 ? 1 : rqCount[iv]
      for (let k = iv * C; k < iv * C + count; k++)
        for (let v = 0; v < V; v++) if (((rqMask[k] >>> v) & 1) === 1) vc(iv, ((first + rqPort[k]) << LV) + v, found)
    }
    if (!found.includes(free)) waits.push({ at: iv, packet: cur[iv], waits: found })
  }
  return waits
}

/** Returns the input VCs whose head is not routed yet. */
function headsToRoute({ layout: l }: IqSpec, state: IqState): ReadonlySet<number> {
  const heads = new Set<number>()
  const { LISTS, HEADS, front, frontCount, AT_ONCE } = state
  if (AT_ONCE) return heads
  for (let part = 0; part < l.parts; part++) {
    const first = l.parts === 1 ? 0 : l.firstRouter[part]
    const routers = l.parts === 1 ? state.R : l.firstRouter[part + 1] - first
    for (let slot = 0; slot < LISTS; slot++) {
      const at = (first * LISTS + slot * routers) * HEADS
      for (let i = 0; i < frontCount[part * LISTS + slot]; i++) heads.add(front[at + i])
    }
  }
  return heads
}

/** Returns the flits in the buffers of a router. A packet that crosses as a whole counts until its head leaves. */
export function storedIn({ layout: { RS }, constants }: IqSpec, { cnt }: IqState, router: number): number {
  let n = 0
  for (let iv = router * RS; iv < (router + 1) * RS; iv++) n += cnt[iv]
  return n * Math.max(1, constants.held)
}

/** Visits all non-empty buffers, with the output port of their first packet and whether there are credits for it. */
export function queuesOf(spec: IqSpec, state: IqState, visit: VisitQueue): void {
  const { layout: l, constants } = spec
  const { cnt, cur } = state
  for (let iv = 0; iv < l.NOV; iv++) {
    const n = cnt[iv]
    if (n === 0 || cur[iv] < 0) continue
    const port = portOf(spec, state, iv)
    const mask = maskOf(spec, state, iv)
    visit(port, n * Math.max(1, constants.held), cur[iv], hasCredits(spec, port, mask), iv, lowest(mask))
  }
}

/** Visits all packets whose head is in a buffer, each queue from its front. */
export function packetsOf(spec: IqSpec, state: IqState, visit: VisitStored): void {
  const { layout: l, fields } = spec
  const { cnt, out, cur, qh, rem, lengthOf, HELD, SINGLE } = state
  for (let iv = 0; iv < l.NOV; iv++) {
    if (cnt[iv] === 0) continue
    const p = cur[iv]
    const blocked = p >= 0 && !hasCredits(spec, portOf(spec, state, iv), maskOf(spec, state, iv))
    let place = 0
    // Before the first packet has its VC, none of its flits has left.
    if (p >= 0 && (HELD > 0 || SINGLE || out[iv] === 0 || rem[iv] === lengthOf(p))) visit(p, iv, place++, blocked)
    for (let q = qh[iv] - 1; q >= 0; q = fields.pNext[q] - 1) visit(q, iv, place++, blocked)
  }
}

/** Returns the output port that the first packet of a buffer has or requests, and the mask of its VCs. */
function portOf({ layout: l, candidates: C }: IqSpec, { out, rqPort }: IqState, iv: number): number {
  const o = out[iv]
  return Math.floor(iv / l.RS) * l.PS + (o > 0 ? (o - 1) >> l.LV : rqPort[iv * C])
}
function maskOf({ layout: l, candidates: C }: IqSpec, { out, rqMask }: IqState, iv: number): number {
  const o = out[iv]
  return o > 0 ? 1 << ((o - 1) & ((1 << l.LV) - 1)) : rqMask[iv * C]
}

function hasCredits({ layout: l, rules }: IqSpec, port: number, mask: number): boolean {
  for (let v = 0; v < l.vcs; v++) if (((mask >>> v) & 1) === 1 && rules.creditsOf((port << l.LV) + v) > 0) return true
  return false
}
