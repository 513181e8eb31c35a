// Messages between workers over shared memory: one ring for each ordered pair, written by one and read by the other, in place: a message lies in
// one piece, and where it would not fit before the ring's end the rest is skipped. What finds no room stays in the sender's outbox, so an event
// never waits in its middle. Beside the rings lie a barrier and the numbers that the synchronisations publish. Who waits does so until one word changes:
// the barrier's, another's clock, or how far a full ring was read. Who finds a ring full calls: those who wait for something else read their mail then.
import { shared } from "../../model/graph.ts"
import { Patience, sleep, wake } from "../patience.ts"
import { numberOf, type PartState } from "./state.ts"

/** First words of a message: its kind, its number, a time, a key (event) or a slot (credit). A cancelled message names its kind and number only. */
export const EVENT = 0
export const CREDIT = 1
export const CANCEL = 2
/** the rest of the ring is empty */
const SKIP = 3
export const HEAD_WORDS = 4
export const CANCEL_WORDS = 2

/** ints from one published number to the next: two cache lines, which are fetched together, so that workers do not write into each other's */
const LINE = 32
const COUNT = 0
const GENERATION = LINE
/** calls so far, beside what most wait for */
const CALLS = GENERATION + 1
const SLEEPERS = 2 * LINE
const NUMBERS = 3 * LINE
/** numbers that a worker publishes */
const PUBLISHED = 4

export interface SharedMail {
  readonly workers: number
  readonly control: Int32Array
  readonly rings: Int32Array
  readonly ringWords: number
}

/** `ringWords`: a power of two, at least twice the longest message. */
export function shareMail(workers: number, ringWords = 1 << 15): SharedMail {
  return {
    workers,
    ringWords,
    control: shared(Int32Array, NUMBERS + LINE * (PUBLISHED * workers + 2 * workers * workers)),
    rings: shared(Int32Array, workers * workers * ringWords),
  }
}

export interface Receiver {
  /** A message from worker `from`: kind, then its words at `box[at]`. */
  take(from: number, kind: number, box: Int32Array, at: number): void
}

export class Mail {
  readonly me: number
  readonly workers: number
  /** earliest time of a message sent since it was last set to a large number */
  earliest = 0x7fffffff
  sentMessages = 0
  cancels = 0
  private readonly control: Int32Array
  private readonly rings: Int32Array
  private readonly size: number
  private readonly eventWords: number
  /** where the message that is being written lies: a ring, or an outbox */
  private target: Int32Array
  private readonly out: Int32Array[]
  private readonly outEnd: Int32Array
  private readonly outStart: Int32Array
  /** [worker] -> end of what was written into the ring to it, not yet shown; how far it had read when last looked at */
  private readonly tails: Int32Array
  private readonly heads: Int32Array
  /** the next message's number */
  private readonly numbers: Int32Array
  /** calls that were heard; the word that is waited for, until it has another value */
  private heard = 0
  private waitAt = GENERATION
  private waitFor = 0
  private readonly patience = new Patience()

  constructor(at: SharedMail, me: number, eventWords: number) {
    this.me = me
    this.workers = at.workers
    this.control = at.control
    this.rings = at.rings
    this.size = at.ringWords
    this.eventWords = eventWords
    if (at.ringWords < 2 * eventWords)
      throw new RangeError(`a ring of ${at.ringWords} words is too short for messages of ${eventWords}: give it twice as many`)
    this.target = at.rings
    this.out = Array.from({ length: at.workers }, () => new Int32Array(1 << 12))
    this.outEnd = new Int32Array(at.workers)
    this.outStart = new Int32Array(at.workers)
    this.tails = new Int32Array(at.workers)
    this.heads = new Int32Array(at.workers)
    this.numbers = new Int32Array(at.workers)
  }

  /** Room for a message of so many words in `target`; answers its offset. */
  private place(to: number, words: number): number {
    const at = this.outEnd[to] === 0 ? this.inRing(to, words) : -1
    if (at >= 0) {
      this.target = this.rings
      return at
    }
    const end = this.outEnd[to]!
    let out = this.out[to]!
    if (end + words > out.length) {
      out = new Int32Array(2 * out.length)
      out.set(this.out[to]!)
      this.out[to] = out
    }
    this.outEnd[to] = end + words
    this.target = out
    return end
  }

  /** Room in the ring, or -1. */
  private inRing(to: number, words: number): number {
    const { size, tails, heads } = this
    const tail = tails[to]!
    const at = tail & (size - 1)
    const skip = at + words > size ? size - at : 0
    const need = skip + words
    if (size - ((tail - heads[to]!) | 0) < need) {
      heads[to] = Atomics.load(this.control, this.headOf(this.me, to))
      if (size - ((tail - heads[to]!) | 0) < need) return -1
    }
    const base = (this.me * this.workers + to) * size
    if (skip > 0) this.rings[base + at] = SKIP
    tails[to] = (tail + need) | 0
    return base + ((tail + skip) & (size - 1))
  }

