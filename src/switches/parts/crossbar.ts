// Crossbars for switches that move whole packets. A transfer holds its input port and its output port until the last
// flit has crossed, at one flit per core step.
//
// In each core step, a crossbar that needs arbitration
//   1. collects requests: for each free input, the free outputs that have credits for one of its head packets;
//   2. computes a matching of inputs and outputs (matching.ts);
//   3. starts a transfer for each matched pair.
//
// When links are slower than the core, a transfer must not run out of flits. There are two modes:
//   `startAtHead`  the transfer starts with the head flit and holds its ports until the tail has arrived;
//   `otherwise`    the engine delays the packet (`hold`) until the remaining flits are certain to arrive in time.
//
// Columns (in addition to those of input.ts and matching.ts). Indices: q input, o output, r router, R radix.
//   `from`           [o]          input whose transfer holds output o;
//   `moving`         [o]          VC << 16 | flits of that transfer, to return credits at the tail (releaseAtTail);
//   `until`          [o]          core step in which that transfer ends;
//   `turn`           [q]          round-robin pointer over the VCs of input q;
//   `stalledSince`   [q * R + o]  mask of VCs whose head packet has a credit stall at output o; the packet record holds
//                                 the stall time;
//   `stalledInputs`  [r]          number of such VCs in router r; 0 lets `move` skip the check;
//   `ends`                        timing wheel of transfers, by the core step in which they end.
import { lowest } from "../../core/bitset.ts"
import { APART, i32, scratch, u8 } from "../../fabric/columns.ts"
import { CREDIT_SHIFT, recordViews } from "../../fabric/packets.ts"
import type { SwitchContext, SwitchPorts, TransferSite } from "../../fabric/transfer.ts"
import type { ContentionCounters } from "./contention-counters.ts"
import type { InputStage } from "./input.ts"
import type { Matching } from "./matching.ts"
import { NO_CREDIT, type OutputStage } from "./output.ts"
import type { PacketQueues } from "./packet-queues.ts"
import type { Ports } from "./ports.ts"
import { wheelMask, wheelWords } from "./ready-sets.ts"
import type { TelemetryPart } from "./telemetry.ts"
import type { VcTurns } from "./vc-turns.ts"

export interface CrossbarSpec {
  readonly site: TransferSite
  readonly use: SwitchContext
  readonly ports: Ports
  readonly packetQueues: PacketQueues
  readonly matching: Pick<Matching, "request" | "match" | "pairs">
  readonly clock: { readonly link: number; readonly core: number }
  /** an input requests the output of one VC, chosen round-robin, instead of the outputs of all its VCs */
  readonly byVc: boolean
  /** a transfer starts when the head flit is available */
  readonly startAtHead: boolean
  /** the same, but it holds its ports only for as many core steps as the packet has flits */
  readonly streams?: boolean
  /** return the credits of the input buffer when the tail has left, not when the head leaves */
  readonly releaseAtTail: boolean
  /** inputs have virtual output queues: one for each VC and output */
  readonly voq: boolean
  /** VCs (mask) with one FIFO in spite of `voq` */
  readonly fifos?: number
  /** a VC allocation stage before this one, and what the output buffer holds then */
  readonly turns?: { readonly stage: VcTurns; holds(o: number, p: number): boolean } | undefined
  /** credits return flit by flit, instead of packet by packet */
  readonly flitCredits?: FlitStreams | undefined
  readonly sensing?: ContentionCounters | undefined
  readonly telemetry?: TelemetryPart | undefined
}

/** A part that moves the flits of a packet one by one, and returns their credits. */
export interface FlitStreams {
  /**
   * A packet of f flits starts to cross to VC `to` of output `port` in core step s. `headAt`: cycle of its head, if it
   * is still arriving.
   */
  starts(q: number, v: number, port: number, to: number, f: number, s: number, headAt: number): void
  /** The transfer of input q ends. Returns whether flits of its packet are still to come. */
  ended(q: number): boolean
}

/** The part of the output stage that a crossbar uses. */
export type Buffers = Pick<OutputStage, "choose" | "take">

