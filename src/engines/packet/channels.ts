// Messages between workers over shared memory. Each ordered pair of workers has one ring with one writer and one
// reader. A message is contiguous; the writer skips the end of the ring if the message does not fit there. A message
// that finds the ring full goes to the sender's outbox, so that an event never blocks during its execution. worker.ts
// sends and receives messages; sync.ts calls `flush`, `drain` and the barrier.
//
// The shared memory also holds a barrier and the numbers that the synchronisation algorithms publish. A waiting worker
// polls one word: the barrier's generation, another worker's clock, or the read position of a full ring. A worker that
// finds a ring full increments CALLS. Workers that wait for something else then read their messages, which prevents a
// deadlock of full rings.
//
// Memory order: the writer stores a message with plain writes and then publishes `tail` with Atomics.store. The reader
// loads `tail` with Atomics.load, so it sees complete messages only. Positions count up and wrap at 2^32; differences
// are taken `| 0`.
import { shared } from "../../model/graph.ts"
import { SpinWait, sleep, wake } from "../spin-wait.ts"
import { numberOf, type PartState } from "./state.ts"

/**
 * First words of a message: kind, number, time, and key (event) or slot (credit). A cancellation has only kind and
 * number.
 */
export const EVENT = 0
export const CREDIT = 1
export const CANCEL = 2
/** the rest of the ring up to its end is unused */
const SKIP = 3
export const HEAD_WORDS = 4
export const CANCEL_WORDS = 2

/** ints between two published numbers: two cache lines, because CPUs prefetch lines in pairs; avoids false sharing */
const LINE = 32
const COUNT = 0
const GENERATION = LINE
/** number of calls so far; it shares a line with GENERATION, which most workers poll */
const CALLS = GENERATION + 1
const SLEEPERS = 2 * LINE
const NUMBERS = 3 * LINE
/** published numbers of each worker */
const PUBLISHED = 4

export interface SharedChannels {
  readonly workers: number
  readonly control: Int32Array
  readonly rings: Int32Array
  readonly ringWords: number
  /** there are more workers than cores */
  readonly crowded: boolean
}

/** `ringWords`: a power of two, at least twice the longest message. */
export function shareChannels(workers: number, ringWords = 1 << 15): SharedChannels {
  return {
    workers,
    ringWords,
    crowded: false,
    control: shared(Int32Array, NUMBERS + LINE * (PUBLISHED * workers + 2 * workers * workers)),
    rings: shared(Int32Array, workers * workers * ringWords),
  }
}

export interface Receiver {
  /** A message from worker `from`: kind, then its words at `box[at]`. */
  take(from: number, kind: number, box: Int32Array, at: number): void
}

export class Channels {
  readonly me: number
  readonly workers: number
  /** earliest time of all messages sent since the last reset; input to the common time */
  earliest = 0x7fffffff
  sentMessages = 0
  cancels = 0
  private readonly control: Int32Array
  private readonly rings: Int32Array
  private readonly size: number
  private readonly eventWords: number
  /** array that holds the message being written: the rings or an outbox */
  private target: Int32Array
  // Messages that found the ring full, for each receiver; [outStart, outEnd) is not yet in the ring.
  private readonly out: Int32Array[]
  private readonly outEnd: Int32Array
  private readonly outStart: Int32Array
  /** [worker] -> end of the words written to its ring, not necessarily published; its read position when last loaded */
  private readonly tails: Int32Array
  private readonly heads: Int32Array
  /** [worker] -> number of the next message */
  private readonly numbers: Int32Array
  /** value of CALLS when this worker last read its messages; the word it waits for, and the value that must change */
  private heard = 0
  private waitAt = GENERATION
  private waitFor = 0
  private readonly patience: SpinWait

  constructor(at: SharedChannels, me: number, eventWords: number) {
    this.me = me
    this.workers = at.workers
    this.control = at.control
    this.rings = at.rings
    this.size = at.ringWords
    this.eventWords = eventWords
    this.patience = new SpinWait(at.crowded)
    if (at.ringWords < 2 * eventWords)
      throw new RangeError(
        `a ring of ${at.ringWords} words is too short for messages of ${eventWords}: give it twice as many`,
      )
    this.target = at.rings
    this.out = Array.from({ length: at.workers }, () => new Int32Array(1 << 12))
    this.outEnd = new Int32Array(at.workers)
    this.outStart = new Int32Array(at.workers)
    this.tails = new Int32Array(at.workers)
    this.heads = new Int32Array(at.workers)
    this.numbers = new Int32Array(at.workers)
  }

