// The input stage of a crossbar switch. Packets arrive, are routed, and wait either in one FIFO per VC or in virtual
// output queues (VOQs; one for each VC and output). Routing takes place on arrival with VOQs, and when a packet becomes
// the head of its queue with FIFOs. The result is the output port, and the mask of VCs that the packet may use there;
// the mask is stored in the packet's own word (constants.own).
//
// The stage also maintains the requests that crossbar.ts reads. A head packet that found no credits stops requesting
// its output until `renew` reports new credits or buffer space there. Blocked inputs thus cost no time.
//
// Columns. Indices: q input, o output, r router, R radix, w word of a 64-bit mask.
//   `waiting`            [q * R + o]                        mask of VCs (at most 31) of q whose head packet goes to
//                                                           output o;
//   `wants`              [((q * levels + level) << 1) + w]  outputs that q requests on this level, without stalled
//                                                           ones;
//   `stalledVcs`         [(o << 1) + w]                     inputs that stalled at output o, to be woken by `renew`;
//   `requesters`         [(r << 1) + w]                     inputs of router r that request any output;
//   `needsArbitration`                                      bit r: routers whose crossbar must be arbitrated;
//   `busyIn`, `busyOut`  [(r << 1) + w]                     inputs and outputs of router r in a transfer (crossbar.ts);
//   `lastIn`, `tailAt`   [q]                                the last packet that arrived, and the cycle in which its
//                                                           tail is available (for transfers that start with the head
//                                                           flit).
import { lowest } from "../../core/bitset.ts"
import { i32, scratch } from "../../fabric/columns.ts"
import { HOP_MASK, recordViews } from "../../fabric/packets.ts"
import type { SwitchContext, TransferSite } from "../../fabric/transfer.ts"
import type { ContentionCounters } from "./contention-counters.ts"
import type { DroppingPart } from "./dropping.ts"
import type { MarkingPart } from "./marking.ts"
import type { PacketQueues } from "./packet-queues.ts"
import type { Ports } from "./ports.ts"
import type { TelemetryPart } from "./telemetry.ts"

export interface InputSpec {
  readonly site: TransferSite
  readonly use: SwitchContext
  readonly ports: Ports
  readonly packetQueues: PacketQueues
  /** virtual output queues instead of one queue per VC; `firstQueue` is the first of them in `packetQueues` */
  readonly voq: boolean
  /** VCs (mask) with one FIFO in spite of `voq` */
  readonly fifos?: number
  readonly firstQueue: number
  /** inputs with head packets that have no VC of the output yet (vc-turns.ts) */
  readonly bids?: Int32Array | undefined
  readonly marking?: MarkingPart | undefined
  readonly sensing?: ContentionCounters | undefined
  readonly telemetry?: TelemetryPart | undefined
  readonly dropping?: DroppingPart | undefined
}

export interface InputStage {
  readonly columns: ReturnType<typeof inputColumns>
  arrive(iv: number, p: number, t: number): void
  /** `arrive` for n packets at once; undefined where one packet may change the decision for the next one */
  readonly arrivals: ((ivs: Int32Array, packets: Int32Array, n: number, t: number) => void) | undefined
  /** Returns the queue of VC v at input q that leads to output o (its number in the router). */
  queueOf(q: number, o: number, v: number): number
  /** Removes and returns the head packet of that queue. */
  leave(q: number, o: number, v: number, t: number): number
  /** Input q stops requesting output o on this level, because no head packet of the level can go there. */
  stall(q: number, o: number, level: number): void
  /** Output `port` has more credits or buffer space: its stalled inputs request it again. */
  renew(port: number): void
}

/** Returns the number of queues that the inputs need in `packetQueues`. */
export function inputQueues(site: TransferSite, ports: Ports, voq: boolean): number {
  const { LV, radix, vcs } = site.layout
  return voq ? ports.inputs * radix * vcs : ports.inputs << LV
}

function inputColumns({ layout: l }: TransferSite, ports: Ports, levels: number) {
  return {
    waiting: i32(ports.inputs * l.radix),
    wants: i32(2 * levels * ports.inputs),
    stalledVcs: i32(2 * ports.count),
    requesters: i32(2 * l.routers),
    needsArbitration: i32((l.routers + 31) >> 5),
    busyIn: i32(2 * l.routers),
    busyOut: i32(2 * l.routers),
    lastIn: i32(ports.inputs),
    tailAt: i32(ports.inputs),
  }
}

