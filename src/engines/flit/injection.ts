// Endpoints that send: the next packet of their sources, a VC with room for it, one flit in each cycle.
import { draw, streamOf } from "../../core/rng.ts"
import { scratch } from "../../fabric/columns.ts"
import { CONTROL } from "../../fabric/flit.ts"
import { FACT } from "../../model/facts.ts"
import type { Births } from "./births.ts"
import type { Counting } from "./counting.ts"
import type { Facts } from "./facts.ts"
import type { Records } from "./records.ts"
import type { LoopSpec } from "./spec.ts"
import type { RankSeat } from "./transfers/seat.ts"

export interface Injection {
  /** chooses the partition that the following calls are about */
  enter(part: number): void
  /** every endpoint that is ready sends a flit */
  inject(t: number): void
}

export function makeInjection(
  spec: LoopSpec,
  { newPacket }: Records,
  { schedule }: Births,
  counting: Counting,
  { ON: FACTS, fact }: Facts,
  seat: RankSeat | undefined,
): Injection {
  const { layout, constants, columns, sources } = spec
  const { LV, NOV, ends: N, entry, entryLatency, outerEnd, parts, vcs: VCS } = layout
  const { flitAt, flitPacket, flitCount, waiting, ready, txLeft, txVc, txLast, txPacket, txStream } = columns
  const { replyHead, replyCount, birth, made, messageLeft, messageTo, endIn, seriesIn, control } = columns
  const { streams: STREAMS, fixedLength: LEN, held: HELD, seed: SEED, wheelMask: WM, flitRoom: FLITS } = constants
  const {
    injectRandom: RANDOM,
    injectByStream: BY_STREAM,
    turnaround: TURN,
    cutThrough: VCT,
    tailWait: TAILWAIT,
    capacity,
    credits: cred,
  } = spec
  const { room, take } = spec.rules
  const { pSrc, pDst, pBirth, pEnter, pKey, pNext, pHops, pLen, pStream, pWait } = spec.fields
  const { create, nextBirth, vcFirst, vcCount, priority } = sources
  const { seriesAt, created } = counting
  const ONE = parts === 1
  // a constant of another module costs a load each time it is read; this does not
  const CONTROLS = CONTROL
  const { injected: INJECTED } = FACT
  const VMASK = (1 << LV) - 1
  const SOURCES = STREAMS * N
  const REPLIES = sources.replies
  const KEY = SEED ^ 0x5bd1e995
  const TX = SEED ^ 0x3c6ef372
  // ranks of parallel programs: their stream, flits of their packets, what each endpoint is sending
  const RANKS = spec.ranks !== undefined
  const JOBS = spec.ranks?.stream ?? -1
  const JOB_PACKET = spec.ranks?.packet ?? 1
  const { message, rest, began } = spec.ranks?.columns ?? { message: scratch(1), rest: scratch(1), began: scratch(1) }
  const { pJob } = spec.fields
  // [stream] -> the stream whose turn it takes: replies that of their requests
  const turnOf = scratch(STREAMS).map((_, s) => s)
  for (let s = 0; s < STREAMS; s++) if (sources.replyStream[s]! >= 0) turnOf[sources.replyStream[s]!] = s
  let me = 0
  let wheel = 0

  function enter(part: number): void {
    me = part
    wheel = part * (WM + 1)
  }

  /** The next packet that endpoint `node` wants to send, made if need be; -1 if there is none. */
  function nextPacket(node: number, t: number): number {
    if (REPLIES) {
      const h = replyHead[node]!
      if (h !== 0 && pBirth[h - 1]! + TURN <= t) {
        const rest = pNext[h - 1]!
        replyHead[node] = rest
        replyCount[node]!--
        if (rest !== 0 && pBirth[rest - 1]! + TURN > t) {
          birth[SOURCES + node] = pBirth[rest - 1]! + TURN
          schedule(SOURCES + node, pBirth[rest - 1]! + TURN)
        }
        return h - 1
      }
    }
    if (RANKS && (message[node] !== 0 || seat!.waits(node))) return partOfMessage(node, t)
    let best = 0
    if (STREAMS > 1) {
      best = -1
      for (let k = 0; k < STREAMS; k++) {
        if (birth[k * N + node]! >= t + 1) continue
        if (
          best < 0 ||
          priority[k]! > priority[best]! ||
          (priority[k]! === priority[best]! && birth[k * N + node]! < birth[best * N + node]!)
        )
          best = k
      }
      if (best < 0) return -1
    }
    const source = best * N + node
    const born = birth[source]!
    if (born >= t + 1 || born >= control[CONTROLS.quiet]!) return -1
    const p = newPacket()
    if (p < 0) return -1
    const from = outerEnd[node]!
    const count = made[source]!
    made[source] = count + 1
    pSrc[p] = from
    pBirth[p] = Math.floor(born)
    pKey[p] = draw(streamOf(KEY, Math.imul(best, 0x9e3779b1) + from), count)
    pHops[p] = entryLatency[node]! << 12
    pWait[p] = 0
    if (STREAMS > 1) pStream[p] = best
    if (messageLeft[source] === 0) pDst[p] = create(best, from, count, source)
    else {
      pDst[p] = messageTo[source]!
      messageLeft[source]!--
    }
    if (messageLeft[source] === 0) {
      const next = nextBirth(best, from, born, count, source)
      birth[source] = next
      if (next >= t + 1) schedule(source, Math.floor(next))
    }
    if (LEN === 0) pLen[p] = sources.length(best, from, count)
    created(best, pBirth[p]!, 1)
    return p
  }

  /** The next packet of the message that a rank of `node` sends, or of its next message; -1 if there is no record for it. */
  function partOfMessage(node: number, t: number): number {
    const p = newPacket()
    if (p < 0) return -1
    let m = message[node]!
    if (m === 0) {
      m = seat!.next(node)
      message[node] = m
      rest[node] = seat!.flits(m)
      began[node] = t
      seat!.cut(m, Math.ceil(rest[node]! / JOB_PACKET))
    }
    const flits = rest[node]! < JOB_PACKET ? rest[node]! : JOB_PACKET
    const from = outerEnd[node]!
    const source = JOBS * N + node
    const count = made[source]!
    rest[node]! -= flits
    made[source] = count + 1
    pSrc[p] = from
    pDst[p] = seat!.target(m)
    pBirth[p] = began[node]!
    pKey[p] = draw(streamOf(KEY, Math.imul(JOBS, 0x9e3779b1) + from), count)
    pHops[p] = entryLatency[node]! << 12
    pWait[p] = 0
    if (STREAMS > 1) pStream[p] = JOBS
    pLen[p] = flits
    pJob[p] = m
    created(JOBS, began[node]!, 1)
    return p
  }

  /** A packet of `node` has left: that of a rank's message, if all of that is in packets, was its last one. */
  function leftMessage(node: number, t: number): void {
    if (message[node] === 0 || rest[node]! > 0) return
    seat!.left(message[node]!, t + 1)
    message[node] = 0
  }

  /** First VC at or after the last one used, with room; -1 if none. */
  function injectionVc(node: number, packet: number, t: number): number {
    const stream = STREAMS > 1 ? pStream[packet]! : 0
    const count = vcCount[stream]!
    const first = vcFirst[stream]!
    const base = NOV + (node << LV)
    const need = VCT && HELD === 0 ? (LEN > 0 ? LEN : pLen[packet]!) : 1
    if (RANDOM) {
      const v = first + Math.floor((draw(streamOf(TX, outerEnd[node]!), t) >>> 0) * 2.3283064365386963e-10 * count)
      return room(base + v) >= need && (!TAILWAIT || cred[base + v] === capacity[base + v]) ? v : -1
    }
    if (BY_STREAM) return nextOfStream(node, stream, base, need)
    let v = txLast[node]!
    for (let j = 0; j < VCS; j++) {
      v = v + 1 >= VCS ? 0 : v + 1
      if (v >= first && v < first + count && room(base + v) >= need && (!TAILWAIT || cred[base + v] === capacity[base + v])) {
        txLast[node] = v
        return v
      }
    }
    return -1
  }

  /** As BookSim2: the first VC with room after the stream's last one; where that one is of another class, the first VC of this class alone. */
  function nextOfStream(node: number, stream: number, base: number, need: number): number {
    const first = vcFirst[stream]!
    const count = vcCount[stream]!
    const at = node * STREAMS + turnOf[stream]!
    const last = txLast[at]! - first
    const same = last >= 0 && last < count
    for (let j = 1; j <= (same ? count : 1); j++) {
      const v = first + (same ? (last + j) % count : 0)
      if (room(base + v) < need || (TAILWAIT && cred[base + v] !== capacity[base + v])) continue
      txLast[at] = v
      return v
    }
    return -1
  }

  function inject(t: number): void {
    const last = (layout.firstEnd[me + 1]! + 31) >> 5
    for (let w = layout.firstEnd[me]! >> 5; w < last; w++) {
      let m = ready[w]!
      while (m !== 0) {
        const b = m & -m
        m ^= b
        const node = (w << 5) + 31 - Math.clz32(b)
        let left = txLeft[node]!
        let ov = 0
        let head = -1
        if (left === 0) {
          let p = txPacket[node]!
          if (p < 0) {
            p = nextPacket(node, t)
            if (p < 0) {
              waiting[w]! &= ~b
              ready[w]! &= ~b
              continue
            }
            txPacket[node] = p
          }
          const v = injectionVc(node, p, t)
          if (v < 0) {
            if (!RANDOM) ready[w]! &= ~b
            continue
          }
          ov = NOV + (node << LV) + v
          txVc[node] = ov
          pEnter[p] = t
          if (FACTS) fact(INJECTED, pSrc[p]!, pDst[p]!, pKey[p]!)
          head = p
          left = LEN > 0 ? LEN : pLen[p]!
          if (STREAMS > 1) txStream[node] = pStream[p]!
          seriesIn[seriesAt(STREAMS > 1 ? pStream[p]! : 0, t)]! += left
        } else if (HELD > 0) {
          // the packet is on its way as a whole; its flits still take their time to leave
          txLeft[node] = --left
          if (left === 0) sent(node, w, b, t)
          continue
        } else {
          ov = txVc[node]!
          if (room(ov) === 0) {
            ready[w]! &= ~b
            continue
          }
        }
        take(ov)
        const s = (ONE ? 0 : wheel) + ((t + entryLatency[node]! + 1) & WM)
        const n = flitCount[s]!
        flitAt[s * FLITS + n] = entry[node]! + (ov & VMASK)
        flitPacket[s * FLITS + n] = head
        flitCount[s] = n + 1
        endIn[STREAMS > 1 ? node * STREAMS + txStream[node]! : node]! += HELD > 0 ? HELD : 1
        txLeft[node] = --left
        if (left === 0) sent(node, w, b, t)
      }
    }
  }

  /** The last flit of its packet has left the endpoint. */
  function sent(node: number, w: number, b: number, t: number): void {
    txPacket[node] = -1
    if (RANKS) leftMessage(node, t)
    if (STREAMS === 1 && !REPLIES && !RANKS && birth[node]! >= t + 1) {
      waiting[w]! &= ~b
      ready[w]! &= ~b
    }
  }

  return { enter, inject }
}
