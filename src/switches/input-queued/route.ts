// Stage: routing. A head that comes to the front of its VC is routed in the next step (look-ahead: at once), and asks for a VC in the step after.
import type { NextPort } from "../../model/routing.ts"
import type { IqSpec, IqState } from "./state.ts"

export interface RouteStage {
  /** the packet in front of iv is new there */
  head(iv: number, t: number): void
  /** routes the heads that are due in step s */
  due(t: number, s: number): void
}

/** entries of a table of ports: it shall stay in the second-level cache */
const MOST_ENTRIES = 2 ** 17
const NONE = new Uint8Array(0)

/** [router * ends + destination] -> port; none where it would be too large. */
function portsOf(next: NextPort, routers: number, ends: number, radix: number): Uint8Array {
  if (routers * ends > MOST_ENTRIES || radix > 256) return NONE
  const ports = new Uint8Array(routers * ends)
  for (let r = 0; r < routers; r++) for (let e = 0; e < ends; e++) ports[r * ends + e] = next.port(r, e)
  return ports
}

export function makeRoute(spec: IqSpec, state: IqState): RouteStage {
  const { routing, net, out: found, vcFirst } = spec
  const { outerRouter } = spec.layout
  const { pDst, pHops, pStream } = spec.fields
  const STREAMS = spec.constants.streams
  const { W, RS, PS, LV, R, C, RD, ONE, AT_ONCE, LISTS, HEADS, VMASK, ROUTE_BATCHES: BATCHES } = state
  const { enter: enterBatch } = state.routeBatches
  const { cur, rqPort, rqMask, rqCount, front, frontCount, clock, routerAt, hopOf, ask, askThen, ME, UPCOMING, LIST_BASE, LIST_ROOM } =
    state
  const hasInject = routing.inject !== undefined
  const next = C === 1 && !hasInject ? routing.oblivious : undefined
  const classMask = 2 ** spec.vcsPerClass - 1
  const { ends: ENDS } = spec.layout.graph
  const ports = next === undefined ? NONE : portsOf(next, spec.layout.graph.routers, ENDS, spec.layout.radix)
  const TOLD = ports.length > 0

  function decide(iv: number, t: number): void {
    const r = routerAt(iv)
    const p = cur[iv]!
    const at = ONE ? r : outerRouter[r]!
    if (next !== undefined) {
      const o = TOLD ? ports[at * ENDS + pDst[p]!]! : next.port(at, pDst[p]!)
      rqPort[iv] = o
      pHops[p]! += hopOf[r * PS + o]!
      rqMask[iv] = STREAMS > 1 ? classMask << vcFirst[pStream[p]!]! : classMask
      return
    }
    const local = W === 1 ? iv & 31 : iv - r * RS
    const shift = STREAMS > 1 ? vcFirst[pStream[p]!]! : 0
    net.decide(t, shift)
    if (hasInject && (pHops[p]! & 4095) === 0) routing.inject!(p, at, net)
    found.n = 0
    routing.route(p, at, local >> LV, (local & VMASK) - shift, net, found)
    if (C === 1) {
      const o = found.port[0]!
      rqPort[iv] = o
      pHops[p]! += hopOf[r * PS + o]!
      rqMask[iv] = found.vcMask[0]! << shift
    } else keepAll(iv, shift)
  }

  /** the candidates, cheapest first */
  function keepAll(iv: number, shift: number): void {
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

  function enlist(iv: number, s: number): void {
    const slot = (BATCHES ? enterBatch(routerAt(iv), s) : RD > 1 ? s + RD - 1 : s) & (LISTS - 1)
    const list = ONE ? slot : clock[ME]! * LISTS + slot
    const n = frontCount[list]!
    front[(ONE ? 0 : clock[LIST_BASE]!) + slot * (ONE ? R * HEADS : clock[LIST_ROOM]!) + n] = iv
    frontCount[list] = n + 1
  }

  function head(iv: number, t: number): void {
    if (AT_ONCE) {
      decide(iv, t)
      if (RD === 0) ask(iv)
      else askThen(iv)
    } else enlist(iv, clock[UPCOMING]!)
  }

  function due(t: number, s: number): void {
    if (AT_ONCE) return
    const slot = s & (LISTS - 1)
    const list = ONE ? slot : clock[ME]! * LISTS + slot
    const at = ONE ? slot * R * HEADS : clock[LIST_BASE]! + slot * clock[LIST_ROOM]!
    const heads = frontCount[list]!
    for (let i = 0; i < heads; i++) {
      const iv = front[at + i]!
      decide(iv, t)
      if (RD === 0) ask(iv)
      else askThen(iv)
    }
    frontCount[list] = 0
  }

  return { head, due }
}
