// The ideal network: messages interact only at the network interfaces of their sender and receiver, never inside the
// network. It implements the LogGOPS model ("LogGOPSim - simulating large-scale applications in the LogGOPS model", T.
// Hoefler, T. Schneider and A. Lumsdaine, 2010). Parameters: L latency, o processor time per message, g gap between two
// messages of an interface, G time per byte, O processor time per byte, S limit of eager messages. The ranks apply o, O
// and S (mpi/params.ts); here o and O only determine when the interface started. A message of one byte takes one event,
// others take two. compile/ideal.ts creates the engine.
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

/** Parameters; times are in ps. */
export interface LogGOPS {
  readonly L: number
  readonly o: number
  readonly g: number
  readonly G: number
  readonly O: number
}

/** [rank] -> processor time per message and per byte, if ranks differ. */
export interface Processors {
  readonly o: Float64Array
  readonly O: Float64Array
}

/** Words of a record before those of ranks. */
const STAGE = 1
const SIZE = 3 // two words: bytes of the message
const OWN = 5
const STRIDE = OWN + OWN_WORDS + 3
/** STAGE: the first byte reaches the receiver's interface; other values belong to events of the rank */
const FIRST = 1

/** Words of an interface: the times from which the next message can leave, and can enter, two words each. */
const OUT = 0
const IN = 2
const SIDE_WORDS = 4
const HIGH = 0x1_0000_0000

/** A copy of the state between two events. */
export interface IdealState {
  readonly numbers: {
    readonly now: number
    readonly free: number
    readonly events: number
    readonly messages: number
    readonly bytes: number
  }
  /** records that were ever used; interfaces and ranks; the heap of pending events */
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
  /**
   * Runs until no event is left, the clock would pass `limit`, or `events` events were executed. Returns the time of
   * the last one.
   */
  run(limit: number, events?: number): number
  save(): IdealState
  restore(state: IdealState): void
  /** events, messages and bytes so far */
  readonly counts: { events: number; messages: number; bytes: number }
  readonly mem: Int32Array
  readonly host: RankHost
  /** number of pending events */
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
    // Absolute times need no epoch.
  }
}

export function makeIdeal(layer: RankLayer, net: LogGOPS, processors?: Processors): Ideal {
  const columns = new Columns()
  // Record 0 means "none".
  const capacity = Math.min(1 << 24, Math.max(1 << 15, 512 * layer.ranks))
  const records = columns.reserve(STRIDE * capacity)
  // Ranks at the same endpoint share its interface.
  const interfaces = layer.place.reduce((n, end) => Math.max(n, end + 1), 0)
  const sides = columns.reserve(interfaces * SIDE_WORDS)
  const laid = layer.lay(columns)
  // Untouched pages cost no memory.
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
      free = mem[e + LINK]
      return e
    }
    if (fresh >= records + STRIDE * capacity)
      throw new RangeError(`allocation of a record: more than ${capacity} messages and operations at once`)
    fresh += STRIDE
    return fresh - STRIDE
  }
  function release(e: number): void {
    mem[e + LINK] = free
    free = e
  }
  // Times exceed 32 bits, so they take two words.
  function time(i: number): number {
    return mem[i + 1] * HIGH + (mem[i] >>> 0)
  }
  function setTime(i: number, t: number): void {
    const high = Math.floor(t / HIGH)
    mem[i] = t - high * HIGH
    mem[i + 1] = high
  }
  /** Orders events of the same time by origin and count, independent of the rank. */
  function push(e: number, t: number, origin: number): void {
    heap.push(t, origin * HIGH + (mem[e + OWN + COUNT] >>> 0), e)
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
    ready: (rank, t) => Math.max(t, time(sides + place[rank] * SIDE_WORDS + OUT)),
    send(e, bytes, t) {
      const rank = mem[e + OWN + FROM]
      const side = sides + place[rank] * SIDE_WORDS
      const more = bytes - 1
      const o = os[rank]
      const O = Os[rank]
      // The processor started o + (bytes - 1) * O before it passed the message to the interface.
      const start = Math.max(Math.round(t - o - more * O), time(side + OUT))
      setTime(side + OUT, Math.round(start + g + more * G))
      const handed = Math.round(start + o + more * O)
      counts.messages++
      counts.bytes += bytes
      // The sender learns that its buffer is free when both processor and interface have finished.
      if ((mem[e + OWN + WHAT] & TELL) !== 0) tell(e, rank, Math.round(start + o + more * Math.max(G, O)))
      mem[e + STAGE] = FIRST
      setTime(e + SIZE, bytes)
      push(e, handed + L, originOf(mem, e + OWN))
    },
  }

  /** Schedules the sender's event that the message has left. */
  function tell(e: number, rank: number, t: number): void {
    const news = alloc()
    for (let i = 0; i < OWN_WORDS; i++) mem[news + OWN + i] = mem[e + OWN + i]
    mem[news + OWN + WHAT] = mem[e + OWN + WHAT] | LEFT
    mem[news + STAGE] = -rank
    push(news, t, originOf(mem, news + OWN))
  }

  const ranks = laid.make(host)
  for (let r = 0; r < layer.ranks; r++) ranks.start(r)

  /** Handles the arrival of the first byte. The receiver's interface accepts messages one after the other. */
  function comesIn(e: number, t: number): void {
    const rank = mem[e + OWN + TO]
    const side = sides + place[rank] * SIDE_WORDS
    const more = time(e + SIZE) - 1
    const start = Math.max(t, time(side + IN))
    setTime(side + IN, Math.round(start + g + more * G))
    mem[e + STAGE] = -rank
    // The processor of the receiver copies with O per byte meanwhile, so only the excess of G delays the message.
    const end = Math.round(start + more * Math.max(0, G - Os[rank]))
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
        else ranks.event(e, -mem[e + STAGE], now)
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
