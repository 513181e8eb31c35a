// Packets that reach their endpoint: counted, answered if the stream asks for it, their records given back.
import { BINS, bin } from "../../core/histogram.ts"
import { draw } from "../../core/rng.ts"
import { CONTROL, STAT } from "../../fabric/flit.ts"
import { FACT } from "../../model/facts.ts"
import type { Births } from "./births.ts"
import type { Counting } from "./counting.ts"
import type { Facts } from "./facts.ts"
import type { Records } from "./records.ts"
import type { LoopSpec } from "./spec.ts"
import type { RankSeat } from "./transfers/seat.ts"
import { waitingRoom } from "./waiting.ts"

export interface Delivery {
  deliver(p: number, node: number, at: number, last: boolean): void
  deliverHeld(p: number, node: number, at: number): void
}

export function makeDelivery(
  spec: LoopSpec,
  records: Records,
  births: Births,
  counting: Counting,
  { ON: FACTS, factAt }: Facts,
  seat: RankSeat | undefined,
): Delivery {
  const { layout, columns, sources, turnaround: TURN } = spec
  const { ends: N, entryLatency, outerEnd } = layout
  const { endOut, stat, histogram, networkHistogram, seriesCount, seriesFlits, seriesLatency, seriesNetwork, control } = columns
  const { replyHead, replyTail, replyCount, birth } = columns
  const { streams: STREAMS, fixedLength: LEN, held: HELD, seriesInterval: SERIES } = spec.constants
  const { pSrc, pDst, pBirth, pEnter, pKey, pNext, pHops, pLen, pStream, pWait } = spec.fields
  const { lane, seriesAt, created, went, trace } = counting
  const { newPacket, discard } = records
  const { schedule } = births
  const { replyLength } = sources
  const REPLY_ROOM = waitingRoom(layout.graph.ends)
  const REPLIES = sources.replies
  const SOURCES = STREAMS * N
  // constants of other modules cost a load each time they are read; these do not
  const STATS = STAT
  const CONTROLS = CONTROL
  const HISTOGRAM_BINS = BINS
  const { delivered: DELIVERED } = FACT
  const RANKS = seat !== undefined
  const JOBS = spec.ranks?.stream ?? -1
  const { pJob } = spec.fields

  /** A packet in one piece: its head reaches the endpoint at cycle `at`, a flit in each of the following cycles. */
  function deliverHeld(p: number, node: number, at: number): void {
    const stream = STREAMS > 1 ? pStream[p]! : 0
    endOut[STREAMS > 1 ? node * STREAMS + stream : node]! += HELD - 1
    for (let f = at; f < at + HELD - 1; ) {
      const end = Math.min(f - (f % SERIES) + SERIES, at + HELD - 1)
      seriesFlits[seriesAt(stream, f)]! += end - f
      f = end
    }
    deliver(p, node, at + HELD - 1, true)
  }

  /** A flit of packet `p` reaches its endpoint at cycle `at` (in the future: the wire is already accounted for). */
  function deliver(p: number, node: number, at: number, last: boolean): void {
    const stream = STREAMS > 1 ? pStream[p]! : 0
    endOut[STREAMS > 1 ? node * STREAMS + stream : node]!++
    const si = seriesAt(stream, at)
    seriesFlits[si]!++
    if (!last) return
    const born = pBirth[p]!
    const took = at - born
    const network = at - pEnter[p]!
    const way = pHops[p]!
    const hops = way & 4095
    const l = lane(stream)
    const row = l * STATS.width
    stat[row + STATS.delivered]!++
    seriesCount[si]!++
    seriesLatency[si]! += took
    seriesNetwork[si]! += network
    if (born >= control[CONTROLS.from]! && born < control[CONTROLS.to]!) {
      stat[row + STATS.measured]!++
      stat[row + STATS.measuredOpen]!--
      stat[row + STATS.latency]! += took
      stat[row + STATS.latencySquared]! += took * took
      stat[row + STATS.network]! += network
      if (took > stat[row + STATS.max]!) stat[row + STATS.max] = took
      if (took < stat[row + STATS.min]!) stat[row + STATS.min] = took
      if (network > stat[row + STATS.networkMax]!) stat[row + STATS.networkMax] = network
      histogram[l * HISTOGRAM_BINS + bin(took)]!++
      networkHistogram[l * HISTOGRAM_BINS + bin(network)]!++
      went(l, pSrc[p]!, outerEnd[node]!, hops, way >>> 12, pWait[p]!, LEN > 0 ? LEN : pLen[p]!)
    }
    trace(pKey[p]!, at, hops, pSrc[p]!)
    if (FACTS) factAt(at, DELIVERED, pSrc[p]!, outerEnd[node]!, pKey[p]!)
    if (REPLIES && replyLength[stream]! > 0) reply(p, stream, node, at)
    if (RANKS && stream === JOBS) seat!.arrived(pJob[p]!, at)
    discard(p)
  }

  function reply(request: number, stream: number, node: number, at: number): void {
    const p = replyCount[node]! < REPLY_ROOM ? newPacket() : -1
    if (p < 0) {
      control[CONTROLS.full] = 1
      return
    }
    pSrc[p] = pDst[request]!
    pDst[p] = pSrc[request]!
    pBirth[p] = at
    pKey[p] = draw(pKey[request]!, -1) // the request itself draws with numbers from 0 up
    pHops[p] = entryLatency[node]! << 12
    pWait[p] = 0
    pStream[p] = sources.replyStream[stream]!
    if (LEN === 0) pLen[p] = replyLength[stream]!
    pNext[p] = 0
    created(pStream[p]!, at, 1)
    if (replyHead[node] === 0) {
      replyHead[node] = p + 1
      birth[SOURCES + node] = at + TURN
      schedule(SOURCES + node, at + TURN)
    } else pNext[replyTail[node]!] = p + 1
    replyTail[node] = p
    replyCount[node]!++
  }

  return { deliver, deliverHeld }
}
