// The three synchronisation algorithms of the parallel packet engine. Each of them executes a worker's events up to a
// common time. Each is a generator that yields where it must wait for other workers. The same code can therefore run in
// one thread per worker, or step many workers in one thread in any order (single-thread.ts).
//
//   `windows`     Conservative, synchronous (YAWNS, D. Nicol, 1993). All workers compute the earliest event anywhere,
//                 T. Events before T + look-ahead are safe. Repeat.
//   `nulls`       Conservative, asynchronous (null messages, K. M. Chandy and J. Misra, 1979). Each worker publishes a
//                 clock, before which it will send nothing more. Events before every clock plus the look-ahead from
//                 that worker are safe.
//   `optimistic`  Time Warp (D. R. Jefferson, 1985). Workers execute events ahead of time and undo them when a message
//                 for the past arrives. The common time (global virtual time, GVT) bounds what can still be undone.
//
// The results of all three equal those of the sequential loop, because kernel.ts defines a total order of events.
import type { WorkerLoop } from "./worker.ts"

export type Sync = "windows" | "nulls" | "optimistic"

export interface SyncCounts {
  /** number of windows, clock steps, or computations of the common time */
  rounds: number
  /** null messages: clock updates without an event message */
  nulls: number
  /** number of times that the worker had to wait */
  waits: number
}

export interface SyncStats extends SyncCounts {
  /** ms spent waiting, and ms spent sending and receiving messages */
  waited: number
  mailed: number
}

export function noStats(): SyncStats {
  return { rounds: 0, nulls: 0, waits: 0, waited: 0, mailed: 0 }
}

export interface Optimism {
  /** maximum number of ps that a worker executes ahead of the common time */
  readonly window: number
  /** events after which a worker requests a new common time */
  readonly interval: number
  /** buckets between two reads of the messages */
  readonly batch: number
  /**
   * ps: the shortest delay between two LPs of different workers; events less than this after the common time are
   * certain too
   */
  readonly ahead: number
}

type Step = Generator<undefined, void, void>

/** Published numbers: earliest event (two slots, used alternately), number of rounds begun, the clock. */
const TURN = 0
const BEGUN = 2
const CLOCK = 3

/**
 * Clock steps within the look-ahead. More steps reduce waiting for a worker that is slightly late, but increase the
 * number of clock updates.
 */
const STEPS = 4

type W = WorkerLoop<unknown>

/** Waits until all workers have arrived. It reads messages meanwhile if a worker with a full ring calls. */
export function* barrier(w: W, stats: SyncStats): Step {
  const { channels } = w
  const generation = channels.arrive()
  if (channels.passed(generation)) return
  const from = performance.now()
  while (!channels.passed(generation)) {
    if (channels.called()) exchange(w)
    else {
      stats.waits++
      channels.untilPassed(generation)
      yield
    }
  }
  stats.waited += performance.now() - from
}

/** Receives messages and publishes the messages that this caused. Returns true if no outbox message remains. */
function exchange(w: W): boolean {
  w.channels.drain(w.receiver)
  return w.channels.flush()
}

/**
 * Returns the time of the earliest event that is pending or in flight anywhere. Each worker publishes the minimum of
 * its pending events and of the messages it sent since the last barrier. `turn` alternates between two slots, so that a
 * fast worker does not overwrite a value that a slow one has not read.
 */
function* earliestOfAll(w: W, until: number, turn: number, stats: SyncStats): Generator<undefined, number, void> {
  const { channels } = w
  yield* flushAll(w, stats)
  channels.publish(turn, Math.min(w.earliest(until), channels.earliest))
  channels.earliest = 0x7fffffff
  yield* barrier(w, stats)
  const from = performance.now()
  const t = channels.least(turn)
  channels.drain(w.receiver)
  stats.mailed += performance.now() - from
  return t
}

/** Publishes all messages. While a ring is full, it calls its reader and receives messages itself. */
function* flushAll(w: W, stats: SyncStats): Step {
  const { channels } = w
  if (channels.flush()) return
  const from = performance.now()
  do {
    channels.call()
    if (channels.drain(w.receiver)) continue
    stats.waits++
    channels.untilRead()
    yield
  } while (!channels.flush())
  stats.waited += performance.now() - from
}

/**
 * Barrier after which no message is in flight. The second round is needed because receiving a message can send new
 * ones.
 */
export function* drainedBarrier(w: W, stats: SyncStats): Step {
  yield* flushAll(w, stats)
  yield* barrier(w, stats)
  w.channels.drain(w.receiver)
  yield* flushAll(w, stats)
  yield* barrier(w, stats)
  w.channels.drain(w.receiver)
  w.channels.earliest = 0x7fffffff
}

/** `ahead`: the shortest delay between two LPs of different workers, a multiple of the bucket width. */
export function* windows(w: W, until: number, ahead: number, stats: SyncStats): Step {
  for (let turn = TURN; ; turn ^= 1) {
    const t = yield* earliestOfAll(w, until, turn, stats)
    if (t >= until) break
    stats.rounds++
    w.run(Math.min(t + ahead, until))
  }
  yield* drainedBarrier(w, stats)
}

