// Messages between workers over shared memory: one ring for each ordered pair, written by one and read by the other. What does not fit stays in
// the sender's outbox, so an event never waits in its middle. Beside the rings lie a barrier and the numbers that the synchronisations publish.
import { shared } from "../../model/graph.ts"

/** First words of a message: its kind, its number, a time, a key (event) or a slot (credit). A cancelled message names its kind and number only. */
export const EVENT = 0
export const CREDIT = 1
export const CANCEL = 2
export const HEAD_WORDS = 4
export const CANCEL_WORDS = 2

/** ints from one published number to the next: a cache line, so that workers do not write into each other's */
const LINE = 16
const COUNT = 0
const GENERATION = LINE
const NUMBERS = 2 * LINE

export interface SharedMail {
  readonly workers: number
  readonly control: Int32Array
  readonly rings: Int32Array
  readonly ringWords: number
}

/** `ringWords`: a power of two. */
export function shareMail(workers: number, ringWords = 1 << 15): SharedMail {
  return {
    workers,
    ringWords,
    control: shared(Int32Array, NUMBERS + LINE * (3 * workers + 3 * workers * workers)),
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
  private readonly out: Int32Array[]
  private readonly outEnd: Int32Array
  private readonly outStart: Int32Array
  /** the next message's number */
  private readonly numbers: Int32Array
  private readonly box: Int32Array

  constructor(at: SharedMail, me: number, eventWords: number) {
    this.me = me
    this.workers = at.workers
    this.control = at.control
    this.rings = at.rings
    this.size = at.ringWords
    this.eventWords = eventWords
    this.out = Array.from({ length: at.workers }, () => new Int32Array(1 << 12))
    this.outEnd = new Int32Array(at.workers)
    this.outStart = new Int32Array(at.workers)
    this.numbers = new Int32Array(at.workers)
    this.box = new Int32Array(eventWords)
  }

  /** The outbox to worker `to`, with room for `words` ints more. */
  private room(to: number, words: number): Int32Array {
    const out = this.out[to]!
    if (this.outEnd[to]! + words <= out.length) return out
    const bigger = new Int32Array(out.length * 2)
    bigger.set(out)
    this.out[to] = bigger
    return bigger
  }

  /** An event: the caller writes its payload behind the head. Answers the offset of the head in `outbox(to)`. */
  event(to: number, t: number, key: number): number {
    const out = this.room(to, this.eventWords)
    const at = this.outEnd[to]!
    this.outEnd[to] = at + this.eventWords
    out[at] = EVENT
    out[at + 1] = this.numbers[to]!++
    out[at + 2] = t
    out[at + 3] = key
    this.posted(t)
    return at
  }

  outbox(to: number): Int32Array {
    return this.out[to]!
  }

  /** A credit; answers the number of the message. */
  credit(to: number, t: number, slot: number): number {
    const out = this.room(to, HEAD_WORDS)
    const at = this.outEnd[to]!
    this.outEnd[to] = at + HEAD_WORDS
    const n = this.numbers[to]!++
    out[at] = CREDIT
    out[at + 1] = n
    out[at + 2] = t
    out[at + 3] = slot
    this.posted(t)
    return n
  }

  /** Takes back message number n, which was of no time before t. */
  cancel(to: number, n: number, t: number): void {
    const out = this.room(to, CANCEL_WORDS)
    const at = this.outEnd[to]!
    this.outEnd[to] = at + CANCEL_WORDS
    out[at] = CANCEL
    out[at + 1] = n
    this.cancels++
    if (t < this.earliest) this.earliest = t
  }

  private posted(t: number): void {
    this.sentMessages++
    if (t < this.earliest) this.earliest = t
  }

  /** Puts outboxes into the rings as far as they have room; true if all is out. */
  flush(): boolean {
    let all = true
    for (let to = 0; to < this.workers; to++) if (this.outEnd[to]! > 0 && !this.flushTo(to)) all = false
    return all
  }

  private flushTo(to: number): boolean {
    const { control, rings, size } = this
    const tailAt = this.tailOf(this.me, to)
    const tail = control[tailAt]!
    const head = Atomics.load(control, this.headOf(this.me, to))
    const out = this.out[to]!
    const from = this.outStart[to]!
    const n = Math.min(this.outEnd[to]! - from, size - ((tail - head) | 0))
    const base = (this.me * this.workers + to) * size
    for (let i = 0; i < n; i++) rings[base + ((tail + i) & (size - 1))] = out[from + i]!
    if (n > 0) Atomics.store(control, tailAt, (tail + n) | 0)
    if (from + n < this.outEnd[to]!) {
      this.outStart[to] = from + n
      return false
    }
    this.outStart[to] = 0
    this.outEnd[to] = 0
    return true
  }

  /** Takes every whole message that has arrived; true if there was any. */
  drain(by: Receiver): boolean {
    let any = false
    for (let from = 0; from < this.workers; from++) if (from !== this.me && this.drainFrom(from, by)) any = true
    return any
  }

  private drainFrom(from: number, by: Receiver): boolean {
    const { control, rings, size, box } = this
    const headAt = this.headOf(from, this.me)
    const base = (from * this.workers + this.me) * size
    const tail = Atomics.load(control, this.tailOf(from, this.me))
    const first = control[headAt]!
    let head = first
    while (head !== tail) {
      const kind = rings[base + (head & (size - 1))]!
      const words = kind === EVENT ? this.eventWords : kind === CREDIT ? HEAD_WORDS : CANCEL_WORDS
      // a message may be cut where the ring was full: its rest comes with the next flush
      if (((tail - head) | 0) < words) break
      for (let i = 0; i < words; i++) box[i] = rings[base + ((head + i) & (size - 1))]!
      head = (head + words) | 0
      by.take(from, kind, box, 0)
    }
    if (head === first) return false
    Atomics.store(control, headAt, head)
    return true
  }

  /** One of three numbers of this worker that the others may read. */
  publish(which: number, value: number): void {
    Atomics.store(this.control, NUMBERS + LINE * (which * this.workers + this.me), value)
  }

  read(which: number, worker: number): number {
    return Atomics.load(this.control, NUMBERS + LINE * (which * this.workers + worker))
  }

  least(which: number): number {
    let least = this.read(which, 0)
    for (let w = 1; w < this.workers; w++) least = Math.min(least, this.read(which, w))
    return least
  }

  /** The clock that worker `from` promises to worker `to`: no message before it will come. */
  promise(to: number, t: number): void {
    Atomics.store(this.control, this.pair(2, this.me, to), t)
  }

  promised(from: number): number {
    return Atomics.load(this.control, this.pair(2, from, this.me))
  }

  /** Arrives at the barrier; answers the generation to wait for the end of. */
  arrive(): number {
    const { control } = this
    const generation = Atomics.load(control, GENERATION)
    if (Atomics.add(control, COUNT, 1) === this.workers - 1) {
      Atomics.store(control, COUNT, 0)
      Atomics.store(control, GENERATION, (generation + 1) | 0)
      Atomics.notify(control, GENERATION)
    }
    return generation
  }

  passed(generation: number): boolean {
    return Atomics.load(this.control, GENERATION) !== generation
  }

  /** Sleeps until the barrier opens or `ms` have gone; only where threads may sleep. */
  sleep(generation: number, ms: number): void {
    Atomics.wait(this.control, GENERATION, generation, ms)
  }

  generation(): number {
    return Atomics.load(this.control, GENERATION)
  }

  private pair(which: number, a: number, b: number): number {
    return NUMBERS + LINE * (3 * this.workers + which * this.workers * this.workers + a * this.workers + b)
  }
  private tailOf(from: number, to: number): number {
    return this.pair(0, from, to)
  }
  private headOf(from: number, to: number): number {
    return this.pair(1, from, to)
  }
}
