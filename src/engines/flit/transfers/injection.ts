// Injection at endpoints in the packet-moving engine. Messages to the switch are sent first. Then packets follow class
// by class, in order of priority level. Within a class, created packets that wait (control.ts) precede new data. The
// queues of messages send one packet each, round-robin, as far as the protocol and credits allow. loop.ts calls
// `inject` in each cycle; only endpoints with a bit in `endReady` are visited.
//
// The state of an endpoint (END), of its queues (RING) and of messages (MESSAGE) is described in fabric/packets.ts.
import { lowest } from "../../../core/bitset.ts"
import { draw, streamOf } from "../../../core/rng.ts"
import { scratch, scratchOf } from "../../../fabric/columns.ts"
import {
  DIRECT as DIRECT_MARK,
  END as END_WORDS,
  FLAG as FLAGS,
  MESSAGE as MESSAGE_WORDS,
  RING as RING_WORDS,
  recordViews,
} from "../../../fabric/packets.ts"
import {
  classOfPacked,
  DIRECT_CLASS,
  type EndpointProtocol,
  KIND,
  OWN_CLASS,
  PLAIN_CLASS,
  UNTIL_WOKEN,
} from "../../../model/protocol.ts"
import { TRACE } from "../../../model/trace-events.ts"
import type { Counting } from "../counting.ts"
import type { Tracing } from "../trace.ts"
import { ANY_TIME } from "./control.ts"
import type { Entry } from "./entry.ts"
import type { PacketLinks } from "./links.ts"
import type { Messages } from "./messages.ts"
import type { RankAdapter } from "./rank-adapter.ts"
import type { Records } from "./records.ts"
import type { TransferLoopSpec } from "./spec.ts"
import type { Wakes } from "./wakes.ts"

export interface Injection {
  enter(part: number): void
  inject(t: number): void
  /** Called when a source of endpoint e creates its next message. */
  due(e: number, stream: number): void
}

