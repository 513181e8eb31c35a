// What a switch and its endpoints stand on in the packet engine: event records, credits as timestamps, facts. Times are Int32 picoseconds
// since an epoch that the engine moves; everything is a word of one Int32Array.

/** Words of every event record. */
export const TIME = 0
export const KEY = 1
export const NEXT = 2
/** Words of a chunk that the routers on its way read: its record goes with it and is its only pending event. */
export const STATE = 3
export const DST = 4
export const UID = 5
export const UP = 6
export const SCRATCH = 7
/** Words of a chunk that only its two ends read; they lie `cold` words after the others. */
export const SRC = 0
export const BYTES = 1
export const BORN = 2
export const SENT = 3
export const EPOCHS = 4
export const MESSAGE = 5
export const CHUNKS = 6
export const STREAM = 7
export const COLD_WORDS = 8

/** Bits of STATE: routers visited, whether it is shorter than a full chunk; units of latency of the links so far; whether it has waited for credits. */
export const HOPS = 255
export const SHORT = 256
export const WIRES = 9
export const MOST_WIRES = (1 << 22) - 1
export const WAITED = 1 << 31
/** what tells one decision of a chunk from its others */
export const PHASE = HOPS | SHORT

/** Keys are (class, number); at equal times credits come before arrivals, arrivals before departures, these before hand-overs; then ranks, then what they send. */
export const WAKE = 0
export const ARRIVE = 1 << 28
export const SEND = 2 << 28
export const INJECT = 3 << 28
export const ISSUE = 4 << 28
/** of a rank; a message of a rank reaches the interface of its endpoint */
export const RANK = 5 << 28
export const HAND = 6 << 28
/** an endpoint with ranks has a message of a stream to send */
export const LOOK = 7 << 28
export const NUMBER = (1 << 28) - 1
export const classOf = (key: number): number => key & ~NUMBER

/** A time that never comes. */
export const NEVER = 0x7fffffff

/** What a model may do with events: the same in all modes. */
export interface Kernel {
  readonly mem: Int32Array
  /** A record of its own; its words hold whatever they held. */
  alloc(): number
  release(e: number): void
  /** Schedules record `e`. */
  push(e: number, t: number, key: number): void
  /** epochs that have passed */
  epoch(): number
  /** no event before this time will be executed any more (optimistic: unless something is undone) */
  since(): number
  /** true when old values must be kept: call `note(i)` before every write to mem[i], or `noteRange` before writes to several words */
  readonly undo: boolean
  note(i: number): void
  noteRange(i: number, count: number): void
}

export interface Handler {
  /** Executes record `e`; it may be scheduled again, released, or kept in a queue of the model's own. */
  handle(e: number, t: number, key: number): void
  /** the logical process that a key belongs to */
  lpOf(key: number): number
}

/** Room for chunks on the far side of each (channel, VC): a slot. Credits are times, not events. */
export interface Credits {
  /** May one more chunk be sent at time t, as far as is known? Later questions about this slot are not about earlier times. */
  room(slot: number, t: number): boolean
  /** The same for a time t to come, asked now. Where an endpoint has several rails, questions about earlier times may follow. */
  roomBy(slot: number, t: number, now: number): boolean
  /** The first time after `after`, when there was no room, and up to now at which there is; NEVER if there is none. */
  roomSince(slot: number, after: number, now: number): number
  /** chunks sent and not credited by time t */
  used(slot: number, t: number): number
  /** the same for all slots of a channel, with the chunks that wait for them */
  load(chan: number, t: number): number
  take(slot: number): void
  /** A credit arrives at time t, later than now. */
  give(slot: number, t: number): void
  /** Somebody waits at time t: WAKE | slot comes with the next credit, and again until rest(). */
  wait(slot: number, t: number): void
  /** So many chunks more wait for the slot. */
  queue(slot: number, by: number): void
  /** Nobody waits any more. */
  rest(slot: number): void
  waiting(slot: number): boolean
}

/** Columns of state, reserved before the memory exists. */
export interface Reserve {
  /** `count` words; their offset */
  reserve(count: number): number
  /** The words at, at + step, … (`count` of them) are times. */
  times(at: number, count: number, step: number): void
}

/** Times of the links in ps. Channels are numbered as in the graph; entries are endpoint * rails + rail. */
export interface LinkTimes {
  /** bytes of a full chunk */
  readonly chunk: number
  /** [chan] -> time that a full chunk holds it; time of one byte, for shorter ones */
  readonly full: Int32Array
  readonly perByte: Float64Array
  /** [chan] -> from the end of sending to the arrival at the far side */
  readonly after: Int32Array
  /** [chan] -> from a chunk's leave to the sender's knowledge of it */
  readonly credit: Int32Array
  /** a chunk is at the far side when its first flit is: so long after its start */
  readonly head?: number
  /** [chan], [entry] -> latency of the link, in the unit that STATE has it in */
  readonly wires: Int32Array
  readonly entryWires: Int32Array
  /** the same for the channels of the endpoints, which are all alike but for their latency */
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
  /** First hand-overs of an endpoint. */
  start(end: number): void
  /** A chunk of `end` has reached its router: the endpoint may go on. */
  launched(end: number, t: number): void
  /** true if launched() must be called: the endpoint lives with its only router */
  readonly merged: boolean
  /** INJECT | entry: the chunk `e` is due on its link. */
  inject(e: number, t: number, entry: number): void
  /** ISSUE | end: time to look for the next message or packet. */
  issue(e: number, t: number, end: number): void
  /** WAKE of an entry's slot. */
  wake(entry: number, t: number): void
  /** Has the endpoint a message left that was created before time t of an epoch? */
  behind(end: number, epoch: number, t: number): boolean
  /** Returns the bytes of all messages that the streams of the endpoint created before `t` ps (since the beginning), the present. */
  created(end: number, t: number): number
  /** HAND | end: message `e` of a rank, of mem[e + cold + BYTES] bytes. */
  handed(e: number, t: number, end: number): void
  /** LOOK | end. */
  look(e: number, t: number, end: number): void
}

/** A row about chunks that wait for the credit of a slot and take up one of another, the one they came over: both, how many, the ends of the first of them. */
export const WAIT = { slot: 0, up: 1, count: 2, from: 3, to: 4, words: 5 } as const

/** The routers, as the engine sees them. */
export interface PacketSwitch {
  /** ARRIVE | input port. */
  arrive(c: number, t: number, into: number): void
  /** SEND | channel: it is free, chunks wait for it. */
  send(e: number, t: number, chan: number): void
  /** WAKE of a channel's slot: chunks wait for it. */
  wake(slot: number, t: number): void
  /** flits sent on a channel so far */
  sent(chan: number): number
  /** Rows of WAIT: chunks that wait for credits. */
  waits(): Int32Array
  /** Every chunk that is in a list of a router: the slot that it wants or has, and whether it still waits for room there. */
  queues(visit: (chunk: number, slot: number, waits: boolean) => void): void
}
