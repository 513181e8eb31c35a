// Three synchronisations of one model. Each runs a worker's events up to a common time and is a generator: it yields where it must wait for the
// others, so that the same code runs as threads, each on its own loop, or as many workers in one thread, stepped in any order.
//
//   windows     conservative (YAWNS, D. Nicol, 1993): all know the earliest event anywhere, T; what lies before T + look-ahead is safe; repeat
//   nulls       conservative (null messages, K. M. Chandy and J. Misra, 1979): each promises each other a time before which it will send nothing;
//               what lies before every promise is safe
//   optimistic  Time Warp (D. R. Jefferson, 1985): run ahead, undo when a message comes for the past; a common time (GVT) tells what is certain
import type { WorkerLoop } from "./worker.ts"

export type Sync = "windows" | "nulls" | "optimistic"

export interface SyncStats {
  /** windows, promises or common times computed */
  rounds: number
  /** null messages: promises that came with no event */
  nulls: number
  /** times that it had to wait */
  waits: number
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

/** Published numbers: earliest event in turn (two slots), rounds begun. */
const TURN = 0
const BEGUN = 2

type W = WorkerLoop<unknown>

export function* barrier(w: W, stats: SyncStats): Step {
  const { mail, receiver } = w
  const generation = mail.arrive()
  while (!mail.passed(generation)) {
    // somebody may be waiting for room in a ring
    if (mail.drain(receiver)) mail.flush()
    else {
      stats.waits++
      yield
    }
  }
}

/** The earliest event that is pending anywhere or on its way: all publish theirs, with what they sent since they met last, and meet. */
function* earliestOfAll(w: W, until: number, turn: number, stats: SyncStats): Generator<undefined, number, void> {
  const { mail } = w
  yield* flushAll(w, stats)
  mail.publish(turn, Math.min(w.earliest(until), mail.earliest))
  mail.earliest = 0x7fffffff
  yield* barrier(w, stats)
  const t = mail.least(turn)
  mail.drain(w.receiver)
  return t
}

function* flushAll(w: W, stats: SyncStats): Step {
  while (!w.mail.flush()) {
    if (w.mail.drain(w.receiver)) continue
    stats.waits++
    yield
  }
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

/** `ahead[k]`: shortest delay from this worker to worker k; Infinity if it sends nothing there. */
export function* nulls(w: W, until: number, ahead: readonly number[], stats: SyncStats): Step {
  const { mail, receiver, shift } = w
  const { me } = mail
  const promised = new Int32Array(mail.workers)
  yield* meet(w, stats)
  for (let k = 0; k < mail.workers; k++) mail.promise(k, 0)
  yield* barrier(w, stats)
  for (;;) {
    let safe = until
    for (let k = 0; k < mail.workers; k++) if (k !== me) safe = Math.min(safe, mail.promised(k))
    const got = mail.drain(receiver)
    const before = mail.sentMessages
    w.run((safe >> shift) << shift)
    const out = mail.flush()
    // nothing of ours comes before the next event we have or may yet be sent
    const next = Math.min(w.earliest(until), safe)
    let moved = got || mail.sentMessages !== before
    for (let k = 0; out && k < mail.workers; k++) {
      const t = Math.min(until, next + ahead[k]!)
      if (k === me || t <= promised[k]!) continue
      promised[k] = t
      mail.promise(k, t)
      stats.rounds++
      if (mail.sentMessages === before) stats.nulls++
      moved = true
    }
    if (safe >= until && out && promised.every((t, k) => k === me || t >= until)) break
    if (moved) continue
    stats.waits++
    yield
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
    let asked = since >= o.interval || w.scarce()
    for (let k = 0; k < mail.workers; k++) if (mail.read(BEGUN, k) > begun) asked = true
    // whoever has work does some between two common times, however often others ask, and first what is certain
    const next = w.earliest(limit)
    if ((since === 0 || !asked || (next < sure && !w.scarce())) && next < limit) {
      const before = w.events()
      w.run(next < sure ? sure : limit, w.scarce() ? 1 : o.batch, next < sure)
      since += w.events() - before
      mail.flush()
      mail.drain(receiver)
      continue
    }
    if (!asked && mail.drain(receiver)) continue
    mail.publish(BEGUN, ++begun)
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
