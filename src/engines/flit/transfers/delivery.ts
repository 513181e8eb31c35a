// Arrival of packets at endpoints in the packet-moving engine. Data packets are checked (verdict.ts), counted and
// acknowledged. Acknowledgements and control packets go to the protocol, which may open its windows. due.ts calls it.

import { BINS, bin } from "../../../core/histogram.ts"
import { draw } from "../../../core/rng.ts"
import { CONTROL as CONTROLS, STAT as STATS } from "../../../fabric/flit.ts"
import {
  CREDIT_SHIFT,
  DIRECT as DIRECT_MARK,
  FLAG,
  HOP_MASK,
  LATE_SHIFT,
  recordViews,
  WIRE_MASK,
} from "../../../fabric/packets.ts"
import { type EndpointProtocol, KIND } from "../../../model/protocol.ts"
import { TRACE } from "../../../model/trace-events.ts"
import type { Counting } from "../counting.ts"
import type { Tracing } from "../trace.ts"
import type { Control } from "./control.ts"
import type { RankAdapter } from "./rank-adapter.ts"
import type { Records } from "./records.ts"
import type { TransferLoopSpec } from "./spec.ts"
import { ABANDONED, EARLY, NEW, REFUSED, VERDICTS, type Verdicts } from "./verdict.ts"
import type { Wakes } from "./wakes.ts"

/** [verdict] -> flags of the acknowledgement */
const NEGATIVE = new Uint8Array(VERDICTS)
NEGATIVE[REFUSED] = FLAG.negative
NEGATIVE[EARLY] = FLAG.negative | FLAG.early

export interface Delivery {
  deliver(e: number, p: number, t: number): void
  /** Passes a message of the switch to the protocol of endpoint e. */
  heard(e: number, p: number, t: number): void
}

