// Several workers on one machine: each runs its partitions for a window (no longer than the shortest channel between two partitions), then all
// meet. What one sends to another lies in an outbox until the meeting, so nobody sees another's middle and any number of workers gives the same bits.

/** Words of `sync`; behind them one for each worker, the milliseconds that it has waited. */
export const TEAM = { arrived: 0, round: 16, order: 32, start: 33, end: 34, broken: 35, words: 64 } as const

/** Looks at the meeting point before going to sleep, some 10 ns each. Whoever sleeps is called 50 to 100 microseconds late, so a worker with a core of its own
 *  should not; where there are fewer cores than workers, the one that is waited for may need this core. So each learns: one that looked in vain looks half as
 *  long the next time. */
const LONGEST_LOOK = 200_000
const SHORTEST_LOOK = 2000

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
  private looks = LONGEST_LOOK
  /** milliseconds at meeting points */
  private waited = 0

  constructor(sync: Int32Array, size: number, me: number) {
    this.sync = sync
    this.size = size
    this.me = me
    this.round = Atomics.load(sync, TEAM.round)
  }

  /** Waits for everybody. */
  meet(): void {
    const { sync, size, me } = this
    const round = ++this.round
    if (Atomics.add(sync, TEAM.arrived, 1) + 1 === size * round) {
      Atomics.store(sync, TEAM.round, round)
      Atomics.notify(sync, TEAM.round)
      return
    }
    const came = performance.now()
    if (this.spin(round)) this.looks = Math.min(LONGEST_LOOK, this.looks + (this.looks >> 3))
    else {
      this.looks = Math.max(SHORTEST_LOOK, this.looks >> 1)
      this.sleep(round)
    }
    this.waited += performance.now() - came
    Atomics.store(sync, TEAM.words + me, Math.round(this.waited))
  }

  private spin(round: number): boolean {
    const { sync, looks } = this
    for (let i = 0; i < looks; i++) if (Atomics.load(sync, TEAM.round) >= round) return true
    return false
  }

  private sleep(round: number): void {
    const { sync } = this
    while (Atomics.load(sync, TEAM.round) < round) {
      if (Atomics.load(sync, TEAM.broken) !== 0) throw new Error("a worker of this run failed")
      Atomics.wait(sync, TEAM.round, round - 1, 10)
    }
  }

  /** Seconds that a worker has waited for others at meeting points so far. */
  waitOf(worker: number): number {
    return Atomics.load(this.sync, TEAM.words + worker) / 1e3
  }

  /** Tells the others not to wait for this one any more. */
  fail(): void {
    Atomics.store(this.sync, TEAM.broken, 1)
    Atomics.notify(this.sync, TEAM.round)
  }

  /** My share of the cycles from t to end. */
  work(member: Member, t: number, end: number): void {
    const { parts, window } = member
    while (t < end) {
      const next = Math.min(end, (Math.floor(t / window) + 1) * window)
      for (let p = this.me; p < parts; p += this.size) member.run(p, t, next)
      this.meet()
      if (next % window === 0) for (let p = this.me; p < parts; p += this.size) member.collect(p, (next / window - 1) & 1)
      t = next
    }
    this.meet()
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
      while (Atomics.load(this.sync, TEAM.order) === order) Atomics.wait(this.sync, TEAM.order, order, 1000)
      order++
      const end = Atomics.load(this.sync, TEAM.end)
      if (end < 0) return
      this.work(member, Atomics.load(this.sync, TEAM.start), end)
    }
  }
}
