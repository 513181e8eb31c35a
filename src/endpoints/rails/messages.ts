// Where messages come from: each endpoint merges its streams of traffic in order of creation. A message is drawn when the endpoint needs its
// next one, not when it is created, so a long source queue costs no memory; every draw is a function of the message's number.
import { Draws, draw, streamOf } from "../../core/rng.ts"
import { BYTES, type Kernel, LOOK, NEXT, TIME } from "../../model/events.ts"
import { localLatency, NIC } from "../../model/jitter.ts"
import type { Stream } from "../../model/stream.ts"
import { type Seat, TO as TO_RANK } from "../../model/workload.ts"
import {
  ACCEPTED,
  AT_HAND,
  BIRTH,
  BIRTH_EPOCH,
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
/** nothing is created within this time: look again then (ps) */
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
  /** ps of one cycle of the streams' clocks; bytes of a flit */
  readonly cycle: number
  readonly flit: number
  /** most bytes of a packet and of a chunk */
  readonly packet: number
  readonly chunk: number
  /** ps that the interface takes for each message */
  readonly nic: number
  readonly jitter: boolean
  readonly cold: number
  readonly seat: Seat | undefined
}

/** What `take` answers besides a message. */
export const NOTHING = -1
export const LATER = -2
/** of an endpoint with ranks: nothing now; who sends it something, or a look that is planned, comes back to it */
export const IDLES = -3

export interface Messages {
  /** Message `m` of a rank joins its endpoint's queue at time t; true if the endpoint was idle and may go on. */
  enqueue(m: number, end: number): boolean
  /** A planned look at an endpoint has come: may it go on? */
  looks(end: number): boolean

  /** Draws the endpoint's first messages; when it should look for the first of them (ps), or NOTHING. */
  start(end: number): number
  /** Makes the endpoint's next message the one at hand (the caller has noted the endpoint's words); NOTHING if there is none ever, LATER if none for a long time, else its stream. */
  take(end: number, now: number): number
  /** Returns the bytes of all messages that the endpoint's streams created before `t` ps, the present, whether they were drawn or not. */
  created(end: number, t: number): number
}

