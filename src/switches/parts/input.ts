// Inputs of a crossbar: packets arrive, learn their way, and wait in a FIFO for each VC or in virtual output queues (one for each VC and output).
// What a packet may take at its output is known when it is routed: with virtual output queues when it arrives, in a FIFO when it comes to the front.
// Columns:
//   waiting  [q * R + o]                      VCs of input q whose front packet goes to output o of its router (R ports); 31 VCs at most
//   wants    [((q * levels + level) << 1) + w] outputs (two words) that q has a front packet for, on this level, and that it does not know to lack room
//   lacks    [(o << 1) + w]                   inputs (two words) that found no room at output o: they ask again when some has come back (`renew`)
//   askers   [(r << 1) + w]                   inputs of router r that want anything
//   dirty    bit r                            routers whose crossbar must look again
//   busyIn, busyOut [(r << 1) + w]            inputs and outputs of router r that a transfer holds (crossbar.ts)
//   lastIn   [q], tailAt [q]                  the packet that arrived last, and the cycle in which its tail may move (transfers that start at the head)
// The packet's own word (constants.own) holds the VCs that it may take at its output.
import { lowest } from "../../core/bitset.ts"
import { i32, scratch } from "../../fabric/columns.ts"
import { HOP_MASK, recordViews } from "../../fabric/packets.ts"
import type { TransferSite, TransferUse } from "../../fabric/transfer.ts"
import type { Chains } from "./chains.ts"
import type { DroppingPart } from "./dropping.ts"
import type { MarkingPart } from "./marking.ts"
import type { Ports } from "./ports.ts"
import type { SensingPart } from "./sensing.ts"
import type { TelemetryPart } from "./telemetry.ts"

export interface InputSpec {
  readonly site: TransferSite
  readonly use: TransferUse
  readonly ports: Ports
  readonly chains: Chains
  /** a queue for each VC and output, not one for each VC; the first of them in `chains` */
  readonly voq: boolean
  readonly firstQueue: number
  readonly marking?: MarkingPart | undefined
  readonly sensing?: SensingPart | undefined
  readonly telemetry?: TelemetryPart | undefined
  readonly dropping?: DroppingPart | undefined
}

export interface InputStage {
  readonly columns: ReturnType<typeof inputColumns>
  arrive(iv: number, p: number, t: number): void
  /** the same for n packets at once; absent where one may change what the next one finds */
  readonly arrivals: ((ivs: Int32Array, packets: Int32Array, n: number, t: number) => void) | undefined
  /** the queue of VC v at input q that leads to output o (its number in the router) */
  queueOf(q: number, o: number, v: number): number
  /** the front packet of that queue leaves */
  leave(q: number, o: number, v: number, t: number): number
  /** input q knows that output o has no room for any of its front packets of a level */
  lack(q: number, o: number, level: number): void
  /** output `port` has more room than before */
  renew(port: number): void
}

/** Queues that inputs need in the chains. */
export function inputQueues(site: TransferSite, ports: Ports, voq: boolean): number {
  const { LV, radix, vcs } = site.layout
  return voq ? ports.inputs * radix * vcs : ports.inputs << LV
}

function inputColumns({ layout: l }: TransferSite, ports: Ports, levels: number) {
  return {
    waiting: i32(ports.inputs * l.radix),
    wants: i32(2 * levels * ports.inputs),
    lacks: i32(2 * ports.count),
    askers: i32(2 * l.routers),
    dirty: i32((l.routers + 31) >> 5),
    busyIn: i32(2 * l.routers),
    busyOut: i32(2 * l.routers),
    lastIn: i32(ports.inputs),
    tailAt: i32(ports.inputs),
  }
}