export function makeInjection(
  spec: TransferLoopSpec,
  { fly, receiveAt }: PacketLinks,
  { record }: Records,
  { fill, toRing, leaveRing, skipFull, advanceQueue }: Messages,
  { seriesAt }: Counting,
  { ON: TRACES, traceEvent }: Tracing,
  { wake, wakeAt }: Wakes,
  { vcFor, take }: Entry,
  protocol: EndpointProtocol | undefined,
  asked: Int32Array,
  rankAdapter: RankAdapter | undefined,
): Injection {
  const low = lowest
  // Imported constants cost a load at each access; local copies do not.
  const END = END_WORDS
  const RING = RING_WORDS
  const MESSAGE = MESSAGE_WORDS
  const FLAG = FLAGS
  const DIRECT = DIRECT_MARK
  const AT_ANY_TIME = ANY_TIME
  const { layout, columns, constants, hold, plan, streamClass } = spec
  const { LV, entry, entryLatency, outerEnd, firstEnd } = layout
  const { packets, ends, rings, messages, waitHead, waits, endReady, endIn, seriesIn, flowNext } = columns
  const { streams: STREAMS, wheelMask: WM, endWords: EW, backlog: BACKLOG, sequence: SEQUENCED } = constants
  const { classes: CLASSES, dataClasses: DATA, kinds: KINDS, kind: KIND_AT, value: VALUE, tells: TELLS } = constants
  const {
    pNext,
    pSrc,
    pDst,
    pCreated,
    pEnter,
    pKey,
    pFlits,
    pHops,
    pState,
    pCopy,
    pPlace,
    pSequence,
    sVc,
    sFlags,
    sStream,
  } = recordViews(packets)
  const pKind = packets.subarray(KIND_AT)
  const pValue = packets.subarray(VALUE)
  const ACTIVE = spec.onCreate ? BACKLOG : constants.active
  const { length } = spec.sources
  const PLAIN = plan.plain
  const LEVELS = plan.levels.length
  // A queue with a full VL does not block queues with other VLs.
  const PASS = (spec.lanes?.count ?? 1) > 1
  // IN_TURN: classes of a level are served round-robin. Otherwise the oldest message is sent first.
  const IN_TURN = constants.queues > 1
  const MAY = protocol?.mayInject !== undefined
  // If all queues were tried without credits, nothing changes until a credit or a new queue arrives (`stuck`).
  const STICKS = PASS && !MAY && protocol?.vcClass === undefined
  // Packets first enter queues of the protocol (`joins`), which then selects the next one.
  const STAGED = protocol?.next !== undefined
  const INJECTED = protocol?.injected !== undefined
  const RIDES = protocol?.vcClass !== undefined
  const { injected: LEFT, sent: SENT } = TRACE
  const { ack: ACK } = KIND
  const WOKEN = UNTIL_WOKEN
  const KEYS = constants.seed ^ 0x5bd1e995
  const { scheduler, ages: AGES } = spec
  const SCHEDULED = scheduler !== undefined
  // [class] -> flits and creation time of its next packet.
  const sizes = scratch(CLASSES)
  const created = scratch(CLASSES)
  // Ranks of parallel programs: their stream, flits of their packets.
  const JOBS = spec.ranks?.stream ?? -1
  const JOB_PACKET = spec.ranks?.packet ?? 1
  const { job: JOB } = constants
  const jobOf = spec.ranks?.columns.jobOf ?? scratch(1)
  const lastOf = spec.ranks?.columns.lastOf ?? scratch(1)
  const direct = scratchOf(plan.classes.map((c) => (c.direct ? 1 : 0)))
  const levelOf = scratchOf(plan.classes.map((c) => plan.levelOf[c.first]))
  // [level] -> 1 if data of other levels may use it.
  const carries = scratch(LEVELS)
  for (let c = 0; c < CLASSES; c++) if (RIDES && plan.classes[c].control !== true) carries[levelOf[c]] = 1
  // The running partition.
  let me = 0
  let endBase = 0
  // Results of the last search: the VC of the packet; whether only the protocol blocks the packets that were tried.
  let vc = 0
  let held = false
  // A created packet waits for credits.
  let full = false

  function enter(part: number): void {
    me = part
    endBase = firstEnd[part]
  }

  function due(e: number, stream: number): void {
    rings[(e * DATA + (DATA === 1 ? 0 : streamClass[stream])) * RING.size + RING.behind] = 1
    wake(e)
  }

  function inject(t: number): void {
    const ready = me * EW
    for (let w = 0; w < EW; w++) {
      let m = endReady[ready + w]
      if (m === 0) continue
      endReady[ready + w] = 0
      while (m !== 0) {
        const e = endBase + (w << 5) + low(m)
        m &= m - 1
        for (let ring = e * DATA; ring < (e + 1) * DATA; ring++)
          if (rings[ring * RING.size + RING.behind] !== 0) fill(e, ring, t, ACTIVE)
        if (STAGED) admit(e, t)
        if (ends[e * END.size + END.until] <= t) sendOne(e, t)
      }
    }
  }

  /** Moves packets from the message queues to those of the protocol, as long as it accepts them. */
  function admit(e: number, t: number): void {
    for (let p = ofClass(e, 0, 0, t); p !== 0; p = ofClass(e, 0, 0, t)) protocol!.joins!(e, p, t)
  }

  /** Returns the packet that the queues of the protocol send next. */
  function nextStaged(e: number, t: number): number {
    const p = protocol!.next!(e, t)
    if (p !== 0) enters(e, p, pDst[p], sStream[p << 2], pFlits[p], t)
    return p
  }

  /**
   * Sends one packet, if possible. It runs again after a credit, a message, a protocol event or the end of a
   * transmission.
   */
  function sendOne(e: number, t: number): void {
    if (TELLS && ends[e * END.size + END.noteHead] !== 0) {
      sendControl(e, t)
      return
    }
    const p = STAGED ? nextStaged(e, t) : SCHEDULED ? scheduled(e, t) : PLAIN ? ofClass(e, 0, 0, t) : firstOfAll(e, t)
    if (p === 0) return
    const f = pFlits[p]
    take(e, vc, p, f)
    sVc[p << 2] = vc
    // The head is at the router after the link latency; `hold` delays it until the flits cannot run out (cut-through).
    fly(entry[e] >> LV, p, t + entryLatency[e] + hold[f])
    ends[e * END.size + END.until] = t + f
    wakeAt(e, t + f)
  }

  function sendControl(e: number, t: number): void {
    const p = ends[e * END.size + END.noteHead]
    const f = pFlits[p]
    ends[e * END.size + END.noteHead] = pNext[p]
    receiveAt(entry[e] >> LV, p, t + entryLatency[e] + f)
    ends[e * END.size + END.until] = t + f
    // At most one message per cycle, even if it has no length.
    wakeAt(e, f > 0 ? t + f : t + 1)
  }

  /**
   * Lets the scheduler choose among the classes whose first packet has credits for its whole length. It is called even
   * if there is none, because its state may depend on that.
   */
  function scheduled(e: number, t: number): number {
    let can = 0
    for (let c = 0; c < DATA; c++) {
      const ring = (e * DATA + c) * RING.size
      if (rings[ring + RING.count] === 0) continue
      const i = rings[ring + RING.head]
      const stream = messages[i + MESSAGE.stream]
      const f = stream === JOBS ? jobFlits(i) : length(stream, outerEnd[e], messages[i + MESSAGE.count])
      if (vcFor(e, c, messages[i + MESSAGE.to], f, false, t) < 0) continue
      can |= 1 << c
      sizes[c] = f
      if (AGES) created[c] = messages[i + MESSAGE.createdAt]
    }
    const c = scheduler!.pick(e, can, sizes, created, 0)
    if (c < 0) return 0
    const p = nextData(e, c, levelOf[c], t)
    if (p !== 0) scheduler!.sent(e, c, pFlits[p], t)
    return p
  }

  /**
   * Returns the first packet that can go, by priority level. Classes of a level are served round-robin, or in order of
   * creation with created packets first.
   */
  function firstOfAll(e: number, t: number): number {
    for (let level = 0; level < LEVELS; level++) {
      let tried = 0
      for (;;) {
        const c = nextClass(e, level, tried)
        if (c < 0) break
        tried |= 1 << c
        const p = ofClass(e, c, level, t)
        if (p === 0) continue
        ends[e * END.size + END.turn] = c
        return p
      }
    }
    return 0
  }

  /** Returns the next untried class that has something to send at this level, or -1. */
  function nextClass(e: number, level: number, tried: number): number {
    const last = ends[e * END.size + END.turn]
    let found = -1
    let least = 0
    for (let c = 0; c < CLASSES; c++) {
      if (((tried >> c) & 1) !== 0 || (levelOf[c] !== level && (c >= DATA || carries[level] === 0))) continue
      const p = waitHead[e * CLASSES + c]
      const ring = (e * DATA + c) * RING.size
      const waits = c < DATA && rings[ring + RING.count] !== 0
      if (p === 0 && !waits) continue
      const order = IN_TURN ? (c > last ? c - last : c - last + CLASSES) : p !== 0 ? -1 : createdAt(ring)
      if (found >= 0 && order >= least) continue
      found = c
      least = order
    }
    return found
  }

  function createdAt(ring: number): number {
    return messages[rings[ring + RING.head] + MESSAGE.createdAt]
  }

  /**
   * Returns the packet of class c that goes next at this level; 0 if none can. A created packet without credits blocks
   * new data of its class.
   */
  function ofClass(e: number, c: number, level: number, t: number): number {
    if (waitHead[e * CLASSES + c] !== 0 && (PLAIN || levelOf[c] === level)) {
      const p = waiting(e, c, t)
      if (p !== 0 || full) return p
    }
    if (c >= DATA || (!PLAIN && !RIDES && levelOf[c] !== level)) return 0
    let p = nextData(e, c, level, t)
    while (p === 0 && held && another(e, c, t)) p = nextData(e, c, level, t)
    return p
  }

  /**
   * Returns the first created packet of a class if it may go and has credits; otherwise 0. `full`: it has no credits.
   */
  function waiting(e: number, c: number, t: number): number {
    const p = waitHead[e * CLASSES + c]
    const f = pFlits[p]
    const data = (sFlags[p << 2] & FLAG.ack) === 0
    full = false
    // ENTER of a waiting data packet is the earliest cycle of its departure (the turnaround of a reply).
    if (data && pEnter[p] > t) {
      wakeAt(e, pEnter[p])
      return 0
    }
    const v = vcFor(e, c, pDst[p], f, !data, t)
    if (v < 0) {
      full = true
      return 0
    }
    if (data) {
      const to = pDst[p]
      const fresh = pEnter[p] !== AT_ANY_TIME
      asked[0] = 0
      const again = MAY && fresh ? protocol!.mayInject!(e, to, f, t) : 0
      if (again !== 0) {
        if (again !== WOKEN) wakeAt(e, again - t > WM ? t + WM : again)
        return 0
      }
      if (SEQUENCED && fresh) pSequence[p] = flowNext[e * layout.graph.ends + to]++
      enters(e, p, to, sStream[p << 2], f, t)
    } else if (TRACES) traceEvent(SENT, pSrc[p], pDst[p], KINDS ? pKind[p] : ACK)
    vc = v
    waitHead[e * CLASSES + c] = pNext[p]
    waits[e]--
    return p
  }

  /** Counts a data packet that starts to leave its endpoint. */
  function enters(e: number, p: number, to: number, stream: number, f: number, t: number): void {
    pEnter[p] = t
    endIn[e * STREAMS + stream] += f
    seriesIn[seriesAt(stream, t)] += f
    if (TRACES) traceEvent(LEFT, pSrc[p], to, pKey[p])
    if (INJECTED) protocol!.injected!(e, to, p, t)
  }

  /** Stores one more message if the protocol blocks all stored ones. Returns true if there was one. */
  function another(e: number, c: number, t: number): boolean {
    const ring = e * DATA + c
    const stored = rings[ring * RING.size + RING.stored]
    if (rings[ring * RING.size + RING.behind] === 0 || stored === BACKLOG) return false
    fill(e, ring, t, stored + 1)
    return rings[ring * RING.size + RING.stored] > stored
  }

  /** Returns the flits of the next packet of a rank's message. */
  function jobFlits(i: number): number {
    return messages[i + MESSAGE.left] === 1 ? lastOf[i / MESSAGE.size] : JOB_PACKET
  }

  /** Assigns packet p to its rank's message, and reports the departure of the last packet. */
  function ofJob(p: number, i: number, f: number, t: number): void {
    const m = jobOf[i / MESSAGE.size]
    packets[p + JOB] = m
    if (messages[i + MESSAGE.left] === 1) rankAdapter!.left(m, t + f)
  }

  /**
   * Returns the next packet of the first queue in the ring that may send at this level; 0 if none may. `held`: only the
   * protocol blocks them.
   */
  function nextData(e: number, c: number, level: number, t: number): number {
    const ring = e * DATA + c
    const at = ring * RING.size
    let ask = 0
    let others = false
    held = false
    if (STICKS) {
      if (rings[at + RING.stuck] !== 0 || rings[at + RING.count] === 0) return 0
      if (skipFull(e, ring)) {
        rings[at + RING.stuck] = 1
        return 0
      }
    }
    // Each queue is tried once. A blocked queue moves to the end of the ring.
    for (let n = rings[at + RING.count]; n > 0; n--) {
      const i = rings[at + RING.head]
      const stream = messages[i + MESSAGE.stream]
      const to = messages[i + MESSAGE.to]
      const from = outerEnd[e]
      // `requested` data for EndpointSite.message: the protocol may query the length of this message.
      const number = messages[i + MESSAGE.count]
      if (RIDES) {
        asked[0] = i
        asked[1] = from
      }
      const how = RIDES ? protocol!.vcClass!(e, to, t) : PLAIN_CLASS
      const rides = RIDES && classOfPacked(how) !== OWN_CLASS ? classOfPacked(how) : c
      if (!RIDES || levelOf[rides] === level) {
        const f = stream === JOBS ? jobFlits(i) : length(stream, from, number)
        const v = STAGED ? 0 : vcFor(e, rides, to, f, false, t)
        if (v < 0 && !RIDES && !PASS) return 0
        const again = v >= 0 && MAY ? protocol!.mayInject!(e, to, f, t) : 0
        if (v >= 0 && again === 0) {
          const p = record()
          if (p === 0) {
            wakeAt(e, t + 1)
            return 0
          }
          pSrc[p] = from
          pDst[p] = to
          pCreated[p] = messages[i + MESSAGE.createdAt]
          // As in the flit engine, the key depends on stream, endpoint and number only.
          pKey[p] = draw(streamOf(KEYS, Math.imul(stream, 0x9e3779b1) + from), number)
          pFlits[p] = f
          pHops[p] = 0
          pState[p] = stream << 24
          pCopy[p] = 0
          pPlace[p] = RIDES && (direct[rides] | (how & DIRECT_CLASS)) !== 0 ? entryLatency[e] | DIRECT : entryLatency[e]
          pSequence[p] = SEQUENCED ? flowNext[e * layout.graph.ends + to]++ : 0
          if (KINDS) {
            pKind[p] = how & 255
            pValue[p] = 0
          }
          if (stream === JOBS) ofJob(p, i, f, t)
          messages[i + MESSAGE.count] = number + 1
          if (!STAGED) enters(e, p, to, stream, f, t)
          leaveRing(ring, i)
          advanceQueue(e, ring, i)
          vc = v
          return p
        }
        if (v < 0) others = true
        else if (ask === 0 || again < ask) ask = again
      } else others = true
      leaveRing(ring, i)
      toRing(ring, i)
    }
    if (STICKS) rings[at + RING.stuck] = 1
    // The protocol named the earliest cycle in which a packet may go; the wheel limits how far ahead that can be
    // scheduled.
    if (ask > 0) {
      held = !others
      if (ask !== WOKEN) wakeAt(e, ask - t > WM ? t + WM : ask)
    }
    return 0
  }

  return { enter, inject, due }
}
