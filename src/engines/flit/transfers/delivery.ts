// Arrival of packets at endpoints: data are judged, counted and acknowledged; acknowledgements open windows.

import { BINS, bin } from "../../../core/histogram.ts"
import { draw } from "../../../core/rng.ts"
import { CONTROL as CONTROLS, STAT as STATS } from "../../../fabric/flit.ts"
import { CREDIT_SHIFT, DIRECT as DIRECT_MARK, FLAG, HOP_MASK, LATE_SHIFT, recordViews, WIRE_MASK } from "../../../fabric/packets.ts"
import { FACT } from "../../../model/facts.ts"
import { type EndpointProtocol, KIND } from "../../../model/protocol.ts"
import type { Counting } from "../counting.ts"
import type { Facts } from "../facts.ts"
import type { Control } from "./control.ts"
import type { Records } from "./records.ts"
import type { RankSeat } from "./seat.ts"
import type { TransferLoopSpec } from "./spec.ts"
import { ABANDONED, EARLY, NEW, REFUSED, VERDICTS, type Verdicts } from "./verdict.ts"
import type { Wakes } from "./wakes.ts"

/** [verdict] -> flags of the answer */
const NEGATIVE = new Uint8Array(VERDICTS)
NEGATIVE[REFUSED] = FLAG.negative
NEGATIVE[EARLY] = FLAG.negative | FLAG.early

export interface Delivery {
  deliver(e: number, p: number, t: number): void
  /** a message of its switch reaches endpoint e */
  heard(e: number, p: number, t: number): void
}

