// Injection at endpoints in the flit engine: takes the next packet of the sources, selects a VC with credits, and sends
// one flit per cycle. loop.ts calls `inject` in each cycle. Only endpoints with a bit in `ready` are visited.
//
// Order of packets at an endpoint: replies first, then messages of ranks, then the streams by priority and creation
// time. Packets are created here, when they can be sent. A source that is behind therefore costs no memory.
//
// Columns. Index: endpoint.
//   `waiting`, `ready`    Bit sets: the endpoint has something to send; it may be able to send now. A credit stall
//                         clears `ready`, and a credit sets it again.
//   `txPacket`, `txLeft`  The packet being sent (-1: none) and its remaining flits.
//   `txVc`, `txLast`      Its injection VC, and the last VC used (round-robin pointer).
//   `replyHead`           List of replies, in order of creation.
import { draw, streamOf } from "../../core/rng.ts"
import { scratch } from "../../fabric/columns.ts"
import { CONTROL } from "../../fabric/flit.ts"
import { TRACE } from "../../model/trace-events.ts"
import type { Counting } from "./counting.ts"
import type { Generation } from "./generation.ts"
import type { Records } from "./records.ts"
import type { LoopSpec } from "./spec.ts"
import type { Tracing } from "./trace.ts"
import type { RankAdapter } from "./transfers/rank-adapter.ts"

export interface Injection {
  /** Selects the partition of the following calls. */
  enter(part: number): void
  /** Sends one flit from every endpoint that is ready. */
  inject(t: number): void
}

