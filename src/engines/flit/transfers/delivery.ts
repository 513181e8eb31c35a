// Arrival of packets at endpoints: data are judged, counted and acknowledged; acknowledgements open windows.

import { BINS, bin } from "../../../core/histogram.ts"
import { draw } from "../../../core/rng.ts"
import { CONTROL, STAT } from "../../../fabric/flit.ts"
import {
  BIRTH,
  COPY,
  CREDIT_SHIFT,
  DIRECT,
  DST,
  ENTER,
  FLAG,
  FLITS,
  HOP_MASK,
  HOPS,
  KEY,
  LATE_SHIFT,
  PLACE,
  SEQUENCE,
  SRC,
  STATE,
  WIRE_MASK,
} from "../../../fabric/packets.ts"
import { FACT } from "../../../model/facts.ts"
import { type EndpointProtocol, KIND } from "../../../model/protocol.ts"
import type { Counting } from "../counting.ts"
import type { Facts } from "../facts.ts"
import type { Control } from "./control.ts"
import type { Records } from "./records.ts"
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
): Delivery {
  const { columns, constants, hold, ack: ACK } = spec
  const { packets, endOut, stat, histogram, networkHistogram, control, stashed } = columns
  const { seriesCount, seriesFlits, seriesLatency, seriesNetwork } = columns
  const { streams: STREAMS, sequence: SEQUENCED, kinds: KINDS, kind: KIND_AT, value: VALUE } = constants
  const bytes = new Uint8Array(packets.buffer)
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

  function deliver(e: number, p: number, t: number): void {
    const at = (p + STATE) << 2
    const flags = bytes[at + 2]!
    if ((flags & FLAG.lost) !== 0) {
      discard(p)
      return
    }
    if ((flags & FLAG.ack) !== 0) {
      if (FACTS) fact(CAME_BACK, packets[p + SRC]!, packets[p + DST]!, KINDS ? packets[p + KIND_AT]! : KIND.ack)
      // a refusal, a damaged answer or a second one changes nothing here
      if (RECEIVES && (flags & (FLAG.negative | FLAG.spoilt)) === 0) {
        const kept = protocol!.received!(e, p, t)
        wake(e)
        if (kept) return
      }
      discard(p)
      return
    }
    const verdict = SEQUENCED ? judge(e, p) : NEW
    const stream = bytes[at + 3]!
    if (verdict === NEW) {
      if (FACTS) fact(ARRIVED, packets[p + SRC]!, packets[p + DST]!, packets[p + KEY]!)
      count(e, p, stream, t)
      if (DELIVERED) protocol!.delivered!(e, p, t)
      if (REPLIES && replyLength[stream]! > 0 && reply(e, p, stream, t)) return
    } else if (verdict === ABANDONED) abandoned(p)
    if (ACK === 0 || crowded(e)) {
      discard(p)
      return
    }
    // the same record goes back as the acknowledgement
    const from = packets[p + SRC]!
    packets[p + SRC] = packets[p + DST]!
    packets[p + DST] = from
    // a notice is shorter than the packet that it is about, and says how long that was
    if ((flags & FLAG.given) === 0) packets[p + ENTER] = packets[p + FLITS]!
    packets[p + PLACE] = DIRECT
    packets[p + FLITS] = ACK
    packets[p + HOPS] = 0
    bytes[at + 2] = FLAG.ack | (flags & FLAG.marked) | NEGATIVE[verdict]!
    if (KINDS) {
      packets[p + KIND_AT] = KIND.ack
      packets[p + VALUE] = packets[p + ENTER]!
    }
    push(e, PLAIN ? 0 : streamClass[stream]!, p)
  }

  /** The answer that a stream asks for, in the record of its request unless that goes back as an acknowledgement. Answers whether it does. */
  function reply(e: number, request: number, stream: number, t: number): boolean {
    if (crowded(e)) return false
    const p = ACK === 0 ? request : record()
    if (p === 0) return false
    const from = packets[request + DST]!
    const other = replyStream[stream]!
    packets[p + DST] = packets[request + SRC]!
    packets[p + SRC] = from
    packets[p + BIRTH] = t
    packets[p + ENTER] = t + TURN
    // the request itself draws with numbers from 0 up
    packets[p + KEY] = draw(packets[request + KEY]!, -1)
    packets[p + FLITS] = replyLength[stream]!
    packets[p + HOPS] = 0
    packets[p + STATE] = other << 24
    packets[p + COPY] = 0
    packets[p + PLACE] = entryLatency[e]!
    packets[p + SEQUENCE] = 0
    if (KINDS) {
      packets[p + KIND_AT] = KIND.data
      packets[p + VALUE] = 0
    }
    created(other, t, 1)
    push(e, streamClass[other]!, p)
    return ACK === 0
  }

  function count(e: number, p: number, stream: number, t: number): void {
    const f = packets[p + FLITS]!
    const hops = packets[p + HOPS]! & HOP_MASK
    const from = packets[p + SRC]!
    const place = packets[p + PLACE]!
    const born = packets[p + BIRTH]!
    const took = t - born
    const network = t - packets[p + ENTER]!
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
      histogram[l * BINS + bin(took)]!++
      networkHistogram[l * BINS + bin(network)]!++
      went(l, from, packets[p + DST]!, hops, place & WIRE_MASK, packets[p + HOPS]! >>> CREDIT_SHIFT, f)
      stat[row + STAT.pipeline]! += hops * (hold[f]! + PASS) + ((place & ~DIRECT) >> LATE_SHIFT)
      if ((bytes[((p + STATE) << 2) + 2]! & FLAG.stashed) !== 0) stat[row + STAT.stash]! += stashed[p >> 4]!
    }
    trace(packets[p + KEY]!, t, hops, from)
  }

  function heard(e: number, p: number, t: number): void {
    if (HEARS) protocol!.heard!(e, p, t)
    discard(p)
  }

  return { deliver, heard }
}
