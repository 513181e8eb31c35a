// Sources of messages in the packet engine. Each endpoint merges its traffic streams in order of creation. A message is
// drawn when the endpoint needs it, not when it is created, so a long source queue needs no memory. Each draw is a
// function of the message's number. Endpoints with ranks also have a queue of rank messages. single.ts and multi.ts
// call these functions.
import { Draws, draw, streamOf } from "../../core/rng.ts"
import { BYTES, type Kernel, LOOK, NEXT, TIME } from "../../model/events.ts"
import { localLatency, NIC } from "../../model/jitter.ts"
import type { Stream } from "../../model/stream.ts"
import { type Seat, TO as TO_RANK } from "../../model/workload.ts"
import {
  ACCEPTED,
  AT_HAND,
  CREATED_AT,
  CREATED_EPOCH,
  DONE,
  DRAWN,
  EPOCH,
  FLOW,
  IDLE,
  INDEX,
  LEFT,
  MESSAGES,
  NEXT_EPOCH,
  NEXT_TIME,
  NIC_FREE,
  NIC_IN,
  PLANNED,
  PROCESS,
  QUEUE_WORDS,
  QUEUED,
  type RailColumns,
  STREAM_WORDS,
  TO,
  TOTAL,
  WHO,
} from "./columns.ts"
import { makeCreated } from "./created.ts"
/** ps after which an endpoint checks again if no message is created before */
export const FAR = 2 ** 29

const ARRIVALS = 0x4d340001
const TARGETS = 0x4d340002
const SIZES = 0x4d340003
const NAMES = 0x4d340004
const RANKS = 0x4d340007

export interface MessageSite {
  readonly kernel: Kernel
  readonly streams: readonly Stream[]
  readonly seed: number
  /** ps of one cycle of the streams' clock; bytes of a flit */
  readonly cycle: number
  readonly flit: number
  /** maximum bytes of a packet and of a chunk */
  readonly packet: number
  readonly chunk: number
  /** ps that the interface needs for each message */
  readonly nic: number
  readonly jitter: boolean
  readonly cold: number
  readonly rankAdapter: Seat | undefined
}

/** Results of `take` other than a stream. */
export const NOTHING = -1
export const LATER = -2
/** of an endpoint with ranks: nothing now; a rank's message or a scheduled check resumes it */
export const IDLES = -3

export interface Messages {
  /** Appends message `m` of a rank to its endpoint's queue. Returns true if the endpoint was idle and may continue. */
  enqueue(m: number, end: number): boolean
  /** Handles a scheduled check of an endpoint. Returns true if it may continue. */
  looks(end: number): boolean

  /** Draws the endpoint's first messages. Returns when it should check for the first of them (ps), or NOTHING. */
  start(end: number): number
  /**
   * Makes the endpoint's next message the current one (the caller has logged the endpoint's words). Returns its stream,
   * NOTHING if there will never be one, LATER if there is none for a long time.
   */
  take(end: number, now: number): number
  /**
   * Returns the bytes of all messages that the endpoint's first `streams` streams created before `t` ps, the present,
   * whether they were drawn or not.
   */
  created(end: number, t: number, streams: number): number
}