export function makeInjection(
  spec: LoopSpec,
  { newPacket }: Records,
  { schedule }: Generation,
  counting: Counting,
  { ON: TRACES, traceEvent }: Tracing,
  rankAdapter: RankAdapter | undefined,
): Injection {
  const { layout, constants, columns, sources } = spec
  const { LV, NOV, ends: N, entry, entryLatency, outerEnd, parts, vcs: VCS } = layout
  const { flitAt, flitPacket, flitCount, waiting, ready, txLeft, txVc, txLast, txPacket, txStream } = columns
  const { replyHead, replyCount, creationTime, made, messageLeft, messageTo, endIn, seriesIn, control } = columns
  const { streams: STREAMS, fixedLength: LEN, held: HELD, seed: SEED, wheelMask: WM, flitSlots: FLITS } = constants
  const {
    injectRandom: RANDOM,
    injectByStream: BY_STREAM,
    turnaround: TURN,
    cutThrough: VCT,
    tailWait: TAILWAIT,
    capacity,
    credits: cred,
  } = spec
  const { creditsOf, take } = spec.rules
  const { pSrc, pDst, pCreated, pEnter, pKey, pNext, pHops, pLen, pStream, pWait } = spec.fields
  const { create, nextCreation, vcFirst, vcCount, priority } = sources
  const { seriesAt, created } = counting
  const ONE = parts === 1
  // An imported constant costs a load at each access; a local copy does not.
  const CONTROLS = CONTROL
  const { injected: INJECTED } = TRACE
  const VMASK = (1 << LV) - 1
  const SOURCES = STREAMS * N
  const REPLIES = sources.replies
  const KEY = SEED ^ 0x5bd1e995
  const TX = SEED ^ 0x3c6ef372
  // Ranks of parallel programs: their stream, flits of their packets, and the message that each endpoint is sending.
  const RANKS = spec.ranks !== undefined
  const JOBS = spec.ranks?.stream ?? -1
  const JOB_PACKET = spec.ranks?.packet ?? 1
  const { message, rest, began } = spec.ranks?.columns ?? { message: scratch(1), rest: scratch(1), began: scratch(1) }
  const { pJob } = spec.fields
  // [stream] -> the stream whose round-robin pointer it uses: replies use that of their requests.
  const turnOf = scratch(STREAMS).map((_, s) => s)
  for (let s = 0; s < STREAMS; s++) if (sources.replyStream[s] >= 0) turnOf[sources.replyStream[s]] = s
  let me = 0
  let wheel = 0

  function enter(part: number): void {
    me = part
    wheel = part * (WM + 1)
  }

  /** Returns the next packet that endpoint `node` sends, and creates it if necessary; -1 if there is none. */
  function nextPacket(node: number, t: number): number {
    if (REPLIES) {
      const h = replyHead[node]
      if (h !== 0 && pCreated[h - 1] + TURN <= t) {
        const rest = pNext[h - 1]
        replyHead[node] = rest
        replyCount[node]--
        if (rest !== 0 && pCreated[rest - 1] + TURN > t) {
          creationTime[SOURCES + node] = pCreated[rest - 1] + TURN
          schedule(SOURCES + node, pCreated[rest - 1] + TURN)
        }
        return h - 1
      }
    }
    if (RANKS && (message[node] !== 0 || rankAdapter!.waits(node))) return partOfMessage(node, t)
    let best = 0
    if (STREAMS > 1) {
      best = -1
      for (let k = 0; k < STREAMS; k++) {
        // Creation times are real numbers, so everything below t + 1 is due in cycle t.
        if (creationTime[k * N + node] >= t + 1) continue
        if (
          best < 0 ||
          priority[k] > priority[best] ||
          (priority[k] === priority[best] && creationTime[k * N + node] < creationTime[best * N + node])
        )
          best = k
      }
      if (best < 0) return -1
    }
    const source = best * N + node
    const createdAt = creationTime[source]
    if (createdAt >= t + 1 || createdAt >= control[CONTROLS.quiet]) return -1
    const p = newPacket()
    if (p < 0) return -1
    const from = outerEnd[node]
    const count = made[source]
    made[source] = count + 1
    pSrc[p] = from
    pCreated[p] = Math.floor(createdAt)
    // The key depends on stream, endpoint and number only, so all draws of the packet are independent of timing.
    pKey[p] = draw(streamOf(KEY, Math.imul(best, 0x9e3779b1) + from), count)
    pHops[p] = entryLatency[node] << 12
    pWait[p] = 0
    if (STREAMS > 1) pStream[p] = best
    if (messageLeft[source] === 0) pDst[p] = create(best, from, count, source)
    else {
      pDst[p] = messageTo[source]
      messageLeft[source]--
    }
    if (messageLeft[source] === 0) {
      const next = nextCreation(best, from, createdAt, count, source)
      creationTime[source] = next
      if (next >= t + 1) schedule(source, Math.floor(next))
    }
    if (LEN === 0) pLen[p] = sources.length(best, from, count)
    created(best, pCreated[p], 1)
    return p
  }

  /**
   * Returns the next packet of the message that a rank of `node` sends, or of its next message; -1 if no record is
   * left.
   */
  function partOfMessage(node: number, t: number): number {
    const p = newPacket()
    if (p < 0) return -1
    let m = message[node]
    if (m === 0) {
      m = rankAdapter!.next(node)
      message[node] = m
      rest[node] = rankAdapter!.flits(m)
      began[node] = t
      rankAdapter!.cut(m, Math.ceil(rest[node] / JOB_PACKET))
    }
    const flits = rest[node] < JOB_PACKET ? rest[node] : JOB_PACKET
    const from = outerEnd[node]
    const source = JOBS * N + node
    const count = made[source]
    rest[node] -= flits
    made[source] = count + 1
    pSrc[p] = from
    pDst[p] = rankAdapter!.target(m)
    pCreated[p] = began[node]
    pKey[p] = draw(streamOf(KEY, Math.imul(JOBS, 0x9e3779b1) + from), count)
    pHops[p] = entryLatency[node] << 12
    pWait[p] = 0
    if (STREAMS > 1) pStream[p] = JOBS
    pLen[p] = flits
    pJob[p] = m
    created(JOBS, began[node], 1)
    return p
  }

  /** Reports that a packet of `node` has left. If it was the last of a rank's message, the rank is informed. */
  function leftMessage(node: number, t: number): void {
    if (message[node] === 0 || rest[node] > 0) return
    rankAdapter!.left(message[node], t + 1)
    message[node] = 0
  }

  /** Returns the first VC with credits after the last one used; -1 if there is none. */
  function injectionVc(node: number, packet: number, t: number): number {
    const stream = STREAMS > 1 ? pStream[packet] : 0
    const count = vcCount[stream]
    const first = vcFirst[stream]
    const base = NOV + (node << LV)
    // Virtual cut-through needs space for the whole packet, wormhole for one flit.
    const need = VCT && HELD === 0 ? (LEN > 0 ? LEN : pLen[packet]) : 1
    if (RANDOM) {
      const v = first + Math.floor((draw(streamOf(TX, outerEnd[node]), t) >>> 0) * 2.3283064365386963e-10 * count)
      return creditsOf(base + v) >= need && (!TAILWAIT || cred[base + v] === capacity[base + v]) ? v : -1
    }
    if (BY_STREAM) return nextOfStream(node, stream, base, need)
    let v = txLast[node]
    for (let j = 0; j < VCS; j++) {
      v = v + 1 >= VCS ? 0 : v + 1
      if (
        v >= first &&
        v < first + count &&
        creditsOf(base + v) >= need &&
        (!TAILWAIT || cred[base + v] === capacity[base + v])
      ) {
        txLast[node] = v
        return v
      }
    }
    return -1
  }

  /**
   * The rule of BookSim2: the first VC with credits after the stream's last one. If that VC belongs to another class,
   * only the first VC of this class is tried.
   */
  function nextOfStream(node: number, stream: number, base: number, need: number): number {
    const first = vcFirst[stream]
    const count = vcCount[stream]
    const at = node * STREAMS + turnOf[stream]
    const last = txLast[at] - first
    const same = last >= 0 && last < count
    for (let j = 1; j <= (same ? count : 1); j++) {
      const v = first + (same ? (last + j) % count : 0)
      if (creditsOf(base + v) < need || (TAILWAIT && cred[base + v] !== capacity[base + v])) continue
      txLast[at] = v
      return v
    }
    return -1
  }

  function inject(t: number): void {
    const last = (layout.firstEnd[me + 1] + 31) >> 5
    for (let w = layout.firstEnd[me] >> 5; w < last; w++) {
      let m = ready[w]
      while (m !== 0) {
        const b = m & -m
        m ^= b
        const node = (w << 5) + 31 - Math.clz32(b)
        let left = txLeft[node]
        let ov = 0
        let head = -1
        if (left === 0) {
          let p = txPacket[node]
          if (p < 0) {
            p = nextPacket(node, t)
            // Nothing to send: a source, a reply or a rank sets the bits again.
            if (p < 0) {
              waiting[w] &= ~b
              ready[w] &= ~b
              continue
            }
            txPacket[node] = p
          }
          const v = injectionVc(node, p, t)
          if (v < 0) {
            // A random VC differs in the next cycle, so the endpoint stays ready. Otherwise it waits for a credit.
            if (!RANDOM) ready[w] &= ~b
            continue
          }
          ov = NOV + (node << LV) + v
          txVc[node] = ov
          pEnter[p] = t
          if (TRACES) traceEvent(INJECTED, pSrc[p], pDst[p], pKey[p])
          head = p
          left = LEN > 0 ? LEN : pLen[p]
          if (STREAMS > 1) txStream[node] = pStream[p]
          seriesIn[seriesAt(STREAMS > 1 ? pStream[p] : 0, t)] += left
        } else if (HELD > 0) {
          // The packet is already in flight as a unit; its flits still occupy the injection link.
          txLeft[node] = --left
          if (left === 0) sent(node, w, b, t)
          continue
        } else {
          ov = txVc[node]
          if (creditsOf(ov) === 0) {
            ready[w] &= ~b
            continue
          }
        }
        take(ov)
        const s = (ONE ? 0 : wheel) + ((t + entryLatency[node] + 1) & WM)
        const n = flitCount[s]
        flitAt[s * FLITS + n] = entry[node] + (ov & VMASK)
        flitPacket[s * FLITS + n] = head
        flitCount[s] = n + 1
        endIn[STREAMS > 1 ? node * STREAMS + txStream[node] : node] += HELD > 0 ? HELD : 1
        txLeft[node] = --left
        if (left === 0) sent(node, w, b, t)
      }
    }
  }

  /** The last flit of a packet has left the endpoint. */
  function sent(node: number, w: number, b: number, t: number): void {
    txPacket[node] = -1
    if (RANKS) leftMessage(node, t)
    // With a single source, the endpoint becomes idle if its next packet is not created yet.
    if (STREAMS === 1 && !REPLIES && !RANKS && creationTime[node] >= t + 1) {
      waiting[w] &= ~b
      ready[w] &= ~b
    }
  }

  return { enter, inject }
}