export function makeDelivery(
  spec: TransferLoopSpec,
  { record, discard }: Records,
  { judge }: Verdicts,
  { push, crowded, abandoned }: Control,
  { wake }: Wakes,
  { lane, seriesAt, created, went, trace }: Counting,
  { ON: TRACES, traceEvent }: Tracing,
  protocol: EndpointProtocol | undefined,
  rankAdapter: RankAdapter | undefined,
): Delivery {
  const { columns, constants, hold, ack: ACK } = spec
  const { packets, endOut, stat, histogram, networkHistogram, control, stashed } = columns
  const { seriesCount, seriesFlits, seriesLatency, seriesNetwork } = columns
  const { streams: STREAMS, sequence: SEQUENCED, kinds: KINDS, kind: KIND_AT, value: VALUE } = constants
  const { pSrc, pDst, pCreated, pEnter, pKey, pFlits, pHops, pState, pCopy, pPlace, pSequence, sFlags, sStream } =
    recordViews(packets)
  const pKind = packets.subarray(KIND_AT)
  const pValue = packets.subarray(VALUE)
  // Imported constants cost a load at each access; local copies do not.
  const CONTROL = CONTROLS
  const STAT = STATS
  const FLAGS = FLAG
  const DIRECT = DIRECT_MARK
  const HOPS_ONLY = HOP_MASK
  const WIRES_ONLY = WIRE_MASK
  const [TO_CREDIT, TO_LATE] = [CREDIT_SHIFT, LATE_SHIFT]
  const binOf = bin
  const ROW = BINS
  // PASS is the pipeline in the fastest phase of the two clocks; the record counts the cycles that other phases add.
  const { replyLength, replyStream } = spec.sources
  const { entryLatency } = spec.layout
  const { streamClass, turnaround: TURN } = spec
  const REPLIES = spec.sources.replies
  const PLAIN = spec.plan.plain
  const DELIVERED = protocol?.delivered !== undefined
  const RECEIVES = protocol?.received !== undefined
  const HEARS = protocol?.heard !== undefined
  const { delivered: ARRIVED, received: CAME_BACK } = TRACE
  const PASS = Math.min(...spec.pass)
  const JOBS = spec.ranks?.stream ?? -1
  const { job: JOB } = constants

  function deliver(e: number, p: number, t: number): void {
    const at = p << 2
    const flags = sFlags[at]
    if ((flags & FLAGS.lost) !== 0) {
      discard(p)
      return
    }
    if ((flags & FLAGS.ack) !== 0) {
      if (TRACES) traceEvent(CAME_BACK, pSrc[p], pDst[p], KINDS ? pKind[p] : KIND.ack)
      // A negative, damaged or repeated acknowledgement has no effect here.
      if (RECEIVES && (flags & (FLAGS.negative | FLAGS.spoilt)) === 0) {
        const kept = protocol!.received!(e, p, t)
        wake(e)
        if (kept) return
      }
      discard(p)
      return
    }
    const verdict = SEQUENCED ? judge(e, p) : NEW
    const stream = sStream[at]
    if (verdict === NEW) {
      if (TRACES) traceEvent(ARRIVED, pSrc[p], pDst[p], pKey[p])
      count(e, p, stream, t)
      if (stream === JOBS) rankAdapter!.arrived(packets[p + JOB], t)
      if (DELIVERED) protocol!.delivered!(e, p, t)
      if (REPLIES && replyLength[stream] > 0 && reply(e, p, stream, t)) return
    } else if (verdict === ABANDONED) abandoned(p)
    if (ACK === 0 || crowded(e)) {
      discard(p)
      return
    }
    // The record of the packet becomes the acknowledgement.
    const from = pSrc[p]
    pSrc[p] = pDst[p]
    pDst[p] = from
    // A notice of abandonment is shorter than its packet and already carries the packet's length.
    if ((flags & FLAGS.given) === 0) pEnter[p] = pFlits[p]
    pPlace[p] = DIRECT
    pFlits[p] = ACK
    pHops[p] = 0
    sFlags[at] = FLAGS.ack | (flags & FLAGS.marked) | NEGATIVE[verdict]
    if (KINDS) {
      pKind[p] = KIND.ack
      pValue[p] = pEnter[p]
    }
    push(e, PLAIN ? 0 : streamClass[stream], p)
  }

  /**
   * Creates the reply of a stream, in the record of its request unless that becomes an acknowledgement. Returns true if
   * it used that record.
   */
  function reply(e: number, request: number, stream: number, t: number): boolean {
    if (crowded(e)) return false
    const p = ACK === 0 ? request : record()
    if (p === 0) return false
    const from = pDst[request]
    const other = replyStream[stream]
    pDst[p] = pSrc[request]
    pSrc[p] = from
    pCreated[p] = t
    pEnter[p] = t + TURN
    // The request itself draws with numbers from 0 up.
    pKey[p] = draw(pKey[request], -1)
    pFlits[p] = replyLength[stream]
    pHops[p] = 0
    pState[p] = other << 24
    pCopy[p] = 0
    pPlace[p] = entryLatency[e]
    pSequence[p] = 0
    if (KINDS) {
      pKind[p] = KIND.data
      pValue[p] = 0
    }
    created(other, t, 1)
    push(e, streamClass[other], p)
    return ACK === 0
  }

  // The latency, the network latency and the path of a measured packet enter the statistics of its stream.
  function count(e: number, p: number, stream: number, t: number): void {
    const f = pFlits[p]
    const hops = pHops[p] & HOPS_ONLY
    const from = pSrc[p]
    const place = pPlace[p]
    const createdAt = pCreated[p]
    const took = t - createdAt
    const network = t - pEnter[p]
    const si = seriesAt(stream, t)
    const l = lane(stream)
    const row = l * STAT.width
    endOut[e * STREAMS + stream] += f
    seriesFlits[si] += f
    seriesCount[si]++
    seriesLatency[si] += took
    seriesNetwork[si] += network
    stat[row + STAT.delivered]++
    if (createdAt >= control[CONTROL.from] && createdAt < control[CONTROL.to]) {
      stat[row + STAT.measured]++
      stat[row + STAT.measuredOpen]--
      stat[row + STAT.latency] += took
      stat[row + STAT.latencySquared] += took * took
      stat[row + STAT.network] += network
      if (took > stat[row + STAT.max]) stat[row + STAT.max] = took
      if (took < stat[row + STAT.min]) stat[row + STAT.min] = took
      if (network > stat[row + STAT.networkMax]) stat[row + STAT.networkMax] = network
      histogram[l * ROW + binOf(took)]++
      networkHistogram[l * ROW + binOf(network)]++
      went(l, from, pDst[p], hops, place & WIRES_ONLY, pHops[p] >>> TO_CREDIT, f)
      stat[row + STAT.pipeline] += hops * (hold[f] + PASS) + ((place & ~DIRECT) >> TO_LATE)
      if ((sFlags[p << 2] & FLAGS.stashed) !== 0) stat[row + STAT.stash] += stashed[p >> 4]
    }
    trace(pKey[p], t, hops, from)
  }

  function heard(e: number, p: number, t: number): void {
    if (HEARS) protocol!.heard!(e, p, t)
    discard(p)
  }

  return { deliver, heard }
}