  /**
   * Reserves space for a message in `target`. Returns its offset. The ring is used only if the outbox is empty, because
   * messages must stay in order.
   */
  private place(to: number, words: number): number {
    const at = this.outEnd[to] === 0 ? this.inRing(to, words) : -1
    if (at >= 0) {
      this.target = this.rings
      return at
    }
    const end = this.outEnd[to]
    let out = this.out[to]
    if (end + words > out.length) {
      out = new Int32Array(2 * out.length)
      out.set(this.out[to])
      this.out[to] = out
    }
    this.outEnd[to] = end + words
    this.target = out
    return end
  }

  /** Reserves space in the ring. Returns its offset, or -1 if the ring is full. */
  private inRing(to: number, words: number): number {
    const { size, tails, heads } = this
    const tail = tails[to]
    const at = tail & (size - 1)
    const skip = at + words > size ? size - at : 0
    const need = skip + words
    // The cached read position is a lower bound, so the shared word is loaded only if the ring seems full.
    if (size - ((tail - heads[to]) | 0) < need) {
      heads[to] = Atomics.load(this.control, this.headOf(this.me, to))
      if (size - ((tail - heads[to]) | 0) < need) return -1
    }
    const base = (this.me * this.workers + to) * size
    if (skip > 0) this.rings[base + at] = SKIP
    tails[to] = (tail + need) | 0
    return base + ((tail + skip) & (size - 1))
  }

  /**
   * Starts an event message. The caller writes the payload after the head, into `written()`. Returns the offset of the
   * head there.
   */
  event(to: number, t: number, key: number): number {
    const at = this.place(to, this.eventWords)
    this.head(EVENT, this.numbers[to]++, t, key, at)
    return at
  }

  /** Returns the array that holds the last message. */
  written(): Int32Array {
    return this.target
  }

  /** Sends a credit. Returns the number of the message. */
  credit(to: number, t: number, slot: number): number {
    const n = this.numbers[to]++
    this.head(CREDIT, n, t, slot, this.place(to, HEAD_WORDS))
    return n
  }

  private head(kind: number, n: number, t: number, key: number, at: number): void {
    const { target } = this
    target[at] = kind
    target[at + 1] = n
    target[at + 2] = t
    target[at + 3] = key
    this.posted(t)
  }

  /** Cancels message n, whose time is at least t (an anti-message). */
  cancel(to: number, n: number, t: number): void {
    const at = this.place(to, CANCEL_WORDS)
    this.target[at] = CANCEL
    this.target[at + 1] = n
    this.cancels++
    if (t < this.earliest) this.earliest = t
  }

  private posted(t: number): void {
    this.sentMessages++
    if (t < this.earliest) this.earliest = t
  }

  /**
   * Moves outbox messages to the rings as far as they fit, and publishes the rings. Returns true if no message remains
   * in an outbox.
   */
  flush(): boolean {
    let all = true
    for (let to = 0; to < this.workers; to++) {
      if (this.outEnd[to] > 0 && !this.empty(to)) all = false
      const at = this.tailOf(this.me, to)
      if (this.control[at] !== this.tails[to]) Atomics.store(this.control, at, this.tails[to])
    }
    return all
  }

  /** Moves messages from one outbox to its ring. Returns true if none remains. */
  private empty(to: number): boolean {
    const out = this.out[to]
    const end = this.outEnd[to]
    let from = this.outStart[to]
    while (from < end) {
      const words = this.wordsOf(out[from])
      const at = this.inRing(to, words)
      if (at < 0) {
        this.outStart[to] = from
        return false
      }
      for (let i = 0; i < words; i++) this.rings[at + i] = out[from + i]
      from += words
    }
    this.outStart[to] = 0
    this.outEnd[to] = 0
    return true
  }

  private wordsOf(kind: number): number {
    return kind === EVENT ? this.eventWords : kind === CREDIT ? HEAD_WORDS : CANCEL_WORDS
  }

  /** Receives every message that has arrived. Returns true if there was one. */
  drain(by: Receiver): boolean {
    let any = false
    // CALLS is loaded before the rings: a call during this scan causes one more scan.
    this.heard = Atomics.load(this.control, CALLS)
    for (let from = 0; from < this.workers; from++)
      if (from !== this.me && this.drainRing(from, this.me, from, by)) any = true
    return any
  }

  /**
   * Receives the messages that this worker has sent, as if each other worker had sent them. For the warm-up, while no
   * other worker reads the rings.
   */
  drainOwn(by: Receiver): void {
    for (let any = true; any; ) {
      any = !this.flush()
      for (let to = 0; to < this.workers; to++) if (to !== this.me && this.drainRing(this.me, to, to, by)) any = true
    }
    this.earliest = 0x7fffffff
  }

