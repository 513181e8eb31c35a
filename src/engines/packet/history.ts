// The undo log of the optimistic mode (incremental state saving). While an event runs, every effect is logged, so that
// the event can be undone if a message for its past arrives. kernel.ts calls `begin` and `finish` around each event,
// and sync.ts calls `commit` with the common time.
//
// A segment of the log belongs to one event. It has a head (the event, its logical process (LP), the previous segment
// of that LP) and pairs, newest last. A pair is (index, old value) for a write to memory, or a negative code with an
// operand for other effects. Undoing walks the pairs backwards. Events, messages and credits are first cancelled at
// their destination. A rollback therefore follows causality forward in time and only touches dependent LPs. Committed
// segments are removed at the tail.
//
// Limit: positions are 32-bit and wrap, so a log must be shorter than 2^31 words.
import { KEY, NEXT, TIME } from "../../model/events.ts"
import { numberOf, type PartState } from "./state.ts"
import type { Wheel } from "./wheel.ts"

const PUSHED = -1
const SENT = -2
const ALLOCATED = -3
const RELEASED = -4
const DELIVERY = -5
const RANGE = -6
/** a record that the event allocated and released again */
const NONE = -7
/** codes at and below it: a credit was returned to slot GAVE - code */
const GAVE = -16

/** Words of a head. */
const PREVIOUS = 0
const LP = 1
const RECORD = 2
const WHEN = 3
const WHAT = 4
const LENGTH = 5
const HEAD = 6
/** flag in LENGTH: the segment has effects that take place at the commit */
const LATER = 1 << 24

export interface HistoryHooks {
  lpOf(key: number): number
  /** Cancels message `n` to worker `to`, whose time is at least t. */
  cancel(to: number, n: number, t: number): void
  /** Removes the credit of time t that was returned to a slot of this worker. */
  dropCredit(slot: number, t: number): void
  /** Discards a delivery record, or makes it final. Both free its row. */
  voidRecord(row: number): void
  commitRecord(row: number): void
  /** Returns a record to the pool. */
  free(e: number): void
  /**
   * Removes a record from the open bucket. Returns false if it is not there. Only the rollback check undoes an event
   * before its bucket has ended.
   */
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
  /** Counts an event that cannot be undone. */
  passed(): void
  /** Log the old value of mem[i], or of `count` words from i on. Call them before the write. */
  note(i: number): void
  noteRange(i: number, count: number): void
  pushed(e: number, t: number, key: number): void
  sent(to: number, n: number): void
  allocated(e: number): void
  released(e: number): void
  gave(slot: number, t: number): void
  record(row: number): void
  /** Undoes every event of an LP at or after (t, key), and schedules it again. */
  rollback(lp: number, t: number, key: number): void
  /** Undoes the last event of an LP without scheduling it again. */
  takeBack(lp: number): void
  /** Returns true if the LP has executed an event after (t, key), or with the same time and key. */
  isPast(lp: number, t: number, key: number): boolean
  /** Removes a pending record from the schedule, after undoing its effects. */
  unschedule(e: number, t: number, key: number): void
  /** Commits all events before t and frees their segments. */
  commit(t: number): void
  /** Empties the log. It must hold no undoable event; entries of the start-up are discarded. */
  reset(): void
  readonly counts: WarpCounts
  words(): number
  /** Returns the counters. At a common time the log is empty. */
  save(): PartState
  restore(state: PartState): void
}

