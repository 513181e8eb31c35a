// Several workers on one machine: each runs its partitions for a window (no longer than the shortest channel between two partitions), then all
// meet. What one sends to another lies in an outbox until the meeting, so nobody sees another's middle and any number of workers gives the same bits.

import { Patience, sleep, wake } from "../patience.ts"
import { firstPart } from "./outbox.ts"

/** Words of `sync`; behind them a line for each worker: milliseconds of work, and of taking what others had sent. Lines are fetched in
 *  pairs, and what is written at every meeting lies apart. */
export const TEAM = {
  arrived: 0,
  round: 32,
  broken: 33,
  sleepers: 64,
  order: 96,
  start: 97,
  end: 98,
  turn: 99,
  words: 128,
  line: 32,
} as const

/** What a member does in a window; the engine's loop in practice. */
export interface Member {
  readonly parts: number
  readonly window: number
  run(part: number, t: number, end: number): void
  collect(part: number, parity: number): void
}

export class Team {
  readonly sync: Int32Array
  readonly size: number
  readonly me: number
  private round = 0
  private readonly patience = new Patience()
  /** milliseconds at work, at meeting points, and with what others had sent */
  private served = 0
  private waited = 0
  private collected = 0

  constructor(sync: Int32Array, size: number, me: number) {
    this.sync = sync
    this.size = size
    this.me = me
    this.round = Atomics.load(sync, TEAM.round)
  }

  /** Waits for all workers. Words of `sync` have 32 bits, so all counts wrap around alike. */
  meet(): void {
    const { sync, size } = this
    const before = this.round
    this.round = (before + 1) | 0
    if (((Atomics.add(sync, TEAM.arrived, 1) + 1) | 0) === Math.imul(size, this.round)) {
      Atomics.store(sync, TEAM.round, this.round)
      wake(sync, TEAM.round, TEAM.sleepers)
      return
    }
    const came = performance.now()
    if (!this.patience.look(sync, TEAM.round, before, TEAM.broken, 0))
      while (Atomics.load(sync, TEAM.round) === before) {
        this.watch()
        sleep(sync, TEAM.round, before, 10, TEAM.sleepers)
      }
    if (Atomics.load(sync, TEAM.round) === before) this.watch()
    this.waited += performance.now() - came
  }

  /** Throws if a worker has failed. A worker that waits calls it before every nap. */
  protected watch(): void {
    if (Atomics.load(this.sync, TEAM.broken) !== 0) throw new Error("another worker broke off")
  }

  /** Seconds of a worker's own work and of what others had sent it, up to the end of its last order. */
  busy(worker: number): { readonly work: number; readonly messages: number } {
    const at = TEAM.words + worker * TEAM.line
    return { work: Atomics.load(this.sync, at) / 1e3, messages: Atomics.load(this.sync, at + 1) / 1e3 }
  }

  /** Tells the others not to wait for this one any more, at the barrier or for an order. */
  fail(): void {
    Atomics.store(this.sync, TEAM.broken, 1)
    Atomics.notify(this.sync, TEAM.round)
    Atomics.notify(this.sync, TEAM.order)
  }

  /** My share of the cycles from t to end. */
  work(member: Member, t: number, end: number): void {
    const { parts, window } = member
    const [first, beyond] = [firstPart(this.me, parts, this.size), firstPart(this.me + 1, parts, this.size)]
    const began = performance.now()
    while (t < end) {
      const next = Math.min(end, (Math.floor(t / window) + 1) * window)
      for (let p = first; p < beyond; p++) member.run(p, t, next)
      this.meet()
      if (next % window === 0) {
        const from = performance.now()
        for (let p = first; p < beyond; p++) member.collect(p, (next / window - 1) & 1)
        this.collected += performance.now() - from
      }
      t = next
    }
    const at = TEAM.words + this.me * TEAM.line
    this.served += performance.now() - began
    Atomics.store(this.sync, at, Math.round(this.served - this.waited - this.collected))
    Atomics.store(this.sync, at + 1, Math.round(this.collected))
    const { waited } = this
    this.meet()
    // what is waited for here belongs to no order
    this.waited = waited
  }

  /** The first member calls the others to work from `start` to `end`; an end of -1 sends them home. */
  call(start: number, end: number): void {
    Atomics.store(this.sync, TEAM.start, start)
    Atomics.store(this.sync, TEAM.end, end)
    Atomics.add(this.sync, TEAM.order, 1)
    Atomics.notify(this.sync, TEAM.order)
  }

  /** The others serve until they are sent home. */
  serve(member: Member, order: number): void {
    for (;;) {
      while (Atomics.load(this.sync, TEAM.order) === order) {
        this.watch()
        Atomics.wait(this.sync, TEAM.order, order, 1000)
      }
      order = (order + 1) | 0
      const end = Atomics.load(this.sync, TEAM.end)
      if (end < 0) return
      this.work(member, Atomics.load(this.sync, TEAM.start), end)
    }
  }
}