export interface CrossbarStage {
  readonly columns: ReturnType<typeof crossbarColumns>
  readonly wheelMask: number
  enter(part: number): void
  /** Arbitrates the crossbar of router r in core step s (link cycle t). */
  arbitrate(r: number, s: number, t: number): void
  /** Frees the ports of the transfer that holds output o. */
  ended(o: number, s: number, t: number): void
  /** The head packet of VC v at input q for output o is dropped: ends its credit stall, if there is one. */
  forget(q: number, o: number, v: number): void
  /** Returns the packet of a request that is being matched: input i of router r, for output o. */
  head(r: number, level: number, i: number, o: number): number
}

function crossbarColumns({ layout: l, constants }: TransferSite, ports: Ports, mask: number) {
  return {
    from: i32(ports.count),
    moving: i32(ports.count),
    until: i32(ports.count),
    turn: u8(ports.inputs),
    stalledSince: i32(ports.inputs * l.radix),
    stalledInputs: i32(l.routers),
    ends: wheelWords(l.parts, mask, constants.portWords),
  }
}

export function makeCrossbar(
  spec: CrossbarSpec,
  input: InputStage,
  output: Buffers,
  { returnCredit }: SwitchPorts,
): CrossbarStage {
  const low = lowest
  const { site, use, ports, packetQueues, matching, clock, byVc: BY_VC, startAtHead: HEAD, releaseAtTail: TAIL } = spec
  const { LV, PS, firstRouter, radix: R } = site.layout
  const { packetHops, flitHops } = site.columns
  const { pFlits, pHops } = recordViews(site.columns.packets)
  const SHIFT = CREDIT_SHIFT
  const NONE = NO_CREDIT
  const { portWords: WORDS, maxLength: LONGEST } = site.constants
  const { router, local, count: PORTS } = ports
  const { heads } = packetQueues
  const { wants, waiting, requesters, needsArbitration, busyIn, busyOut, lastIn, tailAt } = input.columns
  const { queueOf, leave, stall } = input
  const { choose, take } = output
  const { request, match, pairs } = matching
  const { levels } = use.plan
  const LEVELS = levels.length
  const NARROW = R + 1 <= 32
  const VMASK = (1 << LV) - 1
  const { link: LINK, core: CORE } = clock
  const MASK = wheelMask(Math.ceil((LONGEST * LINK) / CORE) + 2)
  const columns = crossbarColumns(site, ports, MASK)
  const { from, moving, until, turn, stalledSince, stalledInputs, ends } = columns
  const { sensing, telemetry, voq: VOQ } = spec
  const SENSES = sensing !== undefined
  const READS = telemetry !== undefined
  const FIFOS = spec.fifos ?? 0
  const { turns } = spec
  const TURNS = turns !== undefined
  const { flitCredits } = spec
  const EACH = flitCredits !== undefined
  const STREAMS = spec.streams === true
  const { sVc } = recordViews(site.columns.packets)
  // [priority level << 13 | input << 6 | output] -> input VC that would send | its output VC << 8
  const found = scratch(LEVELS << 13)
  let me = 0
  let wheel = 0
  let portBase = 0

  function enter(part: number): void {
    me = part
    wheel = part * (MASK + 1)
    portBase = firstRouter[part] * PS
  }

  function arbitrate(r: number, s: number, t: number): void {
    let requesting = requestsOf(r, 0, t)
    if (!NARROW) requesting += requestsOf(r, 1, t)
    if (requesting === 0) {
      if (TURNS && turns!.stage.allocate(r, t)) needsArbitration[r >> 5] |= 1 << r
      return
    }
    const n = match(r)
    // An input that lost may win in the next step if its output is still free.
    if (n < requesting) needsArbitration[r >> 5] |= 1 << r
    for (let k = 0; k < n; k++) {
      const pair = pairs[k]
      const i = (pair >> 8) & 255
      move(r, i < R ? r * PS + i : PORTS + r, pair & 255, pair >> 16, s, t)
    }
    if (TURNS && turns!.stage.allocate(r, t)) needsArbitration[r >> 5] |= 1 << r
  }

  /**
   * Collects the requests of the free inputs of router r (word 0: inputs 0 to 31, word 1: the rest). Returns the number
   * of requests.
   */
  function requestsOf(r: number, word: number, t: number): number {
    const wanted = wants
    const first = r * PS
    const free = ~busyOut[r << 1]
    const freeToo = NARROW ? 0 : ~busyOut[(r << 1) + 1]
    let requesting = 0
    for (let m = requesters[(r << 1) + word] & ~busyIn[(r << 1) + word]; m !== 0; m &= m - 1) {
      const i = (word << 5) + low(m)
      const q = i < R ? first + i : PORTS + r
      for (let level = 0; level < LEVELS; level++) {
        const at = (q * LEVELS + level) << 1
        const a = wanted[at] & free
        const b = NARROW ? 0 : wanted[at + 1] & freeToo
        if ((a | b) !== 0 && requests(r, q, i, level, a, b, t)) requesting++
      }
    }
    return requesting
  }

  /** Requests those of the given free outputs that can accept a packet from input q now. Returns false if none can. */
  function requests(r: number, q: number, i: number, level: number, low: number, high: number, t: number): boolean {
    const a = able(r, q, i, level, low, 0, t)
    const b = NARROW ? 0 : able(r, q, i, level, high, 32, t)
    if ((a | b) === 0) return false
    if (BY_VC) requestOne(q, i, level, a, b)
    else request(level, i, a, b)
    return true
  }

  /** Requests one output only: the one whose VC comes first in round-robin order. */
  function requestOne(q: number, i: number, level: number, a: number, b: number): void {
    let best = 0
    let least = 256
    for (let word = 0; word < (NARROW ? 1 : 2); word++)
      for (let m = word === 0 ? a : b; m !== 0; m &= m - 1) {
        const o = (word << 5) + low(m)
        const wait = (found[(level << 13) | (i << 6) | o] - turn[q]) & VMASK
        if (wait >= least) continue
        least = wait
        best = o
      }
    request(level, i, best < 32 ? 1 << best : 0, best < 32 ? 0 : 1 << best)
  }

  /**
   * Returns those of the given outputs that can accept a head packet of input q, and records its VCs in `found`. Input
   * q stops requesting the other outputs until buffer space becomes free there.
   */
  function able(r: number, q: number, i: number, level: number, outputs: number, base: number, t: number): number {
    let can = outputs
    for (let m = outputs; m !== 0; m &= m - 1) {
      const o = base + low(m)
      const v = vcFor(r, q, o, level, t)
      if (v >= 0) found[(level << 13) | (i << 6) | o] = v
      else {
        can &= ~(m & -m)
        stall(q, o, level)
      }
    }
    return can
  }

  /**
   * Returns the VC of input q whose head packet can go to output o | its output VC << 8, or -1 if there is none. Scans
   * the VCs round-robin from turn[q].
   */
  function vcFor(r: number, q: number, o: number, level: number, t: number): number {
    const m = waiting[q * R + o] & levels[level] & (TURNS ? turns!.stage.columns.allocated[q * R + o] : -1)
    let first = m & (-1 << turn[q])
    let second = m ^ first
    for (;;) {
      if (first === 0) {
        if (second === 0) return -1
        first = second
        second = 0
      }
      const v = low(first)
      first &= first - 1
      const p = heads[queueOf(q, o, v)]
      if (TURNS) {
        if (turns!.holds(r * PS + o, p)) return v | (sVc[p << 2] << 8)
        continue
      }
      const got = choose(q, r * PS + o, p)
      if (got >= 0) return v | (got << 8)
      if (got === NONE && ((stalledSince[q * R + o] >>> v) & 1) === 0) stalledFrom(q, o, v, p, t)
    }
  }

  /** Packet p has a credit stall from cycle t on. Rare, so it is a separate function outside of the hot loop. */
  function stalledFrom(q: number, o: number, v: number, p: number, t: number): void {
    stalledSince[q * R + o] |= 1 << v
    stalledInputs[router[q]]++
    pHops[p] -= t << SHIFT
  }

  /** Starts the transfer from input q to output o that `able` has found. */
  function move(r: number, q: number, o: number, level: number, s: number, t: number): void {
    const i = local[q]
    const got = found[(level << 13) | (i << 6) | o]
    const v = got & 255
    const port = r * PS + o
    busyIn[(r << 1) + (NARROW ? 0 : i >> 5)] |= 1 << i
    busyOut[(r << 1) + (NARROW ? 0 : o >> 5)] |= 1 << o
    if (SENSES) sensing!.starts(q, o, v)
    if (TURNS) turns!.stage.starts(q, o, v, port)
    const p = leave(q, o, v, t)
    if (SENSES) {
      sensing!.seen(q, o, v, (waiting[q * R + o] >>> v) & 1, t)
      sensing!.crosses(port, p, t)
    }
    if (READS) telemetry!.crosses(port, p, t)
    const f = pFlits[p]
    if (stalledInputs[r] !== 0 && ((stalledSince[q * R + o] >>> v) & 1) !== 0) {
      forget(q, o, v)
      pHops[p] += t << SHIFT
    }
    turn[q] = (v + 1) & VMASK
    let end = s + f
    // The packet is still arriving: the transfer cannot end before its tail has arrived.
    if (HEAD && tailAt[q] > t && lastIn[q] === p) {
      const tail = Math.ceil((tailAt[q] * LINK) / CORE) + 1
      if (tail > end) end = tail
    }
    from[port] = q
    moving[port] = (v << 16) | f
    until[port] = end
    ends[Math.imul(wheel + (end & MASK), WORDS) + ((port - portBase) >> 5)] |= 1 << port
    packetHops[me * APART]++
    flitHops[me * APART] += f
    take(port, got >> 8, level, p, t)
    if (EACH) {
      const coming = (HEAD || STREAMS) && tailAt[q] > t && lastIn[q] === p
      flitCredits!.starts(q, v, port, got >> 8, f, s, coming ? tailAt[q] - f + 1 : 0)
    } else if (!TAIL && q < PORTS) returnCredit((q << LV) + v, f, s * CORE === t * LINK ? t : t + 1)
  }

  function ended(port: number, s: number, t: number): void {
    const q = from[port]
    const r = router[port]
    const i = local[q]
    const o = local[port]
    busyIn[(r << 1) + (NARROW ? 0 : i >> 5)] &= ~(1 << i)
    busyOut[(r << 1) + (NARROW ? 0 : o >> 5)] &= ~(1 << o)
    const rest = EACH && flitCredits!.ended(q)
    if (TURNS) {
      turns!.stage.ended(q, port, rest)
      needsArbitration[r >> 5] |= 1 << r
    }
    if (SENSES) crossed(q, o, moving[port] >> 16, t)
    if (TAIL && q < PORTS)
      returnCredit((q << LV) + (moving[port] >> 16), moving[port] & 0xffff, s * CORE === t * LINK ? t : t + 1)
    // Busy inputs request again when they become free, so only free ones need arbitration now.
    const low = requesters[r << 1] & ~busyIn[r << 1]
    const high = NARROW ? 0 : requesters[(r << 1) + 1] & ~busyIn[(r << 1) + 1]
    if ((low | high) !== 0) needsArbitration[r >> 5] |= 1 << r
  }

  /** Updates the contention counters after a transfer: the next packet of the VC is now at the head. */
  function crossed(q: number, o: number, v: number, t: number): void {
    sensing!.ends(q)
    if (VOQ && ((FIFOS >>> v) & 1) === 0) sensing!.seen(q, o, v, (waiting[q * R + o] >>> v) & 1, t)
    else for (let other = 0; other < R; other++) sensing!.seen(q, other, v, (waiting[q * R + other] >>> v) & 1, t)
  }

  function forget(q: number, o: number, v: number): void {
    if (((stalledSince[q * R + o] >>> v) & 1) === 0) return
    stalledSince[q * R + o] &= ~(1 << v)
    stalledInputs[router[q]]--
  }

  function head(r: number, level: number, i: number, o: number): number {
    const v = found[(level << 13) | (i << 6) | o] & 255
    return heads[queueOf(i < R ? r * PS + i : PORTS + r, o, v)]
  }

  return { columns, wheelMask: MASK, enter, arbitrate, ended, forget, head }
}
