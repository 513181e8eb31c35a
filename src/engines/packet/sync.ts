// Three synchronisations of one model. Each runs a worker's events up to a common time and is a generator: it yields where it must wait for the
// others, so that the same code runs as threads, each on its own loop, or as many workers in one thread, stepped in any order.
//
//   windows     conservative (YAWNS, D. Nicol, 1993): all know the earliest event anywhere, T; what lies before T + look-ahead is safe; repeat
//   nulls       conservative (null messages, K. M. Chandy and J. Misra, 1979): each shows the others its clock, a time before which it will do nothing more;
//               what lies before every clock plus the look-ahead from there is safe
//   optimistic  Time Warp (D. R. Jefferson, 1985): run ahead, undo when a message comes for the past; a common time (GVT) tells what is certain
import type { WorkerLoop } from "./worker.ts"

export type Sync = "windows" | "nulls" | "optimistic"

export interface SyncCounts {
  /** windows, steps of a clock or common times computed */
  rounds: number
  /** null messages: steps of a clock that came with no event */
  nulls: number
  /** times that it had to wait */
  waits: number
}

export interface SyncStats extends SyncCounts {
  /** ms of waiting, and of sending and taking messages */
  waited: number
  mailed: number
}

export function noStats(): SyncStats {
  return { rounds: 0, nulls: 0, waits: 0, waited: 0, mailed: 0 }
}

export interface Optimism {
  /** ps ahead of the common time that are run at most */
  readonly window: number
  /** events after which a common time is asked for */
  readonly interval: number
  /** buckets between two looks at the mail */
  readonly batch: number
  /** ps: the shortest delay between two processes of different workers. What lies less than it ahead of the common time is certain as well */
  readonly ahead: number
}

type Step = Generator<undefined, void, void>

/** Published numbers: earliest event in turn (two slots), rounds begun, the clock. */
const TURN = 0
const BEGUN = 2
const CLOCK = 3

/** Steps of a clock within the look-ahead: the more, the less workers wait for one that is a little late, and the oftener all look at each other. */
const STEPS = 4

type W = WorkerLoop<unknown>

export function* barrier(w: W, stats: SyncStats): Step {
  const { mail } = w
  const generation = mail.arrive()
  if (mail.passed(generation)) return
  const from = performance.now()
  while (!mail.passed(generation)) {
    if (mail.called()) exchange(w)
    else {
      stats.waits++
      mail.untilPassed(generation)
      yield
    }
  }
  stats.waited += performance.now() - from
}

/** Takes what has come, and shows what that has sent; true if all is out. */
function exchange(w: W): boolean {
  w.mail.drain(w.receiver)
  return w.mail.flush()
}

/** The earliest event that is pending anywhere or on its way: all publish theirs, with what they sent since they met last, and meet. */
function* earliestOfAll(w: W, until: number, turn: number, stats: SyncStats): Generator<undefined, number, void> {
  const { mail } = w
  yield* flushAll(w, stats)
  mail.publish(turn, Math.min(w.earliest(until), mail.earliest))
  mail.earliest = 0x7fffffff
  yield* barrier(w, stats)
  const from = performance.now()
  const t = mail.least(turn)
  mail.drain(w.receiver)
  stats.mailed += performance.now() - from
  return t
}

function* flushAll(w: W, stats: SyncStats): Step {
  const { mail } = w
  if (mail.flush()) return
  const from = performance.now()
  do {
    mail.call()
    if (mail.drain(w.receiver)) continue
    stats.waits++
    mail.untilRead()
    yield
  } while (!mail.flush())
  stats.waited += performance.now() - from
}

/** All meet; no message is on its way when it ends. */
export function* meet(w: W, stats: SyncStats): Step {
  yield* flushAll(w, stats)
  yield* barrier(w, stats)
  w.mail.drain(w.receiver)
  yield* flushAll(w, stats)
  yield* barrier(w, stats)
  w.mail.drain(w.receiver)
  w.mail.earliest = 0x7fffffff
}

/** `ahead`: shortest delay between two processes of different workers, a multiple of the bucket width. */
export function* windows(w: W, until: number, ahead: number, stats: SyncStats): Step {
  for (let turn = TURN; ; turn ^= 1) {
    const t = yield* earliestOfAll(w, until, turn, stats)
    if (t >= until) break
    stats.rounds++
    w.run(Math.min(t + ahead, until))
  }
  yield* meet(w, stats)
}

