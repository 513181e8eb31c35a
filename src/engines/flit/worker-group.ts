// A group of worker threads that run one clocked engine. Each worker executes its partitions for a window, then all
// workers wait at a barrier. A window is at most as long as the shortest channel between two partitions. Entries for
// other workers stay in outboxes until the barrier, so no worker sees a partial state. Any number of workers therefore
// gives identical results. run/clocked creates the group.

import { SpinWait, sleep, wake } from "../spin-wait.ts"
import { firstPart } from "./outbox.ts"

/**
 * Words of `sync`. They are followed by a line for each worker: milliseconds of work, and milliseconds of accepting
 * entries. CPUs fetch cache lines in pairs, and words that are written at every barrier are kept apart.
 */
export const GROUP = {
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

/** The work of a worker in one window; in practice the loop of the engine. */
export interface Member {
  readonly parts: number
  readonly window: number
  run(part: number, t: number, end: number): void
  collect(part: number, parity: number): void
}

export class WorkerGroup {
  readonly sync: Int32Array
  readonly size: number
  readonly me: number
  private round = 0
  private readonly patience: SpinWait
  /** milliseconds of work, at barriers, and of accepting entries */
  private served = 0
  private waited = 0
  private collected = 0

  /** `crowded`: the group has more workers than there are cores. */
  constructor(sync: Int32Array, size: number, me: number, crowded = false) {
    this.sync = sync
    this.size = size
    this.me = me
    this.patience = new SpinWait(crowded)
    this.round = Atomics.load(sync, GROUP.round)
  }

  /** Waits for all workers. Counters have 32 bits and wrap around in the same way. */
  barrier(): void {
    const { sync, size } = this
    const before = this.round
    this.round = (before + 1) | 0
    // The last worker to arrive opens the barrier. `arrived` is never reset: it is compared with size * round.
    if (((Atomics.add(sync, GROUP.arrived, 1) + 1) | 0) === Math.imul(size, this.round)) {
      Atomics.store(sync, GROUP.round, this.round)
      wake(sync, GROUP.round, GROUP.sleepers)
      return
    }
    const came = performance.now()
    if (!this.patience.look(sync, GROUP.round, before, GROUP.broken, 0))
      while (Atomics.load(sync, GROUP.round) === before) {
        this.watch()
        sleep(sync, GROUP.round, before, 10, GROUP.sleepers)
      }
    if (Atomics.load(sync, GROUP.round) === before) this.watch()
    this.waited += performance.now() - came
  }

  /** Throws if a worker has failed. A waiting worker calls it before each sleep. */
  protected watch(): void {
    if (Atomics.load(this.sync, GROUP.broken) !== 0) throw new Error("another worker broke off")
  }

  /** Returns the seconds of a worker's own work and of accepting entries, up to the end of its last order. */
  busy(worker: number): { readonly work: number; readonly messages: number } {
    const at = GROUP.words + worker * GROUP.line
    return { work: Atomics.load(this.sync, at) / 1e3, messages: Atomics.load(this.sync, at + 1) / 1e3 }
  }

  /** Marks the group as failed, so that the others wait neither at the barrier nor for an order. */
  fail(): void {
    Atomics.store(this.sync, GROUP.broken, 1)
    Atomics.notify(this.sync, GROUP.round)
    Atomics.notify(this.sync, GROUP.order)
  }

  /** Executes this worker's share of the cycles from t to end. */
  work(member: Member, t: number, end: number): void {
    const { parts, window } = member
    const [first, beyond] = [firstPart(this.me, parts, this.size), firstPart(this.me + 1, parts, this.size)]
    const began = performance.now()
    while (t < end) {
      const next = Math.min(end, (Math.floor(t / window) + 1) * window)
      for (let p = first; p < beyond; p++) member.run(p, t, next)
      this.barrier()
      if (next % window === 0) {
        const from = performance.now()
        for (let p = first; p < beyond; p++) member.collect(p, (next / window - 1) & 1)
        this.collected += performance.now() - from
      }
      t = next
    }
    const at = GROUP.words + this.me * GROUP.line
    this.served += performance.now() - began
    Atomics.store(this.sync, at, Math.round(this.served - this.waited - this.collected))
    Atomics.store(this.sync, at + 1, Math.round(this.collected))
    const { waited } = this
    this.barrier()
    // Waiting at this barrier is not part of the order.
    this.waited = waited
  }

  /** Called by the first worker: orders the others to run from `start` to `end`. An end of -1 ends their service. */
  call(start: number, end: number): void {
    Atomics.store(this.sync, GROUP.start, start)
    Atomics.store(this.sync, GROUP.end, end)
    Atomics.add(this.sync, GROUP.order, 1)
    Atomics.notify(this.sync, GROUP.order)
  }

  /** Called by the other workers: executes orders until the service ends. */
  serve(member: Member, order: number): void {
    for (;;) {
      while (Atomics.load(this.sync, GROUP.order) === order) {
        this.watch()
        Atomics.wait(this.sync, GROUP.order, order, 1000)
      }
      order = (order + 1) | 0
      const end = Atomics.load(this.sync, GROUP.end)
      if (end < 0) return
      this.work(member, Atomics.load(this.sync, GROUP.start), end)
    }
  }
}