  /** An event: the caller writes its payload behind the head, into `written()`. Answers the offset of the head there. */
  event(to: number, t: number, key: number): number {
    const at = this.place(to, this.eventWords)
    this.head(EVENT, this.numbers[to]!++, t, key, at)
    return at
  }

  /** Where the last message lies. */
  written(): Int32Array {
    return this.target
  }

  /** A credit; answers the number of the message. */
  credit(to: number, t: number, slot: number): number {
    const n = this.numbers[to]!++
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

  /** Takes back message number n, which was of no time before t. */
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

  /** Shows what lies in the rings, with what they have room for from the outboxes; true if all is out. */
  flush(): boolean {
    let all = true
    for (let to = 0; to < this.workers; to++) {
      if (this.outEnd[to]! > 0 && !this.empty(to)) all = false
      const at = this.tailOf(this.me, to)
      if (this.control[at] !== this.tails[to]) Atomics.store(this.control, at, this.tails[to]!)
    }
    return all
  }

  /** Moves messages from an outbox into its ring; true if none is left. */
  private empty(to: number): boolean {
    const out = this.out[to]!
    const end = this.outEnd[to]!
    let from = this.outStart[to]!
    while (from < end) {
      const words = this.wordsOf(out[from]!)
      const at = this.inRing(to, words)
      if (at < 0) {
        this.outStart[to] = from
        return false
      }
      for (let i = 0; i < words; i++) this.rings[at + i] = out[from + i]!
      from += words
    }
    this.outStart[to] = 0
    this.outEnd[to] = 0
    return true
  }

  private wordsOf(kind: number): number {
    return kind === EVENT ? this.eventWords : kind === CREDIT ? HEAD_WORDS : CANCEL_WORDS
  }

  /** Takes every message that has arrived; true if there was any. */
  drain(by: Receiver): boolean {
    let any = false
    this.heard = Atomics.load(this.control, CALLS)
    for (let from = 0; from < this.workers; from++) if (from !== this.me && this.drainRing(from, this.me, from, by)) any = true
    return any
  }

  /** Takes back what this worker has sent itself, as if each of the others had answered in kind; only while nobody else reads. */
  drainOwn(by: Receiver): void {
    for (let any = true; any; ) {
      any = !this.flush()
      for (let to = 0; to < this.workers; to++) if (to !== this.me && this.drainRing(this.me, to, to, by)) any = true
    }
    this.earliest = 0x7fffffff
  }

  /** What lies in the ring between two workers; `by` takes it as coming from `as`. */
  private drainRing(from: number, to: number, as: number, by: Receiver): boolean {
    const { control, rings, size } = this
    const headAt = this.headOf(from, to)
    const base = (from * this.workers + to) * size
    const tail = Atomics.load(control, this.tailOf(from, to))
    const first = control[headAt]!
    if (first === tail) return false
    for (let head = first; head !== tail; ) {
      const at = head & (size - 1)
      const kind = rings[base + at]!
      if (kind === SKIP) {
        head = (head + size - at) | 0
        continue
      }
      by.take(as, kind, rings, base + at)
      head = (head + this.wordsOf(kind)) | 0
    }
    Atomics.store(control, headAt, tail)
    wake(control, headAt, SLEEPERS)
    return true
  }

  /** What was counted: at a common time no message is on its way. */
  save(): PartState {
    for (let to = 0; to < this.workers; to++)
      if (this.outEnd[to]! > 0 || Atomics.load(this.control, this.headOf(this.me, to)) !== this.tails[to])
        throw new Error(`messages of worker ${this.me} to worker ${to} are on their way: save at a common time`)
    return { numbers: { sent: this.sentMessages, cancels: this.cancels }, columns: {} }
  }

  restore(state: PartState): void {
    this.sentMessages = numberOf(state, "sent")
    this.cancels = numberOf(state, "cancels")
  }

  /** One of the numbers of this worker that the others may read. */
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

  /** Arrives at the barrier; answers the generation to wait for the end of. */
  arrive(): number {
    const { control } = this
    const generation = Atomics.load(control, GENERATION)
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

  /** Asks the others to read what they were sent: a ring is full. */
  call(): void {
    Atomics.add(this.control, CALLS, 1)
  }

  /** Somebody has called since this one read its mail last. */
  called(): boolean {
    return Atomics.load(this.control, CALLS) !== this.heard
  }

  /** What `rest` waits for: that a barrier opens, that a number of another worker is not `seen` any more, that the ring that is full is read. */
  untilPassed(generation: number): void {
    this.until(GENERATION, generation)
  }
  untilMoved(which: number, worker: number, seen: number): void {
    this.until(this.numberOf(which, worker), seen)
  }
  untilRead(): void {
    const to = this.outEnd.findIndex((end) => end > 0)
    this.until(this.headOf(this.me, to), this.heads[to]!)
  }
  private until(at: number, value: number): void {
    this.waitAt = at
    this.waitFor = value
  }

  /** Looks for a while, then sleeps for at most `ms`, until what this worker waits for has changed or somebody calls. False: it had to sleep. */
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
