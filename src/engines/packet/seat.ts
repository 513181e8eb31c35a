// Where ranks meet the packet engine: what they ask for becomes events of their endpoint's process, and what reaches the endpoint becomes events of ranks.
// A delivery is known when the chunk joins its last queue; the rank's event is then scheduled for the arrival. Chunks of one message leave an endpoint's
// only router in order, so they are counted there, before they arrive; those of several rails report to the endpoint's process and are counted on arrival.
import { BORN, BYTES, CHUNKS, HAND, type Kernel, RANK, SENT } from "../../model/events.ts"
import { COUNT, FROM, LEFT, LINK, OWN_EVENT, OWN_WORDS, originOf, type RankHost, type Seat, TELL, TO, WHAT } from "../../model/workload.ts"
import { EPOCH } from "./memory.ts"

/** events further ahead than this are relayed: times are offsets of 32 bits */
const FAR = 2 ** 29
/** Words that tell events of one time and key apart. */
const ORIGIN = 3
const ORDER = 4

export interface SeatPlan {
  /** words from a record to those of ranks; to its cold half */
  readonly own: number
  readonly cold: number
  /** [end] -> messages of which some chunks have come */
  readonly opened: number
  /** [rank] -> endpoint */
  readonly place: Int32Array
  readonly stream: number
  readonly merged: boolean
}

export interface PacketSeat extends Seat {
  readonly host: RankHost
  /** ps since the start */
  now(t: number): number
  /** The event is for a later time: it was scheduled again. */
  early(e: number, t: number, key: number): boolean
  /** RANK: the record that is the event: `e`, or the message that is whole with chunk `e`; 0 if it is not. */
  complete(e: number, rank: number): number
}

export function makeSeat(kernel: Kernel, plan: SeatPlan): PacketSeat {
  const { mem, alloc, release, push, epoch, undo, note, noteRange } = kernel
  const { own, cold, opened, place, merged } = plan
  const HIGH = 0x1_0000_0000

  function now(t: number): number {
    return epoch() * EPOCH + t
  }

  /** Schedules `e` for a time since the start; how far it may be ahead does not matter. */
  function schedule(e: number, when: number, key: number): void {
    if (undo) noteRange(e + cold + BORN, 2)
    mem[e + cold + BORN] = when % HIGH
    mem[e + cold + SENT] = Math.floor(when / HIGH)
    const t = when - epoch() * EPOCH
    // what is far ahead is looked at on the way
    push(e, Math.min(t, kernel.since() + FAR), key)
  }
  function order(e: number, origin: number): void {
    if (undo) noteRange(e + ORIGIN, 2)
    mem[e + ORIGIN] = origin
    mem[e + ORDER] = mem[e + own + COUNT]!
  }

  /** The message that chunk `c` belongs to, if it is whole now; else 0. */
  function count(c: number, end: number): number {
    const chunks = mem[c + cold + CHUNKS]!
    if (chunks === 1) return c
    const list = opened + end
    for (let m = mem[list]!, before = 0; m !== 0; before = m, m = mem[m + LINK]!) {
      if (mem[m + own + FROM] !== mem[c + own + FROM] || mem[m + own + COUNT] !== mem[c + own + COUNT]) continue
      const left = mem[m + cold + CHUNKS]! - 1
      if (undo) note(m + cold + CHUNKS)
      mem[m + cold + CHUNKS] = left
      release(c)
      if (left > 1) return 0
      const at = before === 0 ? list : before + LINK
      if (undo) note(at)
      mem[at] = mem[m + LINK]!
      return m
    }
    if (undo) {
      note(c + LINK)
      note(list)
    }
    mem[c + LINK] = mem[list]!
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
      schedule(e, t, HAND | place[mem[e + own + FROM]!]!)
    },
  }

  return {
    host,
    own,
    place,
    stream: plan.stream,
    now,
    early(e, t, key) {
      // only what ranks scheduled themselves can be far ahead
      if ((key & ~0xfffffff) !== HAND && mem[e + ORIGIN] !== OWN_EVENT) return false
      const when = mem[e + cold + SENT]! * HIGH + (mem[e + cold + BORN]! >>> 0)
      if (when <= now(t)) return false
      const rest = when - now(t)
      push(e, t + (rest > FAR ? FAR : rest), key)
      return true
    },
    complete(e, rank) {
      if (merged || mem[e + ORIGIN]! < 2) return e
      return count(e, place[rank]!)
    },
    arrives(c, t) {
      const m = merged ? count(c, place[mem[c + own + TO]!]!) : c
      if (m === 0) return
      order(m, originOf(mem, m + own))
      push(m, t, RANK | mem[m + own + TO]!)
    },
    leaves(c, t) {
      const news = alloc()
      if (undo) noteRange(news + own, OWN_WORDS)
      for (let i = 0; i < OWN_WORDS; i++) mem[news + own + i] = mem[c + own + i]!
      mem[news + own + WHAT] = (mem[c + own + WHAT]! & ~TELL) | LEFT
      order(news, originOf(mem, news + own))
      push(news, t, RANK | mem[news + own + FROM]!)
    },
  }
}
