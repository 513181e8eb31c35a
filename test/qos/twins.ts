// The schedulers once more, each as its definition reads: lists of messages, one look at a time, nothing clever. What
// they say must be what src/qos says.
import type { TableEntry } from "../../src/model/scheduler.ts"

export interface Message {
  readonly size: number
  readonly createdAt: number
  tag: number
}

/** One output. `ready(q)`: the head of queue q exists and may go. */
export abstract class Twin {
  readonly queues: Message[][]
  constructor(n: number) {
    this.queues = Array.from({ length: n }, () => [])
  }
  arrive(q: number, m: Message, _now: number): void {
    this.queues[q].push(m)
  }
  /** removes and answers the next message's queue, or -1 */
  serve(ready: (q: number) => boolean): number {
    const q = this.choose((i) => this.queues[i].length > 0 && ready(i))
    if (q >= 0) this.leave(q, this.queues[q].shift()!)
    return q
  }
  protected head(q: number): Message {
    return this.queues[q][0]
  }
  protected abstract choose(active: (q: number) => boolean): number
  protected leave(_q: number, _m: Message): void {}
}

export class RoundRobinTwin extends Twin {
  private last = -1
  protected choose(active: (q: number) => boolean): number {
    const n = this.queues.length
    for (let i = 1; i <= n; i++) if (active((this.last + i + n) % n)) return (this.last + i + n) % n
    return -1
  }
  protected override leave(q: number): void {
    this.last = q
  }
}

export class StrictTwin extends Twin {
  protected choose(active: (q: number) => boolean): number {
    return this.queues.findIndex((_, q) => active(q))
  }
}

export class AgeTwin extends Twin {
  protected choose(active: (q: number) => boolean): number {
    const all = this.queues.map((_, q) => q).filter(active)
    return all.sort((a, b) => this.head(a).createdAt - this.head(b).createdAt || a - b)[0] ?? -1
  }
}

/** Weights and sizes in the same unit. */
export class DTableTwin extends Twin {
  private at = -1
  private serving = -1
  accumulated = 0
  readonly deficit: number[]
  private readonly table: readonly TableEntry[]
  constructor(n: number, table: readonly TableEntry[]) {
    super(n)
    this.table = table
    this.deficit = new Array<number>(n).fill(0)
  }
  protected choose(active: (q: number) => boolean): number {
    for (let q = 0; q < this.queues.length; q++) if (!active(q)) this.deficit[q] = 0
    if (this.serving >= 0) {
      const q = this.serving
      if (active(q) && this.accumulated >= this.head(q).size) return q
      if (active(q)) this.deficit[q] = this.accumulated
      this.serving = -1
      this.accumulated = 0
    }
    if (!this.table.some((e) => e.weight > 0 && active(e.queue))) return -1
    for (;;) {
      this.at = (this.at + 1) % this.table.length
      const { queue, weight } = this.table[this.at]
      if (weight === 0 || !active(queue)) continue
      this.accumulated = weight + this.deficit[queue]
      this.deficit[queue] = 0
      if (this.accumulated >= this.head(queue).size) {
        this.serving = queue
        return queue
      }
      this.deficit[queue] = this.accumulated
      this.accumulated = 0
    }
  }
  protected override leave(_: number, m: Message): void {
    this.accumulated -= m.size
  }
}

/** Weights in units of size; `limit` in units of size, Infinity = none. */
export class VlTwin extends Twin {
  private readonly tables: readonly (readonly TableEntry[])[]
  private readonly limit: number
  private readonly at = [-1, -1]
  private readonly left = [0, 0]
  private sinceLow = 0
  private turn = 0
  constructor(n: number, high: readonly TableEntry[], low: readonly TableEntry[], limit: number) {
    super(n)
    this.tables = [high, low]
    this.limit = limit
  }
  protected choose(active: (q: number) => boolean): number {
    const can = (t: number) => this.tables[t].some((e) => e.weight > 0 && active(e.queue))
    if (!can(0) && !can(1)) return -1
    const exhausted = this.sinceLow > 0 && this.sinceLow >= this.limit
    if (exhausted) this.sinceLow = 0
    const t = !can(0) || (exhausted && can(1)) ? 1 : 0
    this.turn = t
    const table = this.tables[t]
    const stays = this.left[t] > 0 && active(table[this.at[t]].queue)
    if (!stays) {
      do this.at[t] = (this.at[t] + 1) % table.length
      while (table[this.at[t]].weight === 0 || !active(table[this.at[t]].queue))
      this.left[t] = table[this.at[t]].weight
    }
    return table[this.at[t]].queue
  }
  protected override leave(_: number, m: Message): void {
    this.left[this.turn] -= m.size
    this.sinceLow = this.turn === 1 ? 0 : this.sinceLow + m.size
  }
}