export function makeMessages(site: MessageSite, at: RailColumns): Messages {
  const { kernel, streams, seed, cycle, flit, packet, chunk, nic, jitter, seat, cold } = site
  const { mem, undo, note, noteRange, epoch, alloc, push } = kernel
  /** [end] -> 1 if ranks live there */
  const hosts = new Uint8Array(seat === undefined ? 0 : 1 + seat.place.reduce((a, b) => Math.max(a, b), 0))
  if (seat !== undefined) for (let r = 0; r < seat.place.length; r++) hosts[seat.place[r]!] = 1
  const n = streams.length
  const arrivals = new Draws(seed ^ ARRIVALS)
  const targets = new Draws(seed ^ TARGETS)
  const sizes = new Draws(seed ^ SIZES)
  const nameSeed = seed ^ NAMES
  const rankSeed = seed ^ RANKS
  const nicNoise = streamOf(seed, NIC)
  const perPacket = Math.ceil(packet / chunk)
  // bytes of every message of a stream, and the chunks they make, where all are equal
  // (at least 32 words: V8 reaches smaller arrays less directly)
  const sameBytes = new Int32Array(Math.max(32, streams.length))
  for (const [i, s] of streams.entries()) sameBytes[i] = (s.message.fixed ?? 0) * (s.packet.fixed ?? 0) * flit
  const sameChunks = sameBytes.map(chunksOf)

  function chunksOf(bytes: number): number {
    const whole = Math.floor(bytes / packet)
    return whole * perPacket + Math.ceil((bytes - whole * packet) / chunk)
  }

  /** ps of a creation time in cycles */
  function timeOf(cycles: number, stop: number): number {
    return cycles < stop ? Math.round(cycles * cycle) : Number.POSITIVE_INFINITY
  }

  /** Files the creation time of a stream's next message. */
  function next(i: number, cycles: number, stop: number): void {
    const ps = timeOf(cycles, stop)
    const e = Math.floor(ps * (1 / EPOCH))
    mem[i + NEXT_EPOCH] = e < DONE ? e : DONE
    mem[i + NEXT_TIME] = e < DONE ? ps - e * EPOCH : 0
  }

  function start(end: number): number {
    let first = NOTHING
    for (let s = 0; s < n; s++) {
      const stream = streams[s]!
      const i = at.ends + end * at.step + at.streams + s * STREAM_WORDS
      const sends = stream.senders === undefined || stream.senders[end] === 1
      if (sends) next(i, stream.start + stream.arrivals.first(end, arrivals.at(end * n + s, 0)), stream.stop)
      else mem[i + NEXT_EPOCH] = DONE
      if (mem[i + NEXT_EPOCH] === DONE) continue
      const t = mem[i + NEXT_EPOCH] === 0 && mem[i + NEXT_TIME]! < FAR ? mem[i + NEXT_TIME]! : FAR
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
    // placed for every message, whichever of the two is drawn
    const rng = sizes.at(entity, k << 4)
    const packets = stream.message.fixed ?? stream.message.size(rng)
    return packets * (stream.packet.fixed ?? stream.packet.size(rng)) * flit
  }

  /** Advances the stream's clock; answers the bytes and the target of message number `k` through the endpoint's words. */
  function drawMessage(end: number, s: number, i: number, o: number): void {
    const stream = streams[s]!
    const entity = end * n + s
    const k = mem[i + DRAWN]!
    if (undo) noteRange(i, STREAM_WORDS)
    mem[i + DRAWN] = k + 1
    mem[o + TO] = stream.pattern.dest(end, targets.at(entity, k << 4))
    mem[o + WHO] = draw(streamOf(nameSeed, entity), k)
    const same = sameBytes[s]!
    const bytes = same > 0 ? same : drawnBytes(stream, entity, k)
    mem[o + LEFT] = bytes
    mem[o + TOTAL] = same > 0 ? sameChunks[s]! : chunksOf(bytes)
    const last = nextTime(i)
    mem[o + BIRTH] = mem[i + NEXT_TIME]!
    mem[o + BIRTH_EPOCH] = mem[i + NEXT_EPOCH]!
    next(i, following(stream, end, entity, k, last, mem, i + PROCESS), stream.stop)
  }

  /** ps at which the next message of a stream is created */
  function nextTime(i: number): number {
    return mem[i + NEXT_EPOCH]! * EPOCH + mem[i + NEXT_TIME]!
  }

  /** Cycle of the message after number `k`, which was created at `last` ps. */
  function following(stream: Stream, end: number, entity: number, k: number, last: number, state: Int32Array, at: number): number {
    return stream.arrivals.next(end, cycle === 1 ? last : Math.round(last / cycle), arrivals.at(entity, (k + 1) << 4), state, at)
  }

  /** bytes of message number `k` */
  function sizeOf(s: number, entity: number, k: number): number {
    return sameBytes[s]! > 0 ? sameBytes[s]! : drawnBytes(streams[s]!, entity, k)
  }

  function isHost(end: number): boolean {
    return seat !== undefined && end < hosts.length && hosts[end] === 1
  }

  function set(i: number, v: number): void {
    if (undo) note(i)
    mem[i] = v
  }

  function enqueue(m: number, end: number): boolean {
    const q = at.queues + end * QUEUE_WORDS
    set(m + NEXT, 0)
    if (mem[q + QUEUED] === 0) set(q + QUEUED, m)
    else set(mem[q + QUEUED + 1]! + NEXT, m)
    set(q + QUEUED + 1, m)
    if (mem[q + IDLE] === 0) return false
    set(q + IDLE, 0)
    return true
  }

  /** An endpoint with ranks takes nothing before its time: a rank may send something sooner. `due`: of its next message of a stream, after now. */
  function idle(end: number, due: number): number {
    const q = at.queues + end * QUEUE_WORDS
    set(q + IDLE, 1)
    if (due < 0 || mem[q + PLANNED] !== 0) return IDLES
    set(q + PLANNED, 1)
    push(alloc(), due, LOOK | end)
    return IDLES
  }

  /** The first message in the queue becomes the one at hand. */
  function takeRanks(end: number): number {
    const q = at.queues + end * QUEUE_WORDS
    const o = at.ends + end * at.step
    const m = mem[q + QUEUED]!
    set(q + QUEUED, mem[m + NEXT]!)
    set(q + AT_HAND, m)
    const created = mem[m + TIME]!
    const bytes = mem[m + cold + BYTES]!
    mem[o + TO] = seat!.place[mem[m + seat!.own + TO_RANK]!]!
    mem[o + WHO] = draw(streamOf(rankSeed, end), mem[o + MESSAGES]!)
    mem[o + LEFT] = bytes
    mem[o + TOTAL] = chunksOf(bytes)
    mem[o + BIRTH] = created < 0 ? created + EPOCH : created
    mem[o + BIRTH_EPOCH] = created < 0 ? epoch() - 1 : epoch()
    return accept(o, seat!.stream, created)
  }

  function take(end: number, now: number): number {
    if (!isHost(end)) return takeStreams(end, now, false)
    const m = mem[at.queues + end * QUEUE_WORDS + QUEUED]!
    const s = takeStreams(end, m === 0 ? now : Math.min(now, mem[m + TIME]! - 1), true)
    const taken = s === NOTHING && m !== 0 ? takeRanks(end) : s
    const busy = at.queues + end * QUEUE_WORDS + IDLE
    if (taken >= 0 && mem[busy] !== 0) set(busy, 0)
    return taken
  }

  /** `waits`: nothing is taken that is created after now. */
  function takeStreams(end: number, now: number, waits: boolean): number {
    let s = 0
    let i = at.ends + end * at.step + at.streams
    for (let k = 1, j = i + STREAM_WORDS; k < n; k++, j += STREAM_WORDS) {
      const e = mem[j + NEXT_EPOCH]! - mem[i + NEXT_EPOCH]!
      if (e < 0 || (e === 0 && mem[j + NEXT_TIME]! < mem[i + NEXT_TIME]!)) {
        s = k
        i = j
      }
    }
    const ahead = mem[i + NEXT_EPOCH]! - epoch()
    if (mem[i + NEXT_EPOCH] === DONE) return waits ? queueOrIdle(end, -1) : NOTHING
    const far = ahead > 1 || ahead * EPOCH + mem[i + NEXT_TIME]! > now + FAR
    if (far && !waits) return LATER
    const created = ahead < -1 ? -EPOCH : ahead * EPOCH + mem[i + NEXT_TIME]!
    if (waits && (far || created > now)) return queueOrIdle(end, far ? now + FAR : created)
    const o = at.ends + end * at.step
    drawMessage(end, s, i, o)
    return accept(o, s, created)
  }

  /** Nothing of its streams: NOTHING if a rank's message is there, else the endpoint is idle. */
  function queueOrIdle(end: number, due: number): number {
    return mem[at.queues + end * QUEUE_WORDS + QUEUED] !== 0 ? NOTHING : idle(end, due)
  }

  /** The message at hand reaches the interface. */
  function accept(o: number, s: number, created: number): number {
    mem[o + FLOW] = s
    mem[o + MESSAGES]!++
    mem[o + INDEX] = 0
    // the interface takes one message at a time, in order
    const reached = jitter ? created + localLatency(draw(mem[o + WHO]! ^ nicNoise, 0)) : created
    const into = Math.max(reached, mem[o + NIC_IN]!)
    mem[o + NIC_IN] = into
    const ready = Math.max(into, mem[o + NIC_FREE]!) + nic + (jitter ? localLatency(draw(mem[o + WHO]! ^ nicNoise, 1)) : 0)
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
