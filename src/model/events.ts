// Interfaces and record layout of the packet engine, for its switch and endpoints: event records, credits as
// timestamps, delivery. Times are Int32 picoseconds since an epoch that the engine advances; all state is in words of
// one Int32Array. engines/packet implements Kernel and Credits; switches/chunk and endpoints/rails implement
// PacketSwitch and Terminals.

/** Words of every event record. */
export const TIME = 0
export const KEY = 1
export const NEXT = 2
/** Words of a chunk that routers on its path read. The record travels with the chunk and is its only pending event. */
export const STATE = 3
export const DST = 4
export const UID = 5
export const UP = 6
export const SCRATCH = 7
/** Words of a chunk that only its two endpoints read; they are `cold` words after the others. */
export const SRC = 0
export const BYTES = 1
export const CREATED = 2
export const SENT = 3
export const EPOCHS = 4
export const MESSAGE = 5
export const CHUNKS = 6
export const STREAM = 7
export const COLD_WORDS = 8

/**
 * Bits of STATE: routers visited; whether it is shorter than a full chunk; units of link latency so far; whether it has
 * waited for credits.
 */
export const HOPS = 255
export const SHORT = 256
export const WIRES = 9
export const MOST_WIRES = (1 << 22) - 1
export const WAITED = 1 << 31
/** the bits that distinguish the decisions of a chunk from one another */
export const PHASE = HOPS | SHORT

/**
 * Keys are (class, number). At equal times, credits precede arrivals, then departures, then hand-overs, then events of
 * ranks and their messages.
 */
export const WAKE = 0
export const ARRIVE = 1 << 28
export const SEND = 2 << 28
export const INJECT = 3 << 28
export const ISSUE = 4 << 28
/** event of a rank; a rank's message reaches the interface of its endpoint */
export const RANK = 5 << 28
export const HAND = 6 << 28
/** an endpoint with ranks has a stream message to send */
export const LOOK = 7 << 28
export const NUMBER = (1 << 28) - 1
export const classOf = (key: number): number => key & ~NUMBER

/** A time that is never reached. */
export const NEVER = 0x7fffffff

/** The event operations of a model; the same in all synchronisation modes. */
export interface Kernel {
  readonly mem: Int32Array
  /** Allocates a record; its words have arbitrary contents. */
  alloc(): number
  release(e: number): void
  /** Schedules record `e`. */
  push(e: number, t: number, key: number): void
  /** number of epochs that have ended */
  epoch(): number
  /** a time before which no event will be executed any more (optimistic: unless events are undone) */
  since(): number
  /**
   * true if old values must be logged: call `note(i)` before every write to mem[i], or `noteRange` before writes to
   * several words
   */
  readonly undo: boolean
  note(i: number): void
  noteRange(i: number, count: number): void
}

export interface Handler {
  /** Executes record `e`. The model may schedule it again, release it, or store it in a queue. */
  handle(e: number, t: number, key: number): void
  /** Returns the logical process of a key. */
  lpOf(key: number): number
}

/**
 * Credits of each slot (channel and VC): free buffer space for chunks on the receiving side. Credits are timestamps,
 * not events.
 */
export interface Credits {
  /**
   * Returns true if one more chunk may be sent at time t, as far as is known. Later queries about this slot must not
   * concern earlier times.
   */
  hasCredits(slot: number, t: number): boolean
  /** The same for a future time t, queried now. With several rails, queries about earlier times may follow. */
  hasCreditsBy(slot: number, t: number, now: number): boolean
  /**
   * Returns the first time after `after` (when there was no credit) and up to now at which there is one; NEVER if there
   * is none.
   */
  creditsSince(slot: number, after: number, now: number): number
  /** Returns the chunks that were sent and not credited by time t. */
  used(slot: number, t: number): number
  /** The same for all slots of a channel, including the chunks that wait for them. */
  load(chan: number, t: number): number
  take(slot: number): void
  /** Adds a credit that arrives at time t, later than now. */
  give(slot: number, t: number): void
  /** A chunk waits from time t on: WAKE | slot occurs with the next credit, and again until rest(). */
  wait(slot: number, t: number): void
  /** `by` more chunks wait for the slot. */
  queue(slot: number, by: number): void
  /** No chunk waits any more. */
  rest(slot: number): void
  waiting(slot: number): boolean
}

