// Input ports: packets arrive, are routed and join a queue; a queue whose front packet may go asks for its output.
import { lowest } from "../../core/bitset.ts"
import { DST, HOP_MASK, HOPS, STATE } from "../../fabric/packets.ts"
import type { Frame } from "./frame.ts"

export interface Inputs {
  /** answers the output (its number in the router) that packet p at input q takes */
  route(p: number, q: number, t: number): number
  arrive(iv: number, p: number, t: number): void
  /** queue k of input q asks for output o */
  front(q: number, o: number, k: number): void
  /** it no longer does */
  gone(q: number, o: number, k: number): void
  /** the front packet of queue k, which asks for output o, leaves */
  leave(q: number, o: number, k: number): number
  /** input q knows that output o has no room for any of its front packets */
  lack(q: number, o: number): void
  /** output `port` has more room than before in a lane */
  renew(port: number, lane: number): void
}

export function makeInputs(frame: Frame): Inputs {
  const low = lowest
  const { site, use, ports, chains, scheme, table, words: WORDS } = frame
  const { PS, LV, outerRouter, radix: R } = site.layout
  const { packets } = site.columns
  const bytes = new Uint8Array(packets.buffer)
  const { router, local } = ports
  const { push, pop, heads } = chains
  const { routing, net, out } = use
  const { lane, queues: Q } = scheme
  const ALIKE = scheme.alike === true
  // [router * endpoints + destination] -> output, where the routing is such a table
  const ways = frame.ways?.ports
  const KNOWN = ways !== undefined
  const N = site.layout.graph.ends
  const { waiting, wants, lacks, askers, dirty, busyIn, busyOut } = frame.columns

  function route(p: number, q: number, t: number): number {
    const at = outerRouter[router[q]!]!
    const o = KNOWN ? ways![at * N + packets[p + DST]!]! : chosen(p, at, q, t)
    bytes[(p + STATE) << 2] = o
    packets[p + HOPS]!++
    return o
  }

  function chosen(p: number, at: number, q: number, t: number): number {
    net.decide(t)
    if ((packets[p + HOPS]! & HOP_MASK) === 0) routing.inject?.(p, at, net)
    out.n = 0
    routing.route(p, at, local[q]!, 0, net, out)
    let best = 0
    for (let i = 1; i < out.n; i++) if (out.cost[i]! < out.cost[best]!) best = i
    return out.port[best]!
  }

  function arrive(iv: number, p: number, t: number): void {
    const q = iv >> LV
    const o = route(p, q, t)
    const k = lane(outerRouter[router[q]!]!, packets[p + DST]!, table)
    if (push(q * Q + k, p)) front(q, o, k)
  }

  function front(q: number, o: number, k: number): void {
    waiting[(q * R + o) * WORDS + (k >> 5)]! |= 1 << k
    want(q, o)
  }

  function want(q: number, o: number): void {
    const r = router[q]!
    const i = local[q]!
    wants[q]! |= 1 << o
    askers[r]! |= 1 << i
    // whoever ends a transfer looks again itself
    if ((((busyIn[r]! >>> i) | (busyOut[r]! >>> o)) & 1) === 0) dirty[r >> 5]! |= 1 << r
  }

  function gone(q: number, o: number, k: number): void {
    const first = (q * R + o) * WORDS
    waiting[first + (k >> 5)]! &= ~(1 << k)
    for (let w = 0; w < WORDS; w++) if (waiting[first + w] !== 0) return
    unwant(q, o)
  }

  function unwant(q: number, o: number): void {
    wants[q]! &= ~(1 << o)
    if (wants[q] === 0) askers[router[q]!]! &= ~(1 << local[q]!)
  }

  function leave(q: number, o: number, k: number): number {
    const queue = q * Q + k
    const p = pop(queue)
    const next = heads[queue]!
    const to = next === 0 ? -1 : bytes[(next + STATE) << 2]!
    if (to !== o) {
      gone(q, o, k)
      if (next !== 0) front(q, to, k)
    }
    return p
  }

  function lack(q: number, o: number): void {
    lacks[router[q]! * PS + o]! |= 1 << local[q]!
    unwant(q, o)
  }

  function renew(port: number, lane: number): void {
    if (lacks[port] === 0) return
    if (ALIKE) renewOne(port, lane)
    else renewAll(port)
  }

  function renewAll(port: number): void {
    let m = lacks[port]!
    lacks[port] = 0
    const first = router[port]! * PS
    const o = local[port]!
    while (m !== 0) {
      const q = first + low(m)
      m &= m - 1
      for (let w = 0; w < WORDS; w++)
        if (waiting[(q * R + o) * WORDS + w] !== 0) {
          want(q, o)
          break
        }
    }
  }

  /** Inputs whose queue of this lane's number waits; the others still have no room. */
  function renewOne(port: number, lane: number): void {
    const first = router[port]! * PS
    const o = local[port]!
    for (let m = lacks[port]!; m !== 0; m &= m - 1) {
      const q = first + low(m)
      if (((waiting[(q * R + o) * WORDS + (lane >> 5)]! >>> lane) & 1) === 0) continue
      lacks[port]! &= ~(m & -m)
      want(q, o)
    }
  }

  return { route, arrive, front, gone, leave, lack, renew }
}