export function makeInput(spec: InputSpec): InputStage {
  const low = lowest
  const { site, use, ports, packetQueues, voq: VOQ, firstQueue: FIRST } = spec
  const { LV, PS, outerRouter, radix: R, vcs: VCS } = site.layout
  const { packets } = site.columns
  const { own: OWN } = site.constants
  const { pFlits, pHops, sPort } = recordViews(packets)
  const pOwn = packets.subarray(OWN)
  const HOPS_ONLY = HOP_MASK
  const { router, local } = ports
  const { push, pop, heads } = packetQueues
  const { plan, routing, routings, net, out } = use
  const { plain: PLAIN, classOf, firstOf, levelOf, levels, wholeOf } = plan
  const LEVELS = levels.length
  const VMASK = (1 << LV) - 1
  const NARROW = R + 1 <= 32
  const FIFOS = spec.fifos ?? 0
  const columns = inputColumns(site, ports, LEVELS)
  const { waiting, wants, stalledVcs, requesters, needsArbitration, busyIn, busyOut, lastIn, tailAt } = columns
  const { marking, sensing, telemetry, dropping } = spec
  const MARKS = marking !== undefined
  const SENSES = sensing !== undefined
  const READS = telemetry !== undefined
  const DROPS = dropping !== undefined
  const { bids } = spec
  const BIDS = bids !== undefined
  // [packet that arrives in this cycle] -> q * R + o
  const pairs = scratch(32 * site.constants.portWords + 1)

  function queueOf(q: number, o: number, v: number): number {
    if (FIFOS !== 0 && ((FIFOS >>> v) & 1) !== 0) return FIRST + Math.imul(q * R, VCS) + v
    return FIRST + (VOQ ? Math.imul(q * R + o, VCS) : q << LV) + v
  }

  /**
   * Routes packet p and returns its output port. Of the candidates of the routing function the first one with the
   * lowest cost is chosen.
   */
  function route(p: number, q: number, v: number, t: number): number {
    const at = outerRouter[router[q]]
    const way = PLAIN ? routing : routings[classOf[v]]
    net.decide(t, PLAIN ? 0 : firstOf[v])
    if ((pHops[p] & HOPS_ONLY) === 0) way.inject?.(p, at, net)
    out.n = 0
    way.route(p, at, local[q], PLAIN ? v : v - firstOf[v], net, out)
    let best = 0
    for (let i = 1; i < out.n; i++) if (out.cost[i] < out.cost[best]) best = i
    const o = out.port[best]
    const mask = out.vcMask[best]
    pOwn[p] = PLAIN ? mask : wholeOf[v] !== 0 ? wholeOf[v] : mask << firstOf[v]
    sPort[p << 2] = o
    pHops[p]++
    return o
  }

  function arrive(iv: number, p: number, t: number): void {
    const q = iv >> LV
    const v = iv & VMASK
    lastIn[q] = p
    tailAt[q] = t + pFlits[p] - 1
    if (VOQ && ((FIFOS >>> v) & 1) === 0) {
      const o = route(p, q, v, t)
      if (DROPS && dropping!.refuses(q, o, p, t)) {
        dropping!.answers(q, o, v, p, t)
        return
      }
      if (MARKS) marking!.arrived(iv, p)
      if (READS) telemetry!.arrived(q, o, p)
      if (push(queueOf(q, o, v), p)) front(q, o, v, t)
      return
    }
    if (MARKS) marking!.arrived(iv, p)
    if (DROPS) dropping!.waits(q, p, t)
    if (push(queueOf(q, 0, v), p)) head(q, v, p, t)
  }

  /** Packet p has become the head of the FIFO of VC v. */
  function head(q: number, v: number, p: number, t: number): void {
    const o = route(p, q, v, t)
    if (DROPS) dropping!.routed(q, o, p)
    front(q, o, v, t)
  }

  /**
   * Routes all packets, then reads all their queues, then appends them. Virtual output queues are many and far apart in
   * memory. Reading them in a loop without other work lets the processor overlap the cache misses; `near` only prevents
   * the removal of these reads.
   */
  function arriveTogether(ivs: Int32Array, ps: Int32Array, n: number, t: number): void {
    const pair = pairs
    for (let k = 0; k < n; k++) {
      const iv = ivs[k]
      const p = ps[k]
      pair[k] = routed(iv, p, t)
    }
    const all = heads
    const mask = waiting
    let near = 0
    for (let k = 0; k < n; k++) near |= all[(FIRST + Math.imul(pair[k], VCS) + (ivs[k] & VMASK)) | 0] | mask[pair[k]]
    pair[n] = near
    for (let k = 0; k < n; k++) joins(ivs[k], ps[k], pair[k], t)
  }

  /** Routes packet p, and returns q * R + o. */
  function routed(iv: number, p: number, t: number): number {
    const q = iv >> LV
    lastIn[q] = p
    tailAt[q] = t + pFlits[p] - 1
    return q * R + route(p, q, iv & VMASK, t)
  }

  /** Appends packet p to its virtual output queue. */
  function joins(iv: number, p: number, pair: number, t: number): void {
    if (MARKS) marking!.arrived(iv, p)
    const q = iv >> LV
    const v = iv & VMASK
    if (READS) telemetry!.arrived(q, pair - q * R, p)
    if (push(FIRST + Math.imul(pair, VCS) + v, p)) front(q, pair - q * R, v, t)
  }

  /** A packet has become the head of VC v for output o. */
  function front(q: number, o: number, v: number, t: number): void {
    waiting[q * R + o] |= 1 << v
    if (SENSES) sensing!.seen(q, o, v, 1, t)
    if (BIDS) bid(q, o)
    want(q, o, LEVELS === 1 ? 0 : levelOf[v])
  }

  /** Input q may have a head packet without a VC of output o. */
  function bid(q: number, o: number): void {
    const i = local[q]
    const r = router[q]
    needsArbitration[r >> 5] |= 1 << r
    bids![((r * PS + o) << 1) + (NARROW ? 0 : i >> 5)] |= 1 << i
  }

  function want(q: number, o: number, level: number): void {
    const r = router[q]
    const i = local[q]
    wants[((q * LEVELS + level) << 1) + (NARROW ? 0 : o >> 5)] |= 1 << o
    requesters[(r << 1) + (NARROW ? 0 : i >> 5)] |= 1 << i
    // If the input or output is in a transfer, the end of that transfer triggers the arbitration.
    const held = (busyIn[(r << 1) + (NARROW ? 0 : i >> 5)] >>> i) | (busyOut[(r << 1) + (NARROW ? 0 : o >> 5)] >>> o)
    if ((held & 1) === 0) needsArbitration[r >> 5] |= 1 << r
  }

  function leave(q: number, o: number, v: number, t: number): number {
    const queue = queueOf(q, o, v)
    const p = pop(queue)
    if (MARKS) marking!.leaves((q << LV) + v, p)
    if (READS) telemetry!.leaves(q, o, p)
    if (DROPS) dropping!.leaves(q, o, p, t)
    const next = heads[queue]
    if (VOQ && ((FIFOS >>> v) & 1) === 0) {
      if (next === 0) gone(q, o, v, t)
      else if (BIDS) bid(q, o)
    } else {
      gone(q, o, v, t)
      if (next !== 0) head(q, v, next, t)
    }
    return p
  }

  /** No packet of VC v at the head requests output o any more. */
  function gone(q: number, o: number, v: number, t: number): void {
    const left = waiting[q * R + o] & ~(1 << v)
    waiting[q * R + o] = left
    if (SENSES) sensing!.seen(q, o, v, 0, t)
    const level = LEVELS === 1 ? 0 : levelOf[v]
    if ((left & levels[level]) === 0) unwant(q, o, level)
  }

  /** Input q stops requesting output o on this level, and leaves `requesters` if it requests nothing else. */
  function unwant(q: number, o: number, level: number): void {
    wants[((q * LEVELS + level) << 1) + (NARROW ? 0 : o >> 5)] &= ~(1 << o)
    for (let n = 0; n < LEVELS; n++) {
      const at = (q * LEVELS + n) << 1
      if ((wants[at] | wants[at + 1]) !== 0) return
    }
    const i = local[q]
    requesters[(router[q] << 1) + (NARROW ? 0 : i >> 5)] &= ~(1 << i)
  }

  function stall(q: number, o: number, level: number): void {
    const i = local[q]
    stalledVcs[((router[q] * PS + o) << 1) + (NARROW ? 0 : i >> 5)] |= 1 << i
    unwant(q, o, level)
  }

  function renew(port: number): void {
    if (BIDS && (bids![port << 1] | bids![(port << 1) + 1]) !== 0)
      needsArbitration[router[port] >> 5] |= 1 << router[port]
    for (let word = 0; word < (NARROW ? 1 : 2); word++) {
      let m = stalledVcs[(port << 1) + word]
      if (m === 0) continue
      stalledVcs[(port << 1) + word] = 0
      const r = router[port]
      const o = local[port]
      while (m !== 0) {
        const i = (word << 5) + low(m)
        m &= m - 1
        const q = i < R ? r * PS + i : ports.count + r
        const w = waiting[q * R + o]
        for (let level = 0; level < LEVELS; level++) if ((w & levels[level]) !== 0) want(q, o, level)
      }
    }
  }

  return {
    columns,
    arrive,
    arrivals: VOQ && !DROPS && FIFOS === 0 ? arriveTogether : undefined,
    queueOf,
    leave,
    stall,
    renew,
  }
}