export function makeInput(spec: InputSpec): InputStage {
  const low = lowest
  const { site, use, ports, chains, voq: VOQ, firstQueue: FIRST } = spec
  const { LV, PS, outerRouter, radix: R, vcs: VCS } = site.layout
  const { packets } = site.columns
  const { own: OWN } = site.constants
  const { pFlits, pHops, sPort } = recordViews(packets)
  const pOwn = packets.subarray(OWN)
  const HOPS_ONLY = HOP_MASK
  const { router, local } = ports
  const { push, pop, heads } = chains
  const { plan, routing, routings, net, out } = use
  const { plain: PLAIN, classOf, firstOf, levelOf, levels, wholeOf } = plan
  const LEVELS = levels.length
  const VMASK = (1 << LV) - 1
  const NARROW = R + 1 <= 32
  const columns = inputColumns(site, ports, LEVELS)
  const { waiting, wants, lacks, askers, dirty, busyIn, busyOut, lastIn, tailAt } = columns
  const { marking, sensing, telemetry, dropping } = spec
  const MARKS = marking !== undefined
  const SENSES = sensing !== undefined
  const READS = telemetry !== undefined
  const DROPS = dropping !== undefined
  // of packets that arrive together: input and output
  const pairs = scratch(32 * site.constants.portWords + 1)

  function queueOf(q: number, o: number, v: number): number {
    return FIRST + (VOQ ? Math.imul(q * R + o, VCS) : q << LV) + v
  }

  /** Answers the output that packet p takes. */
  function route(p: number, q: number, v: number, t: number): number {
    const at = outerRouter[router[q]!]!
    const way = PLAIN ? routing : routings[classOf[v]!]!
    net.decide(t, PLAIN ? 0 : firstOf[v]!)
    if ((pHops[p]! & HOPS_ONLY) === 0) way.inject?.(p, at, net)
    out.n = 0
    way.route(p, at, local[q]!, PLAIN ? v : v - firstOf[v]!, net, out)
    let best = 0
    for (let i = 1; i < out.n; i++) if (out.cost[i]! < out.cost[best]!) best = i
    const o = out.port[best]!
    const mask = out.vcMask[best]!
    pOwn[p] = PLAIN ? mask : wholeOf[v]! !== 0 ? wholeOf[v]! : mask << firstOf[v]!
    sPort[p << 2] = o
    pHops[p]!++
    return o
  }

  function arrive(iv: number, p: number, t: number): void {
    const q = iv >> LV
    const v = iv & VMASK
    lastIn[q] = p
    tailAt[q] = t + pFlits[p]! - 1
    if (VOQ) {
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
    if (push(FIRST + iv, p)) front(q, route(p, q, v, t), v, t)
  }

  /** All of them are routed, then all their queues looked at, then they join these: virtual output queues are many and far apart, and memory answers several at a
   * time if nothing else is between. */
  function arriveTogether(ivs: Int32Array, ps: Int32Array, n: number, t: number): void {
    const pair = pairs
    for (let k = 0; k < n; k++) {
      const iv = ivs[k]!
      const p = ps[k]!
      pair[k] = routed(iv, p, t)
    }
    const all = heads
    const mask = waiting
    let near = 0
    for (let k = 0; k < n; k++) near |= all[(FIRST + Math.imul(pair[k]!, VCS) + (ivs[k]! & VMASK)) | 0]! | mask[pair[k]!]!
    pair[n] = near
    for (let k = 0; k < n; k++) joins(ivs[k]!, ps[k]!, pair[k]!, t)
  }

  /** Answers q * R + o. */
  function routed(iv: number, p: number, t: number): number {
    const q = iv >> LV
    lastIn[q] = p
    tailAt[q] = t + pFlits[p]! - 1
    return q * R + route(p, q, iv & VMASK, t)
  }

  function joins(iv: number, p: number, pair: number, t: number): void {
    if (MARKS) marking!.arrived(iv, p)
    const q = iv >> LV
    const v = iv & VMASK
    if (READS) telemetry!.arrived(q, pair - q * R, p)
    if (push(FIRST + Math.imul(pair, VCS) + v, p)) front(q, pair - q * R, v, t)
  }

  /** A packet has come to the front of VC v for output o. */
  function front(q: number, o: number, v: number, t: number): void {
    waiting[q * R + o]! |= 1 << v
    if (SENSES) sensing!.seen(q, o, v, 1, t)
    want(q, o, LEVELS === 1 ? 0 : levelOf[v]!)
  }

  function want(q: number, o: number, level: number): void {
    const r = router[q]!
    const i = local[q]!
    wants[((q * LEVELS + level) << 1) + (NARROW ? 0 : o >> 5)]! |= 1 << o
    askers[(r << 1) + (NARROW ? 0 : i >> 5)]! |= 1 << i
    // whoever ends a transfer looks again itself
    const held = (busyIn[(r << 1) + (NARROW ? 0 : i >> 5)]! >>> i) | (busyOut[(r << 1) + (NARROW ? 0 : o >> 5)]! >>> o)
    if ((held & 1) === 0) dirty[r >> 5]! |= 1 << r
  }

  function leave(q: number, o: number, v: number, t: number): number {
    const queue = queueOf(q, o, v)
    const p = pop(queue)
    if (MARKS) marking!.leaves((q << LV) + v, p)
    if (READS) telemetry!.leaves(q, o, p)
    if (DROPS) dropping!.leaves(q, o, p, t)
    const next = heads[queue]!
    if (VOQ) {
      if (next === 0) gone(q, o, v, t)
    } else {
      gone(q, o, v, t)
      if (next !== 0) front(q, route(next, q, v, t), v, t)
    }
    return p
  }

  /** Nothing of VC v waits for output o any more. */
  function gone(q: number, o: number, v: number, t: number): void {
    const left = waiting[q * R + o]! & ~(1 << v)
    waiting[q * R + o] = left
    if (SENSES) sensing!.seen(q, o, v, 0, t)
    const level = LEVELS === 1 ? 0 : levelOf[v]!
    if ((left & levels[level]!) === 0) unwant(q, o, level)
  }

  function unwant(q: number, o: number, level: number): void {
    wants[((q * LEVELS + level) << 1) + (NARROW ? 0 : o >> 5)]! &= ~(1 << o)
    for (let n = 0; n < LEVELS; n++) {
      const at = (q * LEVELS + n) << 1
      if ((wants[at]! | wants[at + 1]!) !== 0) return
    }
    const i = local[q]!
    askers[(router[q]! << 1) + (NARROW ? 0 : i >> 5)]! &= ~(1 << i)
  }

  function lack(q: number, o: number, level: number): void {
    const i = local[q]!
    lacks[((router[q]! * PS + o) << 1) + (NARROW ? 0 : i >> 5)]! |= 1 << i
    unwant(q, o, level)
  }

  function renew(port: number): void {
    for (let word = 0; word < (NARROW ? 1 : 2); word++) {
      let m = lacks[(port << 1) + word]!
      if (m === 0) continue
      lacks[(port << 1) + word] = 0
      const r = router[port]!
      const o = local[port]!
      while (m !== 0) {
        const i = (word << 5) + low(m)
        m &= m - 1
        const q = i < R ? r * PS + i : ports.count + r
        const w = waiting[q * R + o]!
        for (let level = 0; level < LEVELS; level++) if ((w & levels[level]!) !== 0) want(q, o, level)
      }
    }
  }

  return { columns, arrive, arrivals: VOQ && !DROPS ? arriveTogether : undefined, queueOf, leave, lack, renew }
}
