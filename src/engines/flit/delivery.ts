// Delivery of packets to their endpoint in the flit engine. It counts them, creates the reply if the stream has one,
// and frees the record. loop.ts calls it when a flit is granted the last link, with the arrival time, because nothing
// can change that any more.
import { BINS, bin } from "../../core/histogram.ts"
import { draw } from "../../core/rng.ts"
import { CONTROL, STAT } from "../../fabric/flit.ts"
import { TRACE } from "../../model/trace-events.ts"
import type { Counting } from "./counting.ts"
import type { Generation } from "./generation.ts"
import type { Records } from "./records.ts"
import type { LoopSpec } from "./spec.ts"
import type { Tracing } from "./trace.ts"
import type { RankAdapter } from "./transfers/rank-adapter.ts"
import { waitingSlots } from "./waiting.ts"

export interface Delivery {
  deliver(p: number, node: number, at: number, last: boolean): void
  deliverHeld(p: number, node: number, at: number): void
}

export function makeDelivery(
  spec: LoopSpec,
  records: Records,
  generation: Generation,
  counting: Counting,
  { ON: TRACES, traceEventAt }: Tracing,
  rankAdapter: RankAdapter | undefined,
): Delivery {
  const { layout, columns, sources, turnaround: TURN } = spec
  const { ends: N, entryLatency, outerEnd } = layout
  const { endOut, stat, histogram, networkHistogram, seriesCount, seriesFlits, seriesLatency, seriesNetwork, control } =
    columns
  const { replyHead, replyTail, replyCount, creationTime } = columns
  const { streams: STREAMS, fixedLength: LEN, held: HELD, seriesInterval: SERIES } = spec.constants
  const { pSrc, pDst, pCreated, pEnter, pKey, pNext, pHops, pLen, pStream, pWait } = spec.fields
  const { lane, seriesAt, created, went, trace } = counting
  const { newPacket, discard } = records
  const { schedule } = generation
  const { replyLength } = sources
  const REPLY_SLOTS = waitingSlots(layout.graph.ends)
  const REPLIES = sources.replies
  const SOURCES = STREAMS * N
  // Imported constants cost a load at each access; local copies do not.
  const STATS = STAT
  const CONTROLS = CONTROL
  const HISTOGRAM_BINS = BINS
  const { delivered: DELIVERED } = TRACE
  const RANKS = rankAdapter !== undefined
  const JOBS = spec.ranks?.stream ?? -1
  const { pJob } = spec.fields

  /**
   * Delivers a packet that moves as a unit: its head reaches the endpoint in cycle `at`, then one flit arrives per
   * cycle.
   */
  function deliverHeld(p: number, node: number, at: number): void {
    const stream = STREAMS > 1 ? pStream[p] : 0
    endOut[STREAMS > 1 ? node * STREAMS + stream : node] += HELD - 1
    for (let f = at; f < at + HELD - 1; ) {
      const end = Math.min(f - (f % SERIES) + SERIES, at + HELD - 1)
      seriesFlits[seriesAt(stream, f)] += end - f
      f = end
    }
    deliver(p, node, at + HELD - 1, true)
  }

  /**
   * Delivers a flit of packet `p` in cycle `at`, which includes the latency of the link and therefore lies in the
   * future.
   */
  function deliver(p: number, node: number, at: number, last: boolean): void {
    const stream = STREAMS > 1 ? pStream[p] : 0
    endOut[STREAMS > 1 ? node * STREAMS + stream : node]++
    const si = seriesAt(stream, at)
    seriesFlits[si]++
    if (!last) return
    const createdAt = pCreated[p]
    const took = at - createdAt
    const network = at - pEnter[p]
    const way = pHops[p]
    // pHops: routers in the low 12 bits, cycles of propagation above.
    const hops = way & 4095
    const l = lane(stream)
    const row = l * STATS.width
    stat[row + STATS.delivered]++
    seriesCount[si]++
    seriesLatency[si] += took
    seriesNetwork[si] += network
    if (createdAt >= control[CONTROLS.from] && createdAt < control[CONTROLS.to]) {
      stat[row + STATS.measured]++
      stat[row + STATS.measuredOpen]--
      stat[row + STATS.latency] += took
      stat[row + STATS.latencySquared] += took * took
      stat[row + STATS.network] += network
      if (took > stat[row + STATS.max]) stat[row + STATS.max] = took
      if (took < stat[row + STATS.min]) stat[row + STATS.min] = took
      if (network > stat[row + STATS.networkMax]) stat[row + STATS.networkMax] = network
      histogram[l * HISTOGRAM_BINS + bin(took)]++
      networkHistogram[l * HISTOGRAM_BINS + bin(network)]++
      went(l, pSrc[p], outerEnd[node], hops, way >>> 12, pWait[p], LEN > 0 ? LEN : pLen[p])
    }
    trace(pKey[p], at, hops, pSrc[p])
    if (TRACES) traceEventAt(at, DELIVERED, pSrc[p], outerEnd[node], pKey[p])
    if (REPLIES && replyLength[stream] > 0) reply(p, stream, node, at)
    if (RANKS && stream === JOBS) rankAdapter!.arrived(pJob[p], at)
    discard(p)
  }

  /** Creates the reply to a request. It waits in the reply queue of the endpoint until the turnaround has passed. */
  function reply(request: number, stream: number, node: number, at: number): void {
    const p = replyCount[node] < REPLY_SLOTS ? newPacket() : -1
    if (p < 0) {
      control[CONTROLS.full] = 1
      return
    }
    pSrc[p] = pDst[request]
    pDst[p] = pSrc[request]
    pCreated[p] = at
    pKey[p] = draw(pKey[request], -1) // the request itself draws with numbers from 0 up
    pHops[p] = entryLatency[node] << 12
    pWait[p] = 0
    pStream[p] = sources.replyStream[stream]
    if (LEN === 0) pLen[p] = replyLength[stream]
    pNext[p] = 0
    created(pStream[p], at, 1)
    if (replyHead[node] === 0) {
      replyHead[node] = p + 1
      creationTime[SOURCES + node] = at + TURN
      schedule(SOURCES + node, at + TURN)
    } else pNext[replyTail[node]] = p + 1
    replyTail[node] = p
    replyCount[node]++
  }

  return { deliver, deliverHeld }
}
