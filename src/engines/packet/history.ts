// What optimism needs to change its mind: a log of everything an event did. A segment of the log is a head (the event, its logical process, the
// segment before it of that process) and pairs, newest last: (index, old value) for a write to memory, or a negative code for what has effects
// elsewhere. Undoing a segment walks its pairs backwards; what was scheduled, sent or given is taken back first at those it reached, so a rollback
// follows causes forward in time and touches no process that did not depend on it. Committed segments are forgotten from the log's tail.
import { KEY, NEXT, TIME } from "../../model/events.ts"
import { numberOf, type PartState } from "./state.ts"
import type { Wheel } from "./wheel.ts"

const PUSHED = -1
const SENT = -2
const ALLOCATED = -3
const RELEASED = -4
const FACT = -5
const RANGE = -6
/** a record that the event took and gave back */
const NONE = -7
/** codes at and below it: a credit was given to slot GAVE - code */
const GAVE = -16

/** Words of a head. */
const PREVIOUS = 0
const LP = 1
const RECORD = 2
const WHEN = 3
const WHAT = 4
const LENGTH = 5
const HEAD = 6
/** in LENGTH: something waits for the commit */
const LATER = 1 << 24

export interface HistoryHooks {
  lpOf(key: number): number
  /** Takes back message `n` to worker `to`, which was of no time before t. */
  cancel(to: number, n: number, t: number): void
  /** Takes back the credit of time t that was given to a slot of this worker. */
  dropCredit(slot: number, t: number): void
  /** A fact was not one; or it is certain. Both free its row. */
  voidFact(row: number): void
  commitFact(row: number): void
  /** A record returns to the pool. */
  free(e: number): void
  /** Takes a record out of the open bucket; false if it is not there. Only an event that is rehearsed is undone before its bucket is over. */
  unchain(e: number): boolean
}

export interface WarpCounts {
  executed: number
  rolledBack: number
  rollbacks: number
  committed: number
}

export interface History {
  begin(e: number, t: number, key: number, lp: number): void
  finish(): void
  /** An event was executed that nothing can undo. */
  passed(): void
  /** Before a write to mem[i]; before writes to `count` words from i on. */
  note(i: number): void
  noteRange(i: number, count: number): void
  pushed(e: number, t: number, key: number): void
  sent(to: number, n: number): void
  allocated(e: number): void
  released(e: number): void
  gave(slot: number, t: number): void
  fact(row: number): void
  /** Undoes every event of a process at or after (t, key). */
  rollback(lp: number, t: number, key: number): void
  /** Undoes the last event of a process, which is not scheduled again. */
  takeBack(lp: number): void
  /** Has the process executed something after (t, key), or something that ties with it? */
  isPast(lp: number, t: number, key: number): boolean
  /** Unschedules a record that is pending, after undoing what came of it. */
  unschedule(e: number, t: number, key: number): void
  /** Forgets what happened before t. */
  commit(t: number): void
  /** Forgets all: the log holds no uncertain event, or only what was noted before the first. */
  reset(): void
  readonly counts: WarpCounts
  words(): number
  /** What was counted: at a common time the log holds nothing that could be undone. */
  save(): PartState
  restore(state: PartState): void
}