export function makeDelivery(
  spec: TransferLoopSpec,
  { record, discard }: Records,
  { judge }: Verdicts,
  { push, crowded, abandoned }: Control,
  { wake }: Wakes,
  { lane, seriesAt, created, went, trace }: Counting,
  { ON: FACTS, fact }: Facts,
  protocol: EndpointProtocol | undefined,
  seat: RankSeat | undefined,
): Delivery {
  const { columns, constants, hold, ack: ACK } = spec
  const { packets, endOut, stat, histogram, networkHistogram, control, stashed } = columns
  const { seriesCount, seriesFlits, seriesLatency, seriesNetwork } = columns
  const { streams: STREAMS, sequence: SEQUENCED, kinds: KINDS, kind: KIND_AT, value: VALUE } = constants
  const { pSrc, pDst, pBirth, pEnter, pKey, pFlits, pHops, pState, pCopy, pPlace, pSequence, sFlags, sStream } = recordViews(packets)
  const pKind = packets.subarray(KIND_AT)
  const pValue = packets.subarray(VALUE)
  // constants of other modules cost a load each time they are read; these do not
  const CONTROL = CONTROLS
  const STAT = STATS
  const FLAGS = FLAG
  const DIRECT = DIRECT_MARK
  const HOPS_ONLY = HOP_MASK
  const WIRES_ONLY = WIRE_MASK
  const [TO_CREDIT, TO_LATE] = [CREDIT_SHIFT, LATE_SHIFT]
  const binOf = bin
  const ROW = BINS
  // the quickest phase of the two clocks; what others add to it is in the packet
  const { replyLength, replyStream } = spec.sources
  const { entryLatency } = spec.layout
  const { streamClass, turnaround: TURN } = spec
  const REPLIES = spec.sources.replies
  const PLAIN = spec.plan.plain
  const DELIVERED = protocol?.delivered !== undefined
  const RECEIVES = protocol?.received !== undefined
  const HEARS = protocol?.heard !== undefined
  const { delivered: ARRIVED, received: CAME_BACK } = FACT
  const PASS = Math.min(...spec.pass)
  const JOBS = spec.ranks?.stream ?? -1
  const { job: JOB } = constants

  function deliver(e: number, p: number, t: number): void {
    const at = p << 2
    const flags = sFlags[at]!
    if ((flags & FLAGS.lost) !== 0) {
      discard(p)
      return
    }
    if ((flags & FLAGS.ack) !== 0) {
      if (FACTS) fact(CAME_BACK, pSrc[p]!, pDst[p]!, KINDS ? pKind[p]! : KIND.ack)
      // a refusal, a damaged answer or a second one changes nothing here
      if (RECEIVES && (flags & (FLAGS.negative | FLAGS.spoilt)) === 0) {
        const kept = protocol!.received!(e, p, t)
        wake(e)
        if (kept) return
      }
      discard(p)
      return
    }
    const verdict = SEQUENCED ? judge(e, p) : NEW
    const stream = sStream[at]!
    if (verdict === NEW) {
      if (FACTS) fact(ARRIVED, pSrc[p]!, pDst[p]!, pKey[p]!)
      count(e, p, stream, t)
      if (stream === JOBS) seat!.arrived(packets[p + JOB]!, t)
      if (DELIVERED) protocol!.delivered!(e, p, t)
      if (REPLIES && replyLength[stream]! > 0 && reply(e, p, stream, t)) return
    } else if (verdict === ABANDONED) abandoned(p)
    if (ACK === 0 || crowded(e)) {
      discard(p)
      return
    }
    // the same record goes back as the acknowledgement
    const from = pSrc[p]!
    pSrc[p] = pDst[p]!
    pDst[p] = from
    // a notice is shorter than the packet that it is about, and says how long that was
    if ((flags & FLAGS.given) === 0) pEnter[p] = pFlits[p]!
    pPlace[p] = DIRECT
    pFlits[p] = ACK
    pHops[p] = 0
    sFlags[at] = FLAGS.ack | (flags & FLAGS.marked) | NEGATIVE[verdict]!
    if (KINDS) {
      pKind[p] = KIND.ack
      pValue[p] = pEnter[p]!
    }
    push(e, PLAIN ? 0 : streamClass[stream]!, p)
  }

  /** The answer that a stream asks for, in the record of its request unless that goes back as an acknowledgement. Answers whether it does. */
  function reply(e: number, request: number, stream: number, t: number): boolean {
    if (crowded(e)) return false
    const p = ACK === 0 ? request : record()
    if (p === 0) return false
    const from = pDst[request]!
    const other = replyStream[stream]!
    pDst[p] = pSrc[request]!
    pSrc[p] = from
    pBirth[p] = t
    pEnter[p] = t + TURN
    // the request itself draws with numbers from 0 up
    pKey[p] = draw(pKey[request]!, -1)
    pFlits[p] = replyLength[stream]!
    pHops[p] = 0
    pState[p] = other << 24
    pCopy[p] = 0
    pPlace[p] = entryLatency[e]!
    pSequence[p] = 0
    if (KINDS) {
      pKind[p] = KIND.data
      pValue[p] = 0
    }
    created(other, t, 1)
    push(e, streamClass[other]!, p)
    return ACK === 0
  }

  function count(e: number, p: number, stream: number, t: number): void {
    const f = pFlits[p]!
    const hops = pHops[p]! & HOPS_ONLY
    const from = pSrc[p]!
    const place = pPlace[p]!
    const born = pBirth[p]!
    const took = t - born
    const network = t - pEnter[p]!
    const si = seriesAt(stream, t)
    const l = lane(stream)
    const row = l * STAT.width
    endOut[e * STREAMS + stream]! += f
    seriesFlits[si]! += f
    seriesCount[si]!++
    seriesLatency[si]! += took
    seriesNetwork[si]! += network
    stat[row + STAT.delivered]!++
    if (born >= control[CONTROL.from]! && born < control[CONTROL.to]!) {
      stat[row + STAT.measured]!++
      stat[row + STAT.measuredOpen]!--
      stat[row + STAT.latency]! += took
      stat[row + STAT.latencySquared]! += took * took
      stat[row + STAT.network]! += network
      if (took > stat[row + STAT.max]!) stat[row + STAT.max] = took
      if (took < stat[row + STAT.min]!) stat[row + STAT.min] = took
      if (network > stat[row + STAT.networkMax]!) stat[row + STAT.networkMax] = network
      histogram[l * ROW + binOf(took)]!++
      networkHistogram[l * ROW + binOf(network)]!++
      went(l, from, pDst[p]!, hops, place & WIRES_ONLY, pHops[p]! >>> TO_CREDIT, f)
      stat[row + STAT.pipeline]! += hops * (hold[f]! + PASS) + ((place & ~DIRECT) >> TO_LATE)
      if ((sFlags[p << 2]! & FLAGS.stashed) !== 0) stat[row + STAT.stash]! += stashed[p >> 4]!
    }
    trace(pKey[p]!, t, hops, from)
  }

  function heard(e: number, p: number, t: number): void {
    if (HEARS) protocol!.heard!(e, p, t)
    discard(p)
  }

  return { deliver, heard }
}