/** Columns of state, reserved before the memory exists. */
export interface Reserve {
  /** Reserves `count` words. Returns their offset. */
  reserve(count: number): number
  /** Declares that the words at, at + step, … (`count` of them) are times. */
  times(at: number, count: number, step: number): void
}

/** Times of the links in ps. Channels are numbered as in the graph; entries are endpoint * rails + rail. */
export interface LinkTimes {
  /** bytes of a full chunk */
  readonly chunk: number
  /** [chan] -> time that a full chunk occupies it; time per byte for shorter ones */
  readonly full: Int32Array
  readonly perByte: Float64Array
  /** [chan] -> time from the end of the transmission to the arrival at the receiver */
  readonly after: Int32Array
  /** [chan] -> time from the departure of a chunk downstream until the sender has the credit */
  readonly credit: Int32Array
  /**
   * time after its start at which the head flit is at the receiver, if chunks cut through; absent: store-and-forward
   */
  readonly head?: number
  /** [chan], [entry] -> latency of the link, in the unit of STATE */
  readonly wires: Int32Array
  readonly entryWires: Int32Array
  /** the same for the channels of endpoints, which differ only in latency */
  readonly entryFull: number
  readonly entryPerByte: number
  /** [entry] */
  readonly entryAfter: Int32Array
  readonly entryCredit: Int32Array
}

export function timeOf(bytes: number, perByte: number): number {
  return Math.round(bytes * perByte)
}

/** The endpoints of a packet simulation, as the switch and the engine see them. */
export interface Terminals {
  /** Schedules the first hand-overs of an endpoint. */
  start(end: number): void
  /** A chunk of `end` has reached its router: the endpoint may continue. */
  transmitted(end: number, t: number): void
  /** true if transmitted() must be called, because the endpoint belongs to the process of its only router */
  readonly merged: boolean
  /** INJECT | entry: chunk `e` is due on its link. */
  inject(e: number, t: number, entry: number): void
  /** ISSUE | end: checks for the next message or packet. */
  issue(e: number, t: number, end: number): void
  /** WAKE of an entry's slot. */
  wake(entry: number, t: number): void
  /** Returns true if the endpoint has a message left that was created before time t of an epoch. */
  behind(end: number, epoch: number, t: number): boolean
  /**
   * Returns the bytes of all messages that the first `streams` streams of the endpoint created before `t` ps (since the
   * start), the present.
   */
  created(end: number, t: number, streams: number): number
  /** HAND | end: a rank passes message `e`, of mem[e + cold + BYTES] bytes. */
  handed(e: number, t: number, end: number): void
  /** LOOK | end. */
  look(e: number, t: number, end: number): void
}

/**
 * A row about chunks that wait for a credit of one slot and occupy another, through which they came: both slots, the
 * number of chunks, the endpoints of the first.
 */
export const WAIT = { slot: 0, up: 1, count: 2, from: 3, to: 4, words: 5 } as const

/** The routers, as the engine sees them. */
export interface PacketSwitch {
  /** ARRIVE | input port. */
  arrive(c: number, t: number, into: number): void
  /** SEND | channel: it is free and chunks wait for it. */
  send(e: number, t: number, chan: number): void
  /** WAKE of a channel's slot that chunks wait for. */
  wake(slot: number, t: number): void
  /** Returns the flits sent on a channel so far. */
  sent(chan: number): number
  /** Returns rows of WAIT: chunks that wait for credits. */
  waits(): Int32Array
  /**
   * Visits every chunk in a queue of a router: the slot that it requests or has, and whether it still waits for
   * credits.
   */
  queues(visit: (chunk: number, slot: number, waits: boolean) => void): void
}