/** `first`: words of the log to begin with, a power of two; it doubles when it is full. */
export function makeHistory(mem: Int32Array, wheel: Wheel, shift: number, lps: number, first: number, hooks: HistoryHooks): History {
  const { lpOf } = hooks
  const last = new Int32Array(lps)
  const counts: WarpCounts = { executed: 0, rolledBack: 0, rollbacks: 0, committed: 0 }
  let log = new Int32Array(first)
  let mask = first - 1
  // positions count up from 1 and wrap at 2^32; 0 is "none"
  let end = 1
  let tail = 1
  let head = 0
  let running = 0
  /** the record that the running event took last, and where the log says so */
  let taken = 0
  let takenAt = 0

  /** Room for `words` more. */
  function grow(words: number): void {
    while (((end - tail) | 0) + words > log.length) {
      const bigger = new Int32Array(log.length * 2)
      for (let i = tail; i !== end; i = (i + 1) | 0) bigger[i & (bigger.length - 1)] = log[i & mask]!
      log = bigger
      mask = bigger.length - 1
    }
  }

  function pair(a: number, b: number): void {
    if (((end - tail) | 0) + 2 > log.length) grow(2)
    log[end & mask] = a
    log[(end + 1) & mask] = b
    end = (end + 2) | 0
  }

  function alive(position: number): boolean {
    return position !== 0 && ((position - tail) | 0) >= 0
  }

  function begin(e: number, t: number, key: number, lp: number): void {
    if (((end - tail) | 0) + HEAD > log.length) grow(HEAD)
    counts.executed++
    head = end
    running = e
    taken = 0
    log[head & mask] = last[lp]!
    log[(head + LP) & mask] = lp
    log[(head + RECORD) & mask] = e
    log[(head + WHEN) & mask] = t
    log[(head + WHAT) & mask] = key
    log[(head + LENGTH) & mask] = 0
    last[lp] = head
    end = (end + HEAD) | 0
  }

  function finish(): void {
    log[(head + LENGTH) & mask] = log[(head + LENGTH) & mask]! | ((end - head) | 0)
    running = 0
  }

  function note(i: number): void {
    pair(i, mem[i]!)
  }

  function noteRange(i: number, count: number): void {
    const padded = (count + 1) & ~1
    if (((end - tail) | 0) + padded + 4 > log.length) grow(padded + 4)
    for (let k = 0; k < count; k++) log[(end + k) & mask] = mem[i + k]!
    end = (end + padded) | 0
    pair(i, count)
    pair(RANGE, 0)
  }

  function pushed(e: number, t: number, key: number): void {
    // the record of the running event is restored from its head
    if (e !== running) noteRange(e, NEXT + 1)
    pair(t, key)
    pair(PUSHED, e)
  }

  function later(code: number, value: number): void {
    log[(head + LENGTH) & mask] = log[(head + LENGTH) & mask]! | LATER
    pair(code, value)
  }

  function isPast(lp: number, t: number, key: number): boolean {
    const h = last[lp]!
    if (!alive(h)) return false
    const when = log[(h + WHEN) & mask]!
    return when > t || (when === t && log[(h + WHAT) & mask]! >= key)
  }

  function unschedule(e: number, t: number, key: number): void {
    rollback(lpOf(key), t, key)
    if (!wheel.unlink(e, t) && !hooks.unchain(e)) throw new Error(`record ${e} of time ${t} is not scheduled`)
  }

  function rollback(lp: number, t: number, key: number): void {
    let any = false
    for (;;) {
      const h = last[lp]!
      if (!alive(h)) break
      const when = log[(h + WHEN) & mask]!
      const what = log[(h + WHAT) & mask]!
      if (when < t || (when === t && what < key)) break
      if (!any) counts.rollbacks++
      any = true
      counts.rolledBack++
      const e = log[(h + RECORD) & mask]!
      takeBack(lp)
      if (when >> shift <= wheel.current()) wheel.back((when >> shift) - 1)
      wheel.link(e, when)
    }
  }

  function takeBack(lp: number): void {
    const h = last[lp]!
    const e = log[(h + RECORD) & mask]!
    const when = log[(h + WHEN) & mask]!
    const what = log[(h + WHAT) & mask]!
    const length = log[(h + LENGTH) & mask]! & (LATER - 1)
    // popped first: undoing may come back to this process
    last[lp] = log[(h + PREVIOUS) & mask]!
    log[(h + LP) & mask] = -1
    log[(h + LENGTH) & mask] = length
    undo((h + HEAD) | 0, (h + length) | 0, when)
    mem[e + TIME] = when
    mem[e + KEY] = what
  }

  /** Undoes the pairs between two positions, newest first; they are of an event of time t. */
  function undo(from: number, to: number, t: number): void {
    for (let i = to; i !== from; ) {
      i = (i - 2) | 0
      const a = log[i & mask]!
      const b = log[(i + 1) & mask]!
      if (a >= 0) mem[a] = b
      else if (a === PUSHED) {
        i = (i - 2) | 0
        unschedule(b, log[i & mask]!, log[(i + 1) & mask]!)
      } else if (a === RANGE) {
        i = (i - 2) | 0
        const at = log[i & mask]!
        const count = log[(i + 1) & mask]!
        i = (i - ((count + 1) & ~1)) | 0
        for (let k = 0; k < count; k++) mem[at + k] = log[(i + k) & mask]!
      } else if (a === SENT) {
        i = (i - 2) | 0
        hooks.cancel(b, log[i & mask]!, t)
      } else if (a === ALLOCATED) hooks.free(b)
      else if (a === FACT) hooks.voidFact(b)
      else if (a <= GAVE) hooks.dropCredit(GAVE - a, b)
    }
  }

  function commit(t: number): void {
    while (tail !== end) {
      const length = log[(tail + LENGTH) & mask]!
      if (log[(tail + LP) & mask] !== -1) {
        if (log[(tail + WHEN) & mask]! >= t) return
        counts.committed++
        if ((length & LATER) !== 0) settle((tail + HEAD) | 0, (tail + (length & (LATER - 1))) | 0)
      }
      tail = (tail + (length & (LATER - 1))) | 0
    }
  }

  /** Has the log nothing but facts since the last record was taken? Then no undoing touches that record, and it needs not wait for the commit. One event
   *  delivers all messages of an endpoint to itself for a long time, each in a record of its own. */
  function wroteNothing(): boolean {
    for (let i = (takenAt + 2) | 0; i !== end; i = (i + 2) | 0) if (log[i & mask] !== FACT) return false
    return true
  }

  /** What waited for the commit: facts are counted, released records may be used again. */
  function settle(from: number, to: number): void {
    for (let i = to; i !== from; ) {
      i = (i - 2) | 0
      const a = log[i & mask]!
      const b = log[(i + 1) & mask]!
      if (a === PUSHED || a === SENT) i = (i - 2) | 0
      else if (a === RANGE) {
        const count = log[(i - 1) & mask]!
        i = (i - 2 - ((count + 1) & ~1)) | 0
      } else if (a === FACT) hooks.commitFact(b)
      else if (a === RELEASED) hooks.free(b)
    }
  }

  function reset(): void {
    end = 1
    tail = 1
    last.fill(0)
    head = 0
  }

  return {
    begin,
    finish,
    passed() {
      counts.executed++
      counts.committed++
    },
    note,
    noteRange,
    pushed,
    sent(to, n) {
      pair(n, 0)
      pair(SENT, to)
    },
    allocated(e) {
      taken = e
      takenAt = end
      pair(ALLOCATED, e)
    },
    released(e) {
      if (e === taken && wroteNothing()) {
        log[takenAt & mask] = NONE
        taken = 0
        hooks.free(e)
      } else later(RELEASED, e)
    },
    gave: (slot, t) => pair(GAVE - slot, t),
    fact: (row) => later(FACT, row),
    rollback,
    takeBack,
    isPast,
    unschedule,
    commit,
    reset,
    counts,
    words: () => log.length,
    save() {
      if (tail !== end) throw new Error(`${(end - tail) | 0} words of the log may still be undone: save at a common time`)
      return { numbers: { ...counts }, columns: {} }
    },
    restore(state) {
      reset()
      counts.executed = numberOf(state, "executed")
      counts.rolledBack = numberOf(state, "rolledBack")
      counts.rollbacks = numberOf(state, "rollbacks")
      counts.committed = numberOf(state, "committed")
    },
  }
}
