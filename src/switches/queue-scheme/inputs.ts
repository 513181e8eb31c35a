// The input ports of the queue-scheme switch. Packets arrive, are routed and join a queue. A queue whose head packet
// may go requests its output. An input that found no credits at an output stops requesting it until `renew`.
import { lowest } from "../../core/bitset.ts"
import { DST, HOP_MASK, HOPS, STATE } from "../../fabric/packets.ts"
import type { SharedState } from "./shared-state.ts"

export interface Inputs {
  /** Routes packet p at input q, and returns its output (its number in the router). */
  route(p: number, q: number, t: number): number
  arrive(iv: number, p: number, t: number): void
  /** Queue k of input q requests output o. */
  front(q: number, o: number, k: number): void
  /** Queue k of input q no longer requests output o. */
  gone(q: number, o: number, k: number): void
  /** Removes and returns the head packet of queue k, which requests output o. */
  leave(q: number, o: number, k: number): number
  /** Input q stops requesting output o, because none of its head packets has credits there. */
  stall(q: number, o: number): void
  /** A lane of output `port` has more credits. */
  renew(port: number, lane: number): void
}

export function makeInputs(sharedState: SharedState): Inputs {
  const low = lowest
  const { site, use, ports, packetQueues, scheme, table, words: WORDS } = sharedState
  const { PS, LV, outerRouter, radix: R } = site.layout
  const { packets } = site.columns
  const bytes = new Uint8Array(packets.buffer)
  const { router, local } = ports
  const { push, pop, heads } = packetQueues
  const { routing, net, out } = use
  const { lane, queues: Q } = scheme
  const ALIKE = scheme.alike === true
  // [router * endpoints + destination] -> output, if the routing is such a table
  const ways = sharedState.ways?.ports
  const KNOWN = ways !== undefined
  const N = site.layout.graph.ends
  const { waiting, wants, stalledVcs, requesters, needsArbitration, busyIn, busyOut } = sharedState.columns

  function route(p: number, q: number, t: number): number {
    const at = outerRouter[router[q]]
    const o = KNOWN ? ways![at * N + packets[p + DST]] : chosen(p, at, q, t)
    bytes[(p + STATE) << 2] = o
    packets[p + HOPS]++
    return o
  }

  /** Calls the routing function. Returns the first candidate with the lowest cost. */
  function chosen(p: number, at: number, q: number, t: number): number {
    net.decide(t)
    if ((packets[p + HOPS] & HOP_MASK) === 0) routing.inject?.(p, at, net)
    out.n = 0
    routing.route(p, at, local[q], 0, net, out)
    let best = 0
    for (let i = 1; i < out.n; i++) if (out.cost[i] < out.cost[best]) best = i
    return out.port[best]
  }

  function arrive(iv: number, p: number, t: number): void {
    const q = iv >> LV
    const o = route(p, q, t)
    const k = lane(outerRouter[router[q]], packets[p + DST], table)
    if (push(q * Q + k, p)) front(q, o, k)
  }

  function front(q: number, o: number, k: number): void {
    waiting[(q * R + o) * WORDS + (k >> 5)] |= 1 << k
    want(q, o)
  }

  /** Adds output o to the requests of input q, and triggers arbitration if both are free. */
  function want(q: number, o: number): void {
    const r = router[q]
    const i = local[q]
    wants[q] |= 1 << o
    requesters[r] |= 1 << i
    // If the input or output is in a transfer, the end of that transfer triggers the arbitration.
    if ((((busyIn[r] >>> i) | (busyOut[r] >>> o)) & 1) === 0) needsArbitration[r >> 5] |= 1 << r
  }

  function gone(q: number, o: number, k: number): void {
    // Other queues of the input may still request the output.
    const first = (q * R + o) * WORDS
    waiting[first + (k >> 5)] &= ~(1 << k)
    for (let w = 0; w < WORDS; w++) if (waiting[first + w] !== 0) return
    unwant(q, o)
  }

  function unwant(q: number, o: number): void {
    wants[q] &= ~(1 << o)
    if (wants[q] === 0) requesters[router[q]] &= ~(1 << local[q])
  }

  function leave(q: number, o: number, k: number): number {
    const queue = q * Q + k
    const p = pop(queue)
    const next = heads[queue]
    // If the next packet goes to the same output, the request bits do not change.
    const to = next === 0 ? -1 : bytes[(next + STATE) << 2]
    if (to !== o) {
      gone(q, o, k)
      if (next !== 0) front(q, to, k)
    }
    return p
  }

  function stall(q: number, o: number): void {
    stalledVcs[router[q] * PS + o] |= 1 << local[q]
    unwant(q, o)
  }

  function renew(port: number, lane: number): void {
    if (stalledVcs[port] === 0) return
    if (ALIKE) renewOne(port, lane)
    else renewAll(port)
  }

  /** Wakes all inputs that stalled at the output. */
  function renewAll(port: number): void {
    let m = stalledVcs[port]
    stalledVcs[port] = 0
    const first = router[port] * PS
    const o = local[port]
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

  /** Wakes the inputs whose queue has the number of this lane. The lanes of all other queues are still full. */
  function renewOne(port: number, lane: number): void {
    const first = router[port] * PS
    const o = local[port]
    for (let m = stalledVcs[port]; m !== 0; m &= m - 1) {
      const q = first + low(m)
      if (((waiting[(q * R + o) * WORDS + (lane >> 5)] >>> lane) & 1) === 0) continue
      stalledVcs[port] &= ~(m & -m)
      want(q, o)
    }
  }

  return { route, arrive, front, gone, leave, stall, renew }
}
