// The routing stage of the input-queued router. A packet that becomes the head of its VC is routed in the next step
// (with look-ahead: at once) and requests an output VC in the step after.
import type { NextPort } from "../../model/routing.ts"
import type { IqSpec } from "./options.ts"
import type { IqState } from "./state.ts"

export interface RouteStage {
  /** The packet at the head of input VC iv is new there. */
  head(iv: number, t: number): void
  /** Routes the heads that are due in step s. */
  due(t: number, s: number): void
}

/** Maximum number of entries of a port table, so that it fits into the second-level cache. */
const MOST_ENTRIES = 2 ** 17
const NONE = new Uint8Array(0)

/** Returns [router * ends + destination] -> port, or an empty table if it would be too large. */
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
  const {
    cur,
    rqPort,
    rqMask,
    rqCount,
    front,
    frontCount,
    clock,
    routerAt,
    hopOf,
    request,
    requestThen,
    ME,
    UPCOMING,
    LIST_BASE,
    LIST_SIZE,
  } = state
  const hasInject = routing.inject !== undefined
  // An oblivious routing with one candidate is a function of router and destination, so a table can replace the calls.
  const next = C === 1 && !hasInject ? routing.oblivious : undefined
  const classMask = 2 ** spec.vcsPerClass - 1
  const { ends: ENDS } = spec.layout.graph
  const ports = next === undefined ? NONE : portsOf(next, spec.layout.graph.routers, ENDS, spec.layout.radix)
  const TOLD = ports.length > 0

  /**
   * Computes the route of the head packet of iv. A deterministic routing without injection decisions reads its table;
   * all others call the routing function.
   */
  function decide(iv: number, t: number): void {
    const r = routerAt(iv)
    const p = cur[iv]
    const at = ONE ? r : outerRouter[r]
    if (next !== undefined) {
      const o = TOLD ? ports[at * ENDS + pDst[p]] : next.port(at, pDst[p])
      rqPort[iv] = o
      pHops[p] += hopOf[r * PS + o]
      rqMask[iv] = STREAMS > 1 ? classMask << vcFirst[pStream[p]] : classMask
      return
    }
    // `shift` maps the VCs of the packet's class to those that the routing function sees, which start at 0.
    const local = W === 1 ? iv & 31 : iv - r * RS
    const shift = STREAMS > 1 ? vcFirst[pStream[p]] : 0
    net.decide(t, shift)
    if (hasInject && (pHops[p] & 4095) === 0) routing.inject!(p, at, net)
    found.n = 0
    routing.route(p, at, local >> LV, (local & VMASK) - shift, net, found)
    if (C === 1) {
      const o = found.port[0]
      rqPort[iv] = o
      pHops[p] += hopOf[r * PS + o]
      rqMask[iv] = found.vcMask[0] << shift
    } else keepAll(iv, shift)
  }

  /** Stores all candidates in order of their cost, by insertion sort. */
  function keepAll(iv: number, shift: number): void {
    const n = found.n
    rqCount[iv] = n
    for (let k = 0; k < n; k++) {
      let j = k
      const cost = found.cost[k]
      const port = found.port[k]
      const mask = found.vcMask[k] << shift
      for (; j > 0 && found.cost[j - 1] > cost; j--) {
        found.cost[j] = found.cost[j - 1]
        rqPort[iv * C + j] = rqPort[iv * C + j - 1]
        rqMask[iv * C + j] = rqMask[iv * C + j - 1]
      }
      found.cost[j] = cost
      rqPort[iv * C + j] = port
      rqMask[iv * C + j] = mask
    }
  }

  /** Adds iv to the list of heads that are routed in step s, or later if the stage has several steps. */
  function enlist(iv: number, s: number): void {
    // A pipeline of RD steps ends RD - 1 steps after the step in which it starts.
    const slot = (BATCHES ? enterBatch(routerAt(iv), s) : RD > 1 ? s + RD - 1 : s) & (LISTS - 1)
    const list = ONE ? slot : clock[ME] * LISTS + slot
    const n = frontCount[list]
    front[(ONE ? 0 : clock[LIST_BASE]) + slot * (ONE ? R * HEADS : clock[LIST_SIZE]) + n] = iv
    frontCount[list] = n + 1
  }

  function head(iv: number, t: number): void {
    // The route does not depend on queues, so it is computed now, and only the request waits for its step.
    if (AT_ONCE) {
      decide(iv, t)
      if (RD === 0) request(iv)
      else requestThen(iv)
    } else enlist(iv, clock[UPCOMING])
  }

  function due(t: number, s: number): void {
    if (AT_ONCE) return
    const slot = s & (LISTS - 1)
    const list = ONE ? slot : clock[ME] * LISTS + slot
    const at = ONE ? slot * R * HEADS : clock[LIST_BASE] + slot * clock[LIST_SIZE]
    const heads = frontCount[list]
    for (let i = 0; i < heads; i++) {
      const iv = front[at + i]
      decide(iv, t)
      if (RD === 0) request(iv)
      else requestThen(iv)
    }
    frontCount[list] = 0
  }

  return { head, due }
}
