// The ideal network: every message takes its own time and meets no other one but at the interfaces of its sender and its receiver.
// "LogGOPSim - simulating large-scale applications in the LogGOPS model", T. Hoefler, T. Schneider and A. Lumsdaine, 2010:
// L latency, o processor time of a message, g gap between two messages of one interface, G time of a byte, O processor time of a byte, S limit of
// eager messages. o, O and S are the rank's (mpi/params.ts); here they say when the interface began. One event for a message of one byte, two for others.
import { Heap } from "../../core/heap.ts"
import type { Reserve } from "../../model/events.ts"
import {
  COUNT,
  FROM,
  LEFT,
  LINK,
  OWN_EVENT,
  OWN_WORDS,
  originOf,
  type RankHost,
  type RankLayer,
  type Ranks,
  TELL,
  TO,
  WHAT,
} from "../../model/workload.ts"

/** Times in ps. */
export interface LogGOPS {
  readonly L: number
  readonly o: number
  readonly g: number
  readonly G: number
  readonly O: number
}

/** [rank] -> processor time of a message, and of a byte, where ranks differ. */
export interface Processors {
  readonly o: Float64Array
  readonly O: Float64Array
}

/** Words of a record before those of ranks. */
const STAGE = 1
const SIZE = 3 // two words: bytes on the wire
const OWN = 5
const STRIDE = OWN + OWN_WORDS + 3
/** STAGE: the first byte reaches the receiver's interface; else it is an event of the rank */
const FIRST = 1

/** Words of an interface: times in two words each: when the next message may begin to leave, and to come in. */
const OUT = 0
const IN = 2
const SIDE_WORDS = 4
const HIGH = 0x1_0000_0000

/** Between two events, copied. */
export interface IdealState {
  readonly numbers: {
    readonly now: number
    readonly free: number
    readonly events: number
    readonly messages: number
    readonly bytes: number
  }
  /** records that were ever used; interfaces and ranks; what waits */
  readonly columns: {
    readonly records: Int32Array
    readonly rest: Int32Array
    readonly times: Float64Array
    readonly ties: Float64Array
    readonly items: Int32Array
  }
}

export interface Ideal {
  readonly ranks: Ranks
  /** Runs until nothing is left to do, the clock would pass `limit`, or `events` have been played; the time of the last one. */
  run(limit: number, events?: number): number
  save(): IdealState
  restore(state: IdealState): void
  /** events, messages and bytes so far */
  readonly counts: { events: number; messages: number; bytes: number }
  readonly mem: Int32Array
  readonly host: RankHost
  /** events that wait */
  pending(): number
}

class Columns implements Reserve {
  words = 0
  reserve(count: number): number {
    const at = this.words
    this.words += count
    return at
  }
  times(): void {
    // absolute times need no epoch
  }
}

