// The interface between the ranks of parallel programs and the engine that carries their messages. The state of a rank
// consists of words only: fixed words of its own, and records that the engine lends. Snapshots and the undo log of an
// optimistic run therefore include ranks. Times are whole picoseconds since the start. workloads/ implements `Ranks`;
// each engine implements `RankHost`.
//
// Ranks of all jobs are numbered consecutively. A rank acts only when one of its events occurs. `Ranks.event` is called
// with the record that was passed to `wake`, with a message that has arrived, or with the notice that one of its
// messages has left. Events of a rank occur in order of time; events of equal times are ordered by (ORIGIN, COUNT),
// which is unique. The order therefore does not depend on timing of workers.
import type { Reserve } from "./events.ts"

/**
 * Words of a record that belong to the rank while it has the record: mem[e + host.own + i], and mem[e + LINK] for
 * lists.
 */
export const OWN_WORDS = 16
export const LINK = 2

/** Words that the engine reads, and that it transports from rank to rank with the others. */
export const WHAT = 0 // kind of the event for the rank
export const FROM = 1 // sending rank
export const TO = 2 // receiving rank
export const COUNT = 3 // number of the message at its sender, or of the event at its rank
/** in WHAT, set by the engine: the event informs the sender that the message has left */
export const LEFT = 1 << 16
/** in WHAT, set by the rank: it requests that event */
export const TELL = 1 << 17

/**
 * First of the two words that order events of one rank and time: its own events first, then departures, then messages
 * by sender.
 */
export const OWN_EVENT = 0
export function originOf(mem: Int32Array, own: number): number {
  return (mem[own + WHAT] & LEFT) !== 0 ? 1 : 2 + mem[own + FROM]
}

export interface RankHost {
  readonly mem: Int32Array
  /** words from a record to those that belong to ranks */
  readonly own: number
  alloc(): number
  release(e: number): void
  /**
   * true if old values must be logged: call `note(i)` before every write to mem[i], except in a record that the same
   * event allocated
   */
  readonly undo: boolean
  note(i: number): void
  noteRange(i: number, count: number): void
  /** Schedules an event of `rank` at time t, not before now. */
  wake(e: number, rank: number, t: number): void
  /**
   * Passes message `e` of `bytes` (at least 1) to the interface of its sender at time t, not before now. The record
   * then belongs to the engine.
   */
  send(e: number, bytes: number, t: number): void
  /** Returns when `rank` may start its next send, not before now: an interface may delay it. */
  ready(rank: number, now: number): number
}

/** The rank adapter of the packet engine, as its endpoints and switches see it. */
export interface Seat {
  /** words from a record to those that belong to ranks */
  readonly own: number
  /** [rank] -> endpoint */
  readonly place: Int32Array
  /** number of the stream that counts the messages of ranks */
  readonly stream: number
  /** Chunk `c` of a rank's message reaches its endpoint at time t. */
  arrives(c: number, t: number): void
  /** The last chunk of a message, `c`, will have left at time t, which is after now. */
  leaves(c: number, t: number): void
}

/** The ranks, built on their columns. */
export interface Ranks {
  readonly count: number
  /** Schedules the first event of a rank. */
  start(rank: number): void
  event(e: number, rank: number, t: number): void
  /** Returns true if the rank has finished its program. */
  finished(rank: number): boolean
  /** Returns a hash of the rank's state that does not depend on the location of its records. */
  digest(rank: number): number
  /** Writes the report words of a rank: RankLayer.summary of them. */
  summary(rank: number, into: Int32Array, at: number): void
}

/** The ranks as an engine receives them: their number, their endpoints, and how to build them. */
export interface RankLayer {
  readonly ranks: number
  /** [rank] -> endpoint */
  readonly place: Int32Array
  /** number of the stream that counts their messages */
  readonly stream: number
  /** words of a rank that a report needs */
  readonly summary: number
  lay(memory: Reserve): { make(host: RankHost): Ranks }
}