  /** Receives the messages in the ring between two workers; `by` sees them as messages from `as`. */
  private drainRing(from: number, to: number, as: number, by: Receiver): boolean {
    const { control, rings, size } = this
    const headAt = this.headOf(from, to)
    const base = (from * this.workers + to) * size
    const tail = Atomics.load(control, this.tailOf(from, to))
    const first = control[headAt]
    if (first === tail) return false
    for (let head = first; head !== tail; ) {
      const at = head & (size - 1)
      const kind = rings[base + at]
      if (kind === SKIP) {
        head = (head + size - at) | 0
        continue
      }
      by.take(as, kind, rings, base + at)
      head = (head + this.wordsOf(kind)) | 0
    }
    // The read position is published once, after all messages were copied out.
    Atomics.store(control, headAt, tail)
    wake(control, headAt, SLEEPERS)
    return true
  }

  /** Returns the counters. At a common time no message is in flight, so the rings need not be saved. */
  save(): PartState {
    for (let to = 0; to < this.workers; to++)
      if (this.outEnd[to] > 0 || Atomics.load(this.control, this.headOf(this.me, to)) !== this.tails[to])
        throw new Error(`messages of worker ${this.me} to worker ${to} are in flight: save at a common time`)
    return { numbers: { sent: this.sentMessages, cancels: this.cancels }, columns: {} }
  }

  restore(state: PartState): void {
    this.sentMessages = numberOf(state, "sent")
    this.cancels = numberOf(state, "cancels")
  }

  /** Publishes one of this worker's numbers. */
  publish(which: number, value: number): void {
    const at = this.numberOf(which, this.me)
    Atomics.store(this.control, at, value)
    wake(this.control, at, SLEEPERS)
  }

  read(which: number, worker: number): number {
    return Atomics.load(this.control, this.numberOf(which, worker))
  }

  least(which: number): number {
    let least = this.read(which, 0)
    for (let w = 1; w < this.workers; w++) least = Math.min(least, this.read(which, w))
    return least
  }

  /** Arrives at the barrier. Returns its generation; the barrier opens when the generation changes. */
  arrive(): number {
    const { control } = this
    const generation = Atomics.load(control, GENERATION)
    // The last worker to arrive resets the counter before it opens the barrier, so that the next barrier can start at
    // once.
    if (Atomics.add(control, COUNT, 1) === this.workers - 1) {
      Atomics.store(control, COUNT, 0)
      Atomics.store(control, GENERATION, (generation + 1) | 0)
      wake(control, GENERATION, SLEEPERS)
    }
    return generation
  }

  passed(generation: number): boolean {
    return Atomics.load(this.control, GENERATION) !== generation
  }

  /** Requests that the other workers read their messages, because a ring is full. */
  call(): void {
    Atomics.add(this.control, CALLS, 1)
  }

  /** Returns true if another worker has called since this one last read its messages. */
  called(): boolean {
    return Atomics.load(this.control, CALLS) !== this.heard
  }

  /**
   * These set the condition that `rest` waits for: the barrier opens, a number of another worker differs from `seen`,
   * or the full ring is read.
   */
  untilPassed(generation: number): void {
    this.until(GENERATION, generation)
  }
  untilMoved(which: number, worker: number, seen: number): void {
    this.until(this.numberOf(which, worker), seen)
  }
  untilRead(): void {
    const to = this.outEnd.findIndex((end) => end > 0)
    this.until(this.headOf(this.me, to), this.heads[to])
  }
  private until(at: number, value: number): void {
    this.waitAt = at
    this.waitFor = value
  }

  /**
   * Polls, then sleeps for at most `ms`, until the condition has changed or another worker calls. Returns false if it
   * had to sleep.
   */
  rest(ms: number): boolean {
    const { control, waitAt, waitFor } = this
    if (this.patience.look(control, waitAt, waitFor, CALLS, this.heard)) return true
    sleep(control, waitAt, waitFor, ms, SLEEPERS)
    return false
  }

  private numberOf(which: number, worker: number): number {
    return NUMBERS + LINE * (which * this.workers + worker)
  }
  private pair(which: number, a: number, b: number): number {
    return NUMBERS + LINE * (PUBLISHED * this.workers + which * this.workers * this.workers + a * this.workers + b)
  }
  private tailOf(from: number, to: number): number {
    return this.pair(0, from, to)
  }
  private headOf(from: number, to: number): number {
    return this.pair(1, from, to)
  }
}