export function makeIdeal(layer: RankLayer, net: LogGOPS, processors?: Processors): Ideal {
  const columns = new Columns()
  // record 0 is "none"
  const room = Math.min(1 << 24, Math.max(1 << 15, 512 * layer.ranks))
  const records = columns.reserve(STRIDE * room)
  // ranks of one endpoint share its interface
  const interfaces = layer.place.reduce((n, end) => Math.max(n, end + 1), 0)
  const sides = columns.reserve(interfaces * SIDE_WORDS)
  const laid = layer.lay(columns)
  // pages that are never touched cost nothing
  const mem = new Int32Array(columns.words)
  const heap = new Heap()
  const counts = { events: 0, messages: 0, bytes: 0 }
  const { L, g, G } = net
  const { place } = layer
  const os = processors?.o ?? new Float64Array(layer.ranks).fill(net.o)
  const Os = processors?.O ?? new Float64Array(layer.ranks).fill(net.O)
  let free = 0
  let fresh = records + STRIDE
  let now = 0

  function alloc(): number {
    const e = free
    if (e !== 0) {
      free = mem[e + LINK]!
      return e
    }
    if (fresh >= records + STRIDE * room) throw new RangeError(`allocation of a record: more than ${room} messages and operations at once`)
    fresh += STRIDE
    return fresh - STRIDE
  }
  function release(e: number): void {
    mem[e + LINK] = free
    free = e
  }
  function time(i: number): number {
    return mem[i + 1]! * HIGH + (mem[i]! >>> 0)
  }
  function setTime(i: number, t: number): void {
    const high = Math.floor(t / HIGH)
    mem[i] = t - high * HIGH
    mem[i + 1] = high
  }
  /** Events of one time: by origin and count, whatever the rank. */
  function push(e: number, t: number, origin: number): void {
    heap.push(t, origin * HIGH + (mem[e + OWN + COUNT]! >>> 0), e)
  }

  const host: RankHost = {
    mem,
    own: OWN,
    alloc,
    release,
    undo: false,
    note() {},
    noteRange() {},
    wake(e, rank, t) {
      mem[e + STAGE] = -rank
      push(e, t, OWN_EVENT)
    },
    ready: (rank, t) => Math.max(t, time(sides + place[rank]! * SIDE_WORDS + OUT)),
    send(e, bytes, t) {
      const rank = mem[e + OWN + FROM]!
      const side = sides + place[rank]! * SIDE_WORDS
      const more = bytes - 1
      const o = os[rank]!
      const O = Os[rank]!
      // the processor began so long before it handed the message over
      const start = Math.max(Math.round(t - o - more * O), time(side + OUT))
      setTime(side + OUT, Math.round(start + g + more * G))
      const handed = Math.round(start + o + more * O)
      counts.messages++
      counts.bytes += bytes
      if ((mem[e + OWN + WHAT]! & TELL) !== 0) tell(e, rank, Math.round(start + o + more * Math.max(G, O)))
      mem[e + STAGE] = FIRST
      setTime(e + SIZE, bytes)
      push(e, handed + L, originOf(mem, e + OWN))
    },
  }

  /** The sender hears that the message has left. */
  function tell(e: number, rank: number, t: number): void {
    const news = alloc()
    for (let i = 0; i < OWN_WORDS; i++) mem[news + OWN + i] = mem[e + OWN + i]!
    mem[news + OWN + WHAT] = mem[e + OWN + WHAT]! | LEFT
    mem[news + STAGE] = -rank
    push(news, t, originOf(mem, news + OWN))
  }

  const ranks = laid.make(host)
  for (let r = 0; r < layer.ranks; r++) ranks.start(r)

  /** The first byte is there: the receiver's interface takes messages one after the other. */
  function comesIn(e: number, t: number): void {
    const rank = mem[e + OWN + TO]!
    const side = sides + place[rank]! * SIDE_WORDS
    const more = time(e + SIZE) - 1
    const start = Math.max(t, time(side + IN))
    setTime(side + IN, Math.round(start + g + more * G))
    mem[e + STAGE] = -rank
    const end = Math.round(start + more * Math.max(0, G - Os[rank]!))
    if (end > t) push(e, end, originOf(mem, e + OWN))
    else ranks.event(e, rank, t)
  }

  return {
    ranks,
    counts,
    mem,
    host,
    pending: () => heap.size,
    run(limit, events = Number.POSITIVE_INFINITY) {
      for (let n = 0; n < events && heap.size > 0 && heap.firstTime <= limit; n++) {
        now = heap.firstTime
        const e = heap.pop()
        counts.events++
        if (mem[e + STAGE] === FIRST) comesIn(e, now)
        else ranks.event(e, -mem[e + STAGE]!, now)
      }
      return now
    },
    save: () => ({
      numbers: { now, free, ...counts },
      columns: { records: mem.slice(records, fresh), rest: mem.slice(sides), ...heap.save() },
    }),
    restore({ numbers, columns: was }) {
      mem.set(was.records, records)
      mem.set(was.rest, sides)
      heap.restore(was)
      free = numbers.free
      now = numbers.now
      fresh = records + was.records.length
      Object.assign(counts, { events: numbers.events, messages: numbers.messages, bytes: numbers.bytes })
    },
  }
}