export function makeMessages(site: MessageSite, at: RailColumns): Messages {
  const { kernel, streams, seed, cycle, flit, packet, chunk, nic, jitter, rankAdapter, cold } = site
  const { mem, undo, note, noteRange, epoch, alloc, push } = kernel
  /** [end] -> 1 if it has ranks */
  const hosts = new Uint8Array(
    rankAdapter === undefined ? 0 : 1 + rankAdapter.place.reduce((a, b) => Math.max(a, b), 0),
  )
  if (rankAdapter !== undefined) for (let r = 0; r < rankAdapter.place.length; r++) hosts[rankAdapter.place[r]] = 1
  const n = streams.length
  const arrivals = new Draws(seed ^ ARRIVALS)
  const targets = new Draws(seed ^ TARGETS)
  const sizes = new Draws(seed ^ SIZES)
  const nameSeed = seed ^ NAMES
  const rankSeed = seed ^ RANKS
  const nicNoise = streamOf(seed, NIC)
  const perPacket = Math.ceil(packet / chunk)
  // Bytes of every message of a stream and their chunks, if all are equal (at least 32 words, because V8 accesses
  // smaller arrays less directly).
  const sameBytes = new Int32Array(Math.max(32, streams.length))
  for (const [i, s] of streams.entries()) sameBytes[i] = (s.message.fixed ?? 0) * (s.packet.fixed ?? 0) * flit
  const sameChunks = sameBytes.map(chunksOf)

  function chunksOf(bytes: number): number {
    const whole = Math.floor(bytes / packet)
    return whole * perPacket + Math.ceil((bytes - whole * packet) / chunk)
  }

  /** Returns the ps of a creation time in cycles. */
  function timeOf(cycles: number, stop: number): number {
    return cycles < stop ? Math.round(cycles * cycle) : Number.POSITIVE_INFINITY
  }

  /** Stores the creation time of a stream's next message. */
  function next(i: number, cycles: number, stop: number): void {
    const ps = timeOf(cycles, stop)
    const e = Math.floor(ps * (1 / EPOCH))
    mem[i + NEXT_EPOCH] = e < DONE ? e : DONE
    mem[i + NEXT_TIME] = e < DONE ? ps - e * EPOCH : 0
  }

  function start(end: number): number {
    let first = NOTHING
    for (let s = 0; s < n; s++) {
      const stream = streams[s]
      const i = at.ends + end * at.step + at.streams + s * STREAM_WORDS
      const sends = stream.senders === undefined || stream.senders[end] === 1
      if (sends) next(i, stream.start + stream.arrivals.first(end, arrivals.at(end * n + s, 0)), stream.stop)
      else mem[i + NEXT_EPOCH] = DONE
      if (mem[i + NEXT_EPOCH] === DONE) continue
      const t = mem[i + NEXT_EPOCH] === 0 && mem[i + NEXT_TIME] < FAR ? mem[i + NEXT_TIME] : FAR
      if (first === NOTHING || t < first) first = t
    }
    if (!isHost(end)) return first
    mem[at.queues + end * QUEUE_WORDS + IDLE] = 1
    if (first === NOTHING) return NOTHING
    mem[at.queues + end * QUEUE_WORDS + PLANNED] = 1
    push(alloc(), first, LOOK | end)
    return NOTHING
  }

  function drawnBytes(stream: Stream, entity: number, k: number): number {
    // The draw has a fixed address for each message, whichever of the two sizes is random.
    const rng = sizes.at(entity, k << 4)
    const packets = stream.message.fixed ?? stream.message.size(rng)
    return packets * (stream.packet.fixed ?? stream.packet.size(rng)) * flit
  }

  /**
   * Draws the next message of a stream: destination, key and bytes go to the endpoint's words, and the stream's clock
   * advances.
   */
  function drawMessage(end: number, s: number, i: number, o: number): void {
    const stream = streams[s]
    const entity = end * n + s
    const k = mem[i + DRAWN]
    if (undo) noteRange(i, STREAM_WORDS)
    mem[i + DRAWN] = k + 1
    mem[o + TO] = stream.pattern.dest(end, targets.at(entity, k << 4), k)
    mem[o + WHO] = draw(streamOf(nameSeed, entity), k)
    const same = sameBytes[s]
    const bytes = same > 0 ? same : drawnBytes(stream, entity, k)
    mem[o + LEFT] = bytes
    mem[o + TOTAL] = same > 0 ? sameChunks[s] : chunksOf(bytes)
    const last = nextTime(i)
    mem[o + CREATED_AT] = mem[i + NEXT_TIME]
    mem[o + CREATED_EPOCH] = mem[i + NEXT_EPOCH]
    next(i, following(stream, end, entity, k, last, mem, i + PROCESS), stream.stop)
  }

  /** Returns the ps at which the next message of a stream is created. */
  function nextTime(i: number): number {
    return mem[i + NEXT_EPOCH] * EPOCH + mem[i + NEXT_TIME]
  }

  /** Returns the cycle of the message after number `k`, which was created at `last` ps. */
  function following(
    stream: Stream,
    end: number,
    entity: number,
    k: number,
    last: number,
    state: Int32Array,
    at: number,
  ): number {
    return stream.arrivals.next(
      end,
      cycle === 1 ? last : Math.round(last / cycle),
      arrivals.at(entity, (k + 1) << 4),
      state,
      at,
    )
  }

  /** Returns the bytes of message number `k`. */
  function sizeOf(s: number, entity: number, k: number): number {
    return sameBytes[s] > 0 ? sameBytes[s] : drawnBytes(streams[s], entity, k)
  }

  function isHost(end: number): boolean {
    return rankAdapter !== undefined && end < hosts.length && hosts[end] === 1
  }

  function set(i: number, v: number): void {
    if (undo) note(i)
    mem[i] = v
  }

  function enqueue(m: number, end: number): boolean {
    const q = at.queues + end * QUEUE_WORDS
    set(m + NEXT, 0)
    if (mem[q + QUEUED] === 0) set(q + QUEUED, m)
    else set(mem[q + QUEUED + 1] + NEXT, m)
    set(q + QUEUED + 1, m)
    if (mem[q + IDLE] === 0) return false
    set(q + IDLE, 0)
    return true
  }

  /**
   * Marks an endpoint with ranks as idle. It takes no message before its creation time, because a rank may send one
   * sooner. `due`: creation time of its next stream message, after now.
   */
  function idle(end: number, due: number): number {
    const q = at.queues + end * QUEUE_WORDS
    set(q + IDLE, 1)
    if (due < 0 || mem[q + PLANNED] !== 0) return IDLES
    set(q + PLANNED, 1)
    push(alloc(), due, LOOK | end)
    return IDLES
  }

  /** Makes the first rank message of the queue the current one. */
  function takeRanks(end: number): number {
    const q = at.queues + end * QUEUE_WORDS
    const o = at.ends + end * at.step
    const m = mem[q + QUEUED]
    set(q + QUEUED, mem[m + NEXT])
    set(q + AT_HAND, m)
    const created = mem[m + TIME]
    const bytes = mem[m + cold + BYTES]
    mem[o + TO] = rankAdapter!.place[mem[m + rankAdapter!.own + TO_RANK]]
    mem[o + WHO] = draw(streamOf(rankSeed, end), mem[o + MESSAGES])
    mem[o + LEFT] = bytes
    mem[o + TOTAL] = chunksOf(bytes)
    mem[o + CREATED_AT] = created < 0 ? created + EPOCH : created
    mem[o + CREATED_EPOCH] = created < 0 ? epoch() - 1 : epoch()
    return accept(o, rankAdapter!.stream, created)
  }

  // Stream messages that are older than the first rank message precede it.
  function take(end: number, now: number): number {
    if (!isHost(end)) return takeStreams(end, now, false)
    const m = mem[at.queues + end * QUEUE_WORDS + QUEUED]
    const s = takeStreams(end, m === 0 ? now : Math.min(now, mem[m + TIME] - 1), true)
    const taken = s === NOTHING && m !== 0 ? takeRanks(end) : s
    const busy = at.queues + end * QUEUE_WORDS + IDLE
    if (taken >= 0 && mem[busy] !== 0) set(busy, 0)
    return taken
  }

  /** `waits`: only messages that were created by now are taken. */
  function takeStreams(end: number, now: number, waits: boolean): number {
    let s = 0
    let i = at.ends + end * at.step + at.streams
    for (let k = 1, j = i + STREAM_WORDS; k < n; k++, j += STREAM_WORDS) {
      const e = mem[j + NEXT_EPOCH] - mem[i + NEXT_EPOCH]
      if (e < 0 || (e === 0 && mem[j + NEXT_TIME] < mem[i + NEXT_TIME])) {
        s = k
        i = j
      }
    }
    const ahead = mem[i + NEXT_EPOCH] - epoch()
    if (mem[i + NEXT_EPOCH] === DONE) return waits ? queueOrIdle(end, -1) : NOTHING
    const far = ahead > 1 || ahead * EPOCH + mem[i + NEXT_TIME] > now + FAR
    if (far && !waits) return LATER
    const created = ahead < -1 ? -EPOCH : ahead * EPOCH + mem[i + NEXT_TIME]
    if (waits && (far || created > now)) return queueOrIdle(end, far ? now + FAR : created)
    const o = at.ends + end * at.step
    drawMessage(end, s, i, o)
    return accept(o, s, created)
  }

  /** No stream message is due: returns NOTHING if a rank message is queued, otherwise the endpoint becomes idle. */
  function queueOrIdle(end: number, due: number): number {
    return mem[at.queues + end * QUEUE_WORDS + QUEUED] !== 0 ? NOTHING : idle(end, due)
  }

  /** Processes the current message in the interface. */
  function accept(o: number, s: number, created: number): number {
    mem[o + FLOW] = s
    mem[o + MESSAGES]++
    mem[o + INDEX] = 0
    // The interface processes one message at a time, in order.
    const reached = jitter ? created + localLatency(draw(mem[o + WHO] ^ nicNoise, 0)) : created
    const into = Math.max(reached, mem[o + NIC_IN])
    mem[o + NIC_IN] = into
    const ready =
      Math.max(into, mem[o + NIC_FREE]) + nic + (jitter ? localLatency(draw(mem[o + WHO] ^ nicNoise, 1)) : 0)
    mem[o + NIC_FREE] = ready
    mem[o + ACCEPTED] = ready
    return s
  }

  return {
    start,
    take,
    created: makeCreated(mem, at, streams, { timeOf, nextTime, following, sizeOf }),
    enqueue,
    looks(end) {
      const q = at.queues + end * QUEUE_WORDS
      set(q + PLANNED, 0)
      if (mem[q + IDLE] === 0) return false
      set(q + IDLE, 0)
      return true
    },
  }
}