export class DrrTwin extends Twin {
  private at = -1
  private readonly deficit: number[]
  private readonly quanta: readonly number[]
  constructor(n: number, quanta: readonly number[]) {
    super(n)
    this.quanta = quanta
    this.deficit = new Array<number>(n).fill(0)
  }
  protected choose(active: (q: number) => boolean): number {
    if (!this.queues.some((_, q) => active(q))) return -1
    if (this.at >= 0 && active(this.at) && this.deficit[this.at] >= this.head(this.at).size) return this.at
    for (;;) {
      this.at = (this.at + 1) % this.queues.length
      if (!active(this.at)) continue
      this.deficit[this.at] += this.quanta[this.at]
      if (this.deficit[this.at] >= this.head(this.at).size) return this.at
    }
  }
  protected override leave(q: number, m: Message): void {
    this.deficit[q] -= m.size
    if (this.queues[q].length === 0) this.deficit[q] = 0
  }
}

/** Golestani's words: a tag for each message when it arrives; V is the tag in service. */
export class ScfqTwin extends Twin {
  private v = 0
  private readonly last: number[]
  private readonly share: readonly number[]
  constructor(n: number, share: readonly number[]) {
    super(n)
    this.share = share
    this.last = new Array<number>(n).fill(0)
  }
  override arrive(q: number, m: Message, now: number): void {
    m.tag = Math.max(this.last[q], this.v) + m.size / this.share[q]
    this.last[q] = m.tag
    super.arrive(q, m, now)
  }
  protected choose(active: (q: number) => boolean): number {
    const all = this.queues.map((_, q) => q).filter(active)
    return all.sort((a, b) => this.head(a).tag - this.head(b).tag || a - b)[0] ?? -1
  }
  protected override leave(_: number, m: Message): void {
    this.v = m.tag
  }
}

/** A fluid server beside the queues: the work that each of them still has there, drained step by step. */
export class WfqTwin extends Twin {
  v = 0
  private time = 0
  private readonly work: number[]
  private readonly share: readonly number[]
  constructor(n: number, share: readonly number[]) {
    super(n)
    this.share = share
    this.work = new Array<number>(n).fill(0)
  }
  private drain(now: number): void {
    while (this.time < now) {
      const busy = this.work.map((_, q) => q).filter((q) => this.work[q] > 1e-9)
      const sum = busy.reduce((s, q) => s + this.share[q], 0)
      if (sum === 0) break
      const first = Math.min(...busy.map((q) => (this.work[q] * sum) / this.share[q]))
      const step = Math.min(now - this.time, first)
      for (const q of busy) this.work[q] -= (step * this.share[q]) / sum
      this.v += step / sum
      this.time += step
    }
    this.time = now
  }
  override arrive(q: number, m: Message, now: number): void {
    this.drain(now)
    // what the fluid has left of this queue ends so far from V
    const fluid = this.v + this.work[q] / this.share[q]
    this.work[q] += m.size
    const before = this.queues[q].at(-1)
    m.tag = (before !== undefined ? before.tag : fluid) + m.size / this.share[q]
    super.arrive(q, m, now)
  }
  tags(): number[] {
    return this.queues.map((all) => all[0]?.tag ?? Number.POSITIVE_INFINITY)
  }
  protected choose(active: (q: number) => boolean): number {
    const all = this.queues.map((_, q) => q).filter(active)
    return all.sort((a, b) => this.head(a).tag - this.head(b).tag || a - b)[0] ?? -1
  }
}
