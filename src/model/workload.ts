// Between the ranks of parallel programs and the engine that carries their messages. All that a rank knows is words: some fixed ones of its own, and
// records that the engine lends. So whoever keeps words (a snapshot, the log of an optimistic run) keeps ranks. Times are whole picoseconds since the start.
//
// Ranks of all jobs are numbered one after the other. A rank acts only when one of its events comes: `Ranks.event` with the record that was given to
// `wake`, with a message that has arrived, or with the news that one of its own has left. Events of a rank come in order of time; those of equal
// times by (ORIGIN, COUNT), which no two of them share, so the order does not depend on who was faster.
import type { Reserve } from "./events.ts"

/** Words of a record that belong to the rank while it has it: mem[e + host.own + i], and mem[e + LINK] to put it into a list. */
export const OWN_WORDS = 16
export const LINK = 2

/** Words that the engine reads, and that it carries from rank to rank with the others. */
export const WHAT = 0 // what the event is to the rank
export const FROM = 1 // rank that sends
export const TO = 2 // rank that receives
export const COUNT = 3 // number of the message among those of its sender, or of the event among the rank's own
/** in WHAT, by the engine: the message has left its sender, to whom this event is */
export const LEFT = 1 << 16
/** in WHAT, by the rank: it wants to know when the message has left */
export const TELL = 1 << 17

/** First of the two words that order events of one rank and time: its own first, then what has left, then messages by sender. */
export const OWN_EVENT = 0
export function originOf(mem: Int32Array, own: number): number {
  return (mem[own + WHAT]! & LEFT) !== 0 ? 1 : 2 + mem[own + FROM]!
}

export interface RankHost {
  readonly mem: Int32Array
  /** words from a record to those that belong to ranks */
  readonly own: number
  alloc(): number
  release(e: number): void
  /** true when old values must be kept: `note(i)` before every write to mem[i] that is not of a record allocated by the same event */
  readonly undo: boolean
  note(i: number): void
  noteRange(i: number, count: number): void
  /** Event for `rank` at time t, not before now. */
  wake(e: number, rank: number, t: number): void
  /** Message `e` of `bytes` (at least 1) reaches the interface of its sender at time t, not before now; the record is the engine's from then on. */
  send(e: number, bytes: number, t: number): void
  /** When `rank` may begin its next send, not before now: an interface that refuses to be overrun. */
  ready(rank: number, now: number): number
}

/** Where ranks sit in an engine of packets, as its endpoints and switches see it. */
export interface Seat {
  /** words from a record to those that belong to ranks */
  readonly own: number
  /** [rank] -> endpoint */
  readonly place: Int32Array
  /** number of the stream that ranks' messages count as */
  readonly stream: number
  /** Chunk `c` of a rank's message reaches its endpoint at time t. */
  arrives(c: number, t: number): void
  /** The last chunk of a message, `c`, will have left at time t, which is after now. */
  leaves(c: number, t: number): void
}

/** Ranks on their columns. */
export interface Ranks {
  readonly count: number
  /** First event of a rank. */
  start(rank: number): void
  event(e: number, rank: number, t: number): void
  /** Has it finished its program? */
  finished(rank: number): boolean
  /** Where it stands, in a number that does not depend on where its records lie. */
  digest(rank: number): number
  /** What a report needs of a rank: RankLayer.summary words. */
  summary(rank: number, into: Int32Array, at: number): void
}

/** What an engine is given: how many there are, where they sit, and how to build them. */
export interface RankLayer {
  readonly ranks: number
  /** [rank] -> endpoint */
  readonly place: Int32Array
  /** number of the stream that their messages count as */
  readonly stream: number
  /** words of a rank that a report needs */
  readonly summary: number
  lay(memory: Reserve): { make(host: RankHost): Ranks }
}