/**
 * `ahead[k]`: the shortest delay from worker k to this one, Infinity if k sends nothing here; `least`: the shortest
 * delay between any two workers.
 */
export function* nulls(w: W, until: number, ahead: readonly number[], least: number, stats: SyncStats): Step {
  const { channels, shift } = w
  const { me, workers } = channels
  // The worker with the smallest clock can always advance by the whole look-ahead. A worker that waits for a part of it
  // therefore never waits forever.
  const step = Math.max(1, Math.floor((least >> shift) / STEPS)) << shift
  yield* drainedBarrier(w, stats)
  let clock = yield* earliestOfAll(w, until, TURN, stats)
  let reached = (Math.min(clock, until) >> shift) << shift
  channels.publish(CLOCK, clock)
  yield* barrier(w, stats)
  for (let out = true; ; ) {
    let safe = until
    let last = me
    let seen = 0
    // Clocks are read before messages. All messages that were sent before a clock was published are then in a ring.
    for (let k = 0; k < workers; k++) {
      const theirs = channels.read(CLOCK, k)
      if (k === me || theirs + ahead[k] >= safe) continue
      safe = theirs + ahead[k]
      last = k
      seen = theirs
    }
    const from = performance.now()
    channels.drain(w.receiver)
    // The worker runs whole buckets, at most one clock step at a time, and only if a full step is safe or the end is
    // reached.
    const to = Math.min((safe >> shift) << shift, reached + step)
    const goes = to === until ? reached < until : to - reached >= step
    const sent = channels.sentMessages
    const ready = performance.now()
    if (goes) {
      w.run(to)
      reached = to
      stats.rounds++
    }
    const ran = performance.now()
    if (goes || !out) out = channels.flush()
    if (!out) channels.call()
    // The clock is the time of the next possible event: a pending one, or one that another worker may still send.
    const next = Math.min(w.earliest(until), safe)
    if (out && next > clock) {
      clock = next
      channels.publish(CLOCK, clock)
      if (channels.sentMessages === sent) stats.nulls++
    }
    const done = performance.now()
    stats.mailed += ready - from + done - ran
    if (reached >= until && clock >= until) break
    if (goes) continue
    stats.waits++
    if (out) channels.untilMoved(CLOCK, last, seen)
    else channels.untilRead()
    yield
    stats.waited += performance.now() - done
  }
  yield* drainedBarrier(w, stats)
}

/** `o`: limits of optimism. The loop alternates between executing events and computing a common time. */
export function* optimistic(w: W, until: number, o: Optimism, stats: SyncStats): Step {
  const { channels, receiver, shift } = w
  const window = Math.max(Math.min(o.window, w.reach - (1 << shift)), 1 << shift)
  const ahead = Math.min(o.ahead, w.reach - (1 << shift))
  let begun = channels.read(BEGUN, channels.me)
  let since = 0
  for (;;) {
    // `sure`: no rollback can reach events before it. `limit`: the optimistic window ends here.
    const sure = Math.min(((w.horizon() + ahead) >> shift) << shift, until)
    const limit = Math.max(sure, Math.min(((w.horizon() + window) >> shift) << shift, until))
    // If records are scarce, the worker executes only certain events, because these keep no undo records. The worker
    // with the globally earliest event always has a certain event. The common time therefore advances and frees
    // records.
    const scarce = w.scarce()
    let asked = since >= o.interval || scarce
    for (let k = 0; k < channels.workers; k++) if (((channels.read(BEGUN, k) - begun) | 0) > 0) asked = true
    // A worker with events executes some between two common times, however often other workers request one. Certain
    // events come first.
    const next = w.earliest(limit)
    if ((since === 0 || !asked || (next < sure && !scarce)) && next < (scarce ? sure : limit)) {
      const before = w.events()
      w.run(next < sure ? sure : limit, scarce ? 1 : o.batch, next < sure)
      since += w.events() - before
      const from = performance.now()
      channels.flush()
      channels.drain(receiver)
      stats.mailed += performance.now() - from
      continue
    }
    if (!asked && channels.drain(receiver)) continue
    begun = (begun + 1) | 0
    channels.publish(BEGUN, begun)
    stats.rounds++
    // GVT: no event before it is pending or in flight, and no cancellation concerns an earlier time.
    const t = Math.min(yield* earliestOfAll(w, until, begun & 1, stats), until)
    w.setHorizon(t)
    // Other workers can affect this one only after the look-ahead, but LPs of this worker can affect each other sooner.
    // Commits are therefore limited by its own earliest event.
    w.history!.commit(w.earliest(t + ahead))
    since = 0
    if (t >= until) break
  }
  w.history!.reset()
  yield* drainedBarrier(w, stats)
}
