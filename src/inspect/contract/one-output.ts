// One output with queues, as a switch would have them. It calls a scheduler as src/model/scheduler.ts demands, and
// records what is sent. Contract tests of schedulers use it, and so do the tests of the library's schedulers.
import { Draws } from "../../core/rng.ts"
import type { QosScheduler, QosSite } from "../../model/scheduler.ts"

/** The word of the random numbers of all outputs. */
const STREAM = 0x1b56c4e9
/** Bytes of a unit, so that weights of 64 bytes count units. */
const UNIT = 64

/** Returns the site of a scheduler: `queues` of each of `rows` outputs. */
export function site(queues: number, o: { rows?: number; unitBytes?: number } = {}): QosSite {
  return {
    rows: o.rows ?? 1,
    queues,
    unitBytes: o.unitBytes ?? UNIT,
    rate: 1,
    // the same for all outputs, so that they can be compared
    stream: () => STREAM,
    ints: (n) => new Int32Array(n),
    reals: (n) => new Float64Array(n),
  }
}

/** Returns a function that draws whole numbers below n, the same in every run. */
export function dice(seed: number): (n: number) => number {
  const rng = new Draws(seed).at(0, 0)
  return (n) => rng.below(n)
}

export class Output {
  readonly sizes: Int32Array
  readonly created: Int32Array
  readonly queues: { size: number; createdAt: number }[][]
  private readonly of: QosScheduler
  private readonly row: number
  private readonly at: number
  /** `given`: the column of creation cycles, if the caller must notice reads of it */
  constructor(of: QosScheduler, queues: number, row = 0, given?: Int32Array) {
    this.of = of
    this.row = row
    // Heads lie somewhere in a larger column.
    this.at = 5
    this.sizes = new Int32Array(queues + 5).fill(-1)
    this.created = given ?? new Int32Array(queues + 5).fill(-1)
    this.queues = Array.from({ length: queues }, () => [])
  }
  arrive(queue: number, size: number, now = 0, createdAt = now): void {
    this.queues[queue].push({ size, createdAt })
    if (this.of.hears) this.of.arrived(this.row, queue, size, now)
  }
  /** Returns the queues that can send, as bits, and writes the columns that `pick` reads. */
  sendable(blocked: number): number {
    let sendable = 0
    for (const [q, all] of this.queues.entries()) {
      const head = all[0]
      this.sizes[this.at + q] = head?.size ?? -1
      this.created[this.at + q] = head?.createdAt ?? -1
      if (head !== undefined && (blocked & (1 << q)) === 0) sendable |= 1 << q
    }
    return sendable
  }
  pick(sendable: number): number {
    return this.of.pick(this.row, sendable, this.sizes, this.created, this.at)
  }
  /** Sends one message; `blocked`: bits of queues without credits. Returns its queue, or -1. */
  serve(now = 0, blocked = 0): number {
    const q = this.pick(this.sendable(blocked))
    if (q < 0) return q
    this.of.sent(this.row, q, this.queues[q].shift()!.size, now)
    return q
  }
}
