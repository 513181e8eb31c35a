// Arrival of packets at endpoints: data are judged, counted and acknowledged; acknowledgements open windows.

import { BINS, bin } from "../../../core/histogram.ts"
import { CONTROL, STAT } from "../../../fabric/flit.ts"
import {
  BIRTH,
  CREDIT_SHIFT,
  DIRECT,
  DST,
  END,
  ENTER,
  FLAG,
  FLITS,
  HOP_MASK,
  HOPS,
  KEY,
  LATE_SHIFT,
  NEXT,
  PLACE,
  SRC,
  STATE,
  WIRE_MASK,
} from "../../../fabric/packets.ts"
import type { EndpointProtocol } from "../../../model/protocol.ts"
import type { Counting } from "../counting.ts"
import type { Injection } from "./injection.ts"
import type { Records } from "./records.ts"
import type { TransferLoopSpec } from "./spec.ts"
import { ABANDONED, EARLY, NEW, REFUSED, VERDICTS, type Verdicts } from "./verdict.ts"

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
  { discard }: Records,
  { judge }: Verdicts,
  { wake }: Injection,
  { lane, seriesAt, went, trace }: Counting,
  protocol: EndpointProtocol | undefined,
): Delivery {
  const { columns, constants, hold, ack: ACK } = spec
  const { packets, ends, endOut, stat, histogram, networkHistogram, control, stashed } = columns
  const { seriesCount, seriesFlits, seriesLatency, seriesNetwork } = columns
  const { streams: STREAMS, sequence: SEQUENCED } = constants
  const bytes = new Uint8Array(packets.buffer)
  // the quickest phase of the two clocks; what others add to it is in the packet
  const RECEIVES = protocol?.received !== undefined
  const HEARS = protocol?.heard !== undefined
  const PASS = Math.min(...spec.pass)

  function deliver(e: number, p: number, t: number): void {
    const at = (p + STATE) << 2
    const flags = bytes[at + 2]!
    if ((flags & FLAG.lost) !== 0) {
      discard(p)
      return
    }
    if ((flags & FLAG.ack) !== 0) {
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
    if (verdict === NEW) count(e, p, bytes[at + 3]!, t)
    else if (verdict === ABANDONED) abandoned(p, bytes[at + 3]!)
    if (ACK === 0) {
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
    packets[p + NEXT] = 0
    const own = e * END.size
    if (ends[own + END.ackHead] === 0) ends[own + END.ackHead] = p
    else packets[ends[own + END.ackTail]! + NEXT] = p
    ends[own + END.ackTail] = p
    wake(e)
  }

  /** It will not come: nobody waits for it any more. */
  function abandoned(p: number, stream: number): void {
    const row = lane(stream) * STAT.width
    const born = packets[p + BIRTH]!
    stat[row + STAT.abandoned]!++
    if (born >= control[CONTROL.from]! && born < control[CONTROL.to]!) stat[row + STAT.measuredOpen]!--
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
      stat[row + STAT.pipeline]! += hops * (hold[f]! + PASS) + (place >> LATE_SHIFT)
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
