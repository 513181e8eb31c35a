// Connects the ranks of parallel programs to the packet engine. Requests of ranks become events of their endpoint's
// logical process, and deliveries at the endpoint become events of ranks. machine.ts creates the adapter;
// model/workload.ts defines the interfaces that workloads and endpoints see.
//
// A delivery is known when the chunk enters its last queue, so the rank's event is scheduled for the arrival time. With
// one rail (`merged`), the chunks of a message leave the same router in order, so they are counted there, before they
// arrive. With several rails, each chunk is reported to the endpoint's process and counted on arrival.
import { BYTES, CHUNKS, CREATED, HAND, type Kernel, RANK, SENT } from "../../model/events.ts"
import {
  COUNT,
  FROM,
  LEFT,
  LINK,
  OWN_EVENT,
  OWN_WORDS,
  originOf,
  type RankHost,
  type Seat,
  TELL,
  TO,
  WHAT,
} from "../../model/workload.ts"
import { EPOCH } from "./memory.ts"

/** maximum ps ahead for one event; later events are relayed in steps, because times are 32-bit offsets */
const FAR = 2 ** 29
/** Words that order events with the same time and key. */
const ORIGIN = 3
const ORDER = 4

export interface RankAdapterPlan {
  /** words from a record to the words of ranks, and to its cold half */
  readonly own: number
  readonly cold: number
  /** [end] -> list of messages of which some chunks have arrived */
  readonly opened: number
  /** [rank] -> endpoint */
  readonly place: Int32Array
  readonly stream: number
  readonly merged: boolean
}

export interface PacketRankAdapter extends Seat {
  readonly host: RankHost
  /** ps since the start */
  now(t: number): number
  /** Returns true if the event is due at a later time, and schedules it again. */
  early(e: number, t: number, key: number): boolean
  /**
   * Returns the record of the rank's event: `e` itself, or the message that chunk `e` completes; 0 if it is incomplete.
   */
  complete(e: number, rank: number): number
}

export function makePacketRankAdapter(kernel: Kernel, plan: RankAdapterPlan): PacketRankAdapter {
  const { mem, alloc, release, push, epoch, undo, note, noteRange } = kernel
  const { own, cold, opened, place, merged } = plan
  const HIGH = 0x1_0000_0000

  function now(t: number): number {
    return epoch() * EPOCH + t
  }

  /**
   * Schedules `e` for a time in ps since the start, at any distance. The exact time is stored in two words that the
   * record does not need yet.
   */
  function schedule(e: number, when: number, key: number): void {
    if (undo) noteRange(e + cold + CREATED, 2)
    mem[e + cold + CREATED] = when % HIGH
    mem[e + cold + SENT] = Math.floor(when / HIGH)
    const t = when - epoch() * EPOCH
    // An event that is too far ahead is relayed: `early` schedules it again.
    push(e, Math.min(t, kernel.since() + FAR), key)
  }
  /** Sets the order words: events of the same time and key run by origin, then by the sender's count. */
  function order(e: number, origin: number): void {
    if (undo) noteRange(e + ORIGIN, 2)
    mem[e + ORIGIN] = origin
    mem[e + ORDER] = mem[e + own + COUNT]
  }

  /**
   * Counts chunk `c`. Returns the record of its message if the message is complete now, otherwise 0. The first chunk of
   * a message serves as the message's record.
   */
  function count(c: number, end: number): number {
    const chunks = mem[c + cold + CHUNKS]
    if (chunks === 1) return c
    const list = opened + end
    for (let m = mem[list], before = 0; m !== 0; before = m, m = mem[m + LINK]) {
      if (mem[m + own + FROM] !== mem[c + own + FROM] || mem[m + own + COUNT] !== mem[c + own + COUNT]) continue
      const left = mem[m + cold + CHUNKS] - 1
      if (undo) note(m + cold + CHUNKS)
      mem[m + cold + CHUNKS] = left
      release(c)
      if (left > 1) return 0
      const at = before === 0 ? list : before + LINK
      if (undo) note(at)
      mem[at] = mem[m + LINK]
      return m
    }
    if (undo) {
      note(c + LINK)
      note(list)
    }
    mem[c + LINK] = mem[list]
    mem[list] = c
    return 0
  }

  const host: RankHost = {
    mem,
    own,
    alloc,
    release,
    undo,
    note,
    noteRange,
    ready: (_, t) => t,
    wake(e, rank, t) {
      order(e, OWN_EVENT)
      schedule(e, t, RANK | rank)
    },
    send(e, bytes, t) {
      if (undo) note(e + cold + BYTES)
      mem[e + cold + BYTES] = bytes
      order(e, originOf(mem, e + own))
      schedule(e, t, HAND | place[mem[e + own + FROM]])
    },
  }

  return {
    host,
    own,
    place,
    stream: plan.stream,
    now,
    early(e, t, key) {
      // Only events that ranks scheduled themselves can be far ahead.
      if ((key & ~0xfffffff) !== HAND && mem[e + ORIGIN] !== OWN_EVENT) return false
      const when = mem[e + cold + SENT] * HIGH + (mem[e + cold + CREATED] >>> 0)
      if (when <= now(t)) return false
      const rest = when - now(t)
      push(e, t + (rest > FAR ? FAR : rest), key)
      return true
    },
    complete(e, rank) {
      if (merged || mem[e + ORIGIN] < 2) return e
      return count(e, place[rank])
    },
    arrives(c, t) {
      const m = merged ? count(c, place[mem[c + own + TO]]) : c
      if (m === 0) return
      order(m, originOf(mem, m + own))
      push(m, t, RANK | mem[m + own + TO])
    },
    leaves(c, t) {
      const news = alloc()
      if (undo) noteRange(news + own, OWN_WORDS)
      for (let i = 0; i < OWN_WORDS; i++) mem[news + own + i] = mem[c + own + i]
      mem[news + own + WHAT] = (mem[c + own + WHAT] & ~TELL) | LEFT
      order(news, originOf(mem, news + own))
      push(news, t, RANK | mem[news + own + FROM])
    },
  }
}
