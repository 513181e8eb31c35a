// One output with queues, as a switch would hold them: it keeps the duties of src/model/scheduler.ts towards a scheduler and tells what is sent.

import { Draws } from "../../src/core/rng.ts"
import type { QosScheduler, QosSite, TableEntry } from "../../src/model/scheduler.ts"

export function site(queues: number, o: { rows?: number; unitBytes?: number } = {}): QosSite {
  return {
    rows: o.rows ?? 1,
    queues,
    unitBytes: o.unitBytes ?? 64,
    rate: 1,
    ints: (n) => new Int32Array(n),
    reals: (n) => new Float64Array(n),
  }
}

/** Whole numbers from a seed: the same in every run. */
export function dice(seed: number): (n: number) => number {
  const rng = new Draws(seed).at(0, 0)
  return (n) => rng.below(n)
}

export function table(text: string): TableEntry[] {
  return text.split(",").map((e) => ({ queue: Number(e.split(":")[0]), weight: Number(e.split(":")[1]) }))
}

export class Output {
  readonly sizes: Int32Array
  readonly births: Int32Array
  readonly queues: { size: number; born: number }[][]
  private readonly of: QosScheduler
  private readonly row: number
  private readonly at: number
  constructor(of: QosScheduler, queues: number, row = 0) {
    this.of = of
    this.row = row
    // heads lie somewhere in a larger column
    this.at = 5
    this.sizes = new Int32Array(queues + 5).fill(-1)
    this.births = new Int32Array(queues + 5).fill(-1)
    this.queues = Array.from({ length: queues }, () => [])
  }
  arrive(queue: number, size: number, now = 0, born = now): void {
    this.queues[queue]!.push({ size, born })
    if (this.of.hears) this.of.arrived(this.row, queue, size, now)
  }
  /** Sends one message; `blocked`: bits of queues without room downstream. */
  serve(now = 0, blocked = 0): number {
    let sendable = 0
    for (const [q, all] of this.queues.entries()) {
      const head = all[0]
      this.sizes[this.at + q] = head?.size ?? -1
      this.births[this.at + q] = head?.born ?? -1
      if (head !== undefined && (blocked & (1 << q)) === 0) sendable |= 1 << q
    }
    const q = this.of.pick(this.row, sendable, this.sizes, this.births, this.at)
    if (q < 0) return q
    this.of.sent(this.row, q, this.queues[q]!.shift()!.size, now)
    return q
  }
}