/** `ahead[k]`: shortest delay from worker k to this one, Infinity if it sends nothing here; `least`: the shortest between any two. */
export function* nulls(w: W, until: number, ahead: readonly number[], least: number, stats: SyncStats): Step {
  const { mail, shift } = w
  const { me, workers } = mail
  // the worker whose clock is last can always go on by the whole look-ahead, so one that waits for a part of it does not wait for ever
  const step = Math.max(1, Math.floor((least >> shift) / STEPS)) << shift
  yield* meet(w, stats)
  let clock = yield* earliestOfAll(w, until, TURN, stats)
  let reached = (Math.min(clock, until) >> shift) << shift
  mail.publish(CLOCK, clock)
  yield* barrier(w, stats)
  for (let out = true; ; ) {
    let safe = until
    let last = me
    let seen = 0
    // clocks first: what was sent before one was shown lies in a ring then
    for (let k = 0; k < workers; k++) {
      const theirs = mail.read(CLOCK, k)
      if (k === me || theirs + ahead[k]! >= safe) continue
      safe = theirs + ahead[k]!
      last = k
      seen = theirs
    }
    const from = performance.now()
    mail.drain(w.receiver)
    const to = Math.min((safe >> shift) << shift, reached + step)
    const goes = to === until ? reached < until : to - reached >= step
    const sent = mail.sentMessages
    const ready = performance.now()
    if (goes) {
      w.run(to)
      reached = to
      stats.rounds++
    }
    const ran = performance.now()
    if (goes || !out) out = mail.flush()
    if (!out) mail.call()
    // nothing happens here before the next event that is known or may yet be sent
    const next = Math.min(w.earliest(until), safe)
    if (out && next > clock) {
      clock = next
      mail.publish(CLOCK, clock)
      if (mail.sentMessages === sent) stats.nulls++
    }
    const done = performance.now()
    stats.mailed += ready - from + done - ran
    if (reached >= until && clock >= until) break
    if (goes) continue
    stats.waits++
    if (out) mail.untilMoved(CLOCK, last, seen)
    else mail.untilRead()
    yield
    stats.waited += performance.now() - done
  }
  yield* meet(w, stats)
}

export function* optimistic(w: W, until: number, o: Optimism, stats: SyncStats): Step {
  const { mail, receiver, shift } = w
  const window = Math.max(Math.min(o.window, w.reach - (1 << shift)), 1 << shift)
  const ahead = Math.min(o.ahead, w.reach - (1 << shift))
  let begun = mail.read(BEGUN, mail.me)
  let since = 0
  for (;;) {
    const sure = Math.min(((w.horizon() + ahead) >> shift) << shift, until)
    const limit = Math.max(sure, Math.min(((w.horizon() + window) >> shift) << shift, until))
    // A worker whose records run short runs only what is certain, because nothing of that is kept. The worker with the earliest event of all always
    // has such an event, so the common time moves on and frees what others keep.
    const scarce = w.scarce()
    let asked = since >= o.interval || scarce
    for (let k = 0; k < mail.workers; k++) if (((mail.read(BEGUN, k) - begun) | 0) > 0) asked = true
    // whoever has work does some between two common times, however often others ask, and first what is certain
    const next = w.earliest(limit)
    if ((since === 0 || !asked || (next < sure && !scarce)) && next < (scarce ? sure : limit)) {
      const before = w.events()
      w.run(next < sure ? sure : limit, scarce ? 1 : o.batch, next < sure)
      since += w.events() - before
      const from = performance.now()
      mail.flush()
      mail.drain(receiver)
      stats.mailed += performance.now() - from
      continue
    }
    if (!asked && mail.drain(receiver)) continue
    begun = (begun + 1) | 0
    mail.publish(BEGUN, begun)
    stats.rounds++
    // the common time: nothing before it is pending or on its way, and nothing that is undone lies before it either
    const t = Math.min(yield* earliestOfAll(w, until, begun & 1, stats), until)
    w.setHorizon(t)
    // another worker reaches this one no sooner than the look-ahead after it, but one process of this worker another may reach sooner
    w.history!.commit(w.earliest(t + ahead))
    since = 0
    if (t >= until) break
  }
  w.history!.reset()
  yield* meet(w, stats)
}