/** `first`: initial words of the log, a power of two; the log doubles when it is full. */
export function makeHistory(
  mem: Int32Array,
  wheel: Wheel,
  shift: number,
  lps: number,
  first: number,
  hooks: HistoryHooks,
): History {
  const { lpOf } = hooks
  // last[lp]: position of the newest segment of each LP; it may be older than `tail`, which means that it was
  // committed.
  const last = new Int32Array(lps)
  const counts: WarpCounts = { executed: 0, rolledBack: 0, rollbacks: 0, committed: 0 }
  let log = new Int32Array(first)
  let mask = first - 1
  // Positions count up from 1 and wrap at 2^32; 0 means "none".
  let end = 1
  let tail = 1
  let head = 0
  let running = 0
  /** the record that the running event allocated last, and its position in the log */
  let taken = 0
  let takenAt = 0

  /** Makes space for `words` more. */
  function grow(words: number): void {
    while (((end - tail) | 0) + words > log.length) {
      const bigger = new Int32Array(log.length * 2)
      for (let i = tail; i !== end; i = (i + 1) | 0) bigger[i & (bigger.length - 1)] = log[i & mask]
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

  /** Returns true if the segment at this position has not been committed. */
  function alive(position: number): boolean {
    return position !== 0 && ((position - tail) | 0) >= 0
  }

  function begin(e: number, t: number, key: number, lp: number): void {
    if (((end - tail) | 0) + HEAD > log.length) grow(HEAD)
    counts.executed++
    head = end
    running = e
    taken = 0
    log[head & mask] = last[lp]
    log[(head + LP) & mask] = lp
    log[(head + RECORD) & mask] = e
    log[(head + WHEN) & mask] = t
    log[(head + WHAT) & mask] = key
    log[(head + LENGTH) & mask] = 0
    last[lp] = head
    end = (end + HEAD) | 0
  }

  // LENGTH may already hold the flag LATER.
  function finish(): void {
    log[(head + LENGTH) & mask] = log[(head + LENGTH) & mask] | ((end - head) | 0)
    running = 0
  }

  function note(i: number): void {
    pair(i, mem[i])
  }

  // The values are padded to whole pairs and precede their description, because undo reads backwards.
  function noteRange(i: number, count: number): void {
    const padded = (count + 1) & ~1
    if (((end - tail) | 0) + padded + 4 > log.length) grow(padded + 4)
    for (let k = 0; k < count; k++) log[(end + k) & mask] = mem[i + k]
    end = (end + padded) | 0
    pair(i, count)
    pair(RANGE, 0)
  }

  function pushed(e: number, t: number, key: number): void {
    // The record of the running event is restored from its segment head.
    if (e !== running) noteRange(e, NEXT + 1)
    pair(t, key)
    pair(PUSHED, e)
  }

  /** Logs an effect that takes place at the commit: a released record or a delivery. */
  function later(code: number, value: number): void {
    log[(head + LENGTH) & mask] = log[(head + LENGTH) & mask] | LATER
    pair(code, value)
  }

  function isPast(lp: number, t: number, key: number): boolean {
    const h = last[lp]
    if (!alive(h)) return false
    const when = log[(h + WHEN) & mask]
    return when > t || (when === t && log[(h + WHAT) & mask] >= key)
  }

  function unschedule(e: number, t: number, key: number): void {
    rollback(lpOf(key), t, key)
    if (!wheel.unlink(e, t) && !hooks.unchain(e)) throw new Error(`record ${e} of time ${t} is not scheduled`)
  }

  // Segments of an LP are undone newest first. The clock moves back to the earliest event that is scheduled again.
  function rollback(lp: number, t: number, key: number): void {
    let any = false
    for (;;) {
      const h = last[lp]
      if (!alive(h)) break
      const when = log[(h + WHEN) & mask]
      const what = log[(h + WHAT) & mask]
      if (when < t || (when === t && what < key)) break
      if (!any) counts.rollbacks++
      any = true
      counts.rolledBack++
      const e = log[(h + RECORD) & mask]
      takeBack(lp)
      if (when >> shift <= wheel.current()) wheel.back((when >> shift) - 1)
      wheel.link(e, when)
    }
  }

  function takeBack(lp: number): void {
    const h = last[lp]
    const e = log[(h + RECORD) & mask]
    const when = log[(h + WHEN) & mask]
    const what = log[(h + WHAT) & mask]
    const length = log[(h + LENGTH) & mask] & (LATER - 1)
    // The segment is removed first, because the recursive undo of its effects may return to this LP.
    last[lp] = log[(h + PREVIOUS) & mask]
    log[(h + LP) & mask] = -1
    log[(h + LENGTH) & mask] = length
    undo((h + HEAD) | 0, (h + length) | 0, when)
    mem[e + TIME] = when
    mem[e + KEY] = what
  }

  /**
   * Undoes the pairs between two positions, newest first. They belong to an event of time t. RELEASED and NONE need no
   * action: the record is still allocated, or free.
   */
  function undo(from: number, to: number, t: number): void {
    for (let i = to; i !== from; ) {
      i = (i - 2) | 0
      const a = log[i & mask]
      const b = log[(i + 1) & mask]
      if (a >= 0) mem[a] = b
      else if (a === PUSHED) {
        i = (i - 2) | 0
        unschedule(b, log[i & mask], log[(i + 1) & mask])
      } else if (a === RANGE) {
        i = (i - 2) | 0
        const at = log[i & mask]
        const count = log[(i + 1) & mask]
        i = (i - ((count + 1) & ~1)) | 0
        for (let k = 0; k < count; k++) mem[at + k] = log[(i + k) & mask]
      } else if (a === SENT) {
        i = (i - 2) | 0
        hooks.cancel(b, log[i & mask], t)
      } else if (a === ALLOCATED) hooks.free(b)
      else if (a === DELIVERY) hooks.voidRecord(b)
      else if (a <= GAVE) hooks.dropCredit(GAVE - a, b)
    }
  }

  // Segments are in order of execution, which is not time order across LPs. The commit stops at the first segment that
  // is not certain.
  function commit(t: number): void {
    while (tail !== end) {
      const length = log[(tail + LENGTH) & mask]
      if (log[(tail + LP) & mask] !== -1) {
        if (log[(tail + WHEN) & mask] >= t) return
        counts.committed++
        if ((length & LATER) !== 0) settle((tail + HEAD) | 0, (tail + (length & (LATER - 1))) | 0)
      }
      tail = (tail + (length & (LATER - 1))) | 0
    }
  }

  /**
   * Returns true if the log has only deliveries since the last allocation. Undoing then never touches that record, so
   * it can be freed before the commit. This matters because one event can deliver all messages that an endpoint sends
   * to itself, each with its own record.
   */
  function wroteNothing(): boolean {
    for (let i = (takenAt + 2) | 0; i !== end; i = (i + 2) | 0) if (log[i & mask] !== DELIVERY) return false
    return true
  }

  /** Performs the deferred effects at the commit: counts deliveries and frees released records. */
  function settle(from: number, to: number): void {
    for (let i = to; i !== from; ) {
      i = (i - 2) | 0
      const a = log[i & mask]
      const b = log[(i + 1) & mask]
      if (a === PUSHED || a === SENT) i = (i - 2) | 0
      else if (a === RANGE) {
        const count = log[(i - 1) & mask]
        i = (i - 2 - ((count + 1) & ~1)) | 0
      } else if (a === DELIVERY) hooks.commitRecord(b)
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
    record: (row) => later(DELIVERY, row),
    rollback,
    takeBack,
    isPast,
    unschedule,
    commit,
    reset,
    counts,
    words: () => log.length,
    save() {
      if (tail !== end)
        throw new Error(`${(end - tail) | 0} words of the log can still be undone: save at a common time`)
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
