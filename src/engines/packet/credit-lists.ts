// Credits of the optimistic mode. Each slot (a channel and a VC) has an unsorted list of credit times, which the slot's
// logical process (LP) only reads. The lists are not part of the state that a rollback restores. A late credit is added
// and a cancelled one is removed. The LP is rolled back only if the change would have altered one of its earlier
// decisions.
//
// Three marks for each slot decide that:
//   `MORE`   The latest time at which one more credit would have changed a result.
//   `LESS`   The latest time at which one credit less would have changed a result.
//   `WOKEN`  The latest time at which a stalled chunk was woken. While that can still be undone, each new credit also
//            schedules a wake-up. Undoing restores the stall, but not the wake-ups of credits that came after its end.
// Marks need no undo, because a mark that is too late only causes an unnecessary rollback.
//
// machine.ts creates these credits for optimistic workers; the interface is the same as in credits.ts. Limit: `load`
// scans all lists of a channel, so routing functions that read queue lengths cost more in this mode.
import { bitsFor } from "../../core/bitset.ts"
import type { Kernel, Reserve } from "../../model/events.ts"
import { NEVER, WAKE } from "../../model/events.ts"
import type { LookBack, WakingCredits } from "./credits.ts"
import { columnOf } from "./state.ts"

/**
 * Words of a slot: chunks ever sent; credits of them that are certain; length of the list; whether a chunk waits; the
 * three marks; number of waiting chunks.
 */
const WORDS = 16
const SENT = 0
const SURE = 1
const LISTED = 2
const WAITS = 3
const MORE = 4
const LESS = 5
const WOKEN = 6
const WAITERS = 7
/**
 * The first credits of the list are stored here, so that a slot fills one cache line. The others have a separate
 * column.
 */
const NEAR = 8
const NEARBY = WORDS - NEAR

/** length from which `add` searches the list for credits that have become certain */
const FEW = 4

export interface ListLayout {
  /** [slot * WORDS] */
  readonly slots: number
  readonly lists: number
  readonly bits: number
}

export function layLists(memory: Reserve, slots: number, most: number): ListLayout {
  // Capacity for the chunks downstream and for the credits that returned since the last common time.
  const bits = bitsFor(Math.max(2, most)) + 1
  const at = memory.reserve(slots * WORDS)
  const lists = memory.reserve(slots << bits)
  memory.times(at + MORE, slots, WORDS)
  memory.times(at + LESS, slots, WORDS)
  memory.times(at + WOKEN, slots, WORDS)
  for (let i = NEAR; i < WORDS; i++) memory.times(at + i, slots, WORDS)
  memory.times(lists, slots << bits, 1)
  return { slots: at, lists, bits }
}

export interface ListHooks {
  /** Returns the LP of a slot. */
  lpOfSlot(slot: number): number
  rollback(lp: number, t: number, key: number): void
  /** the running event may be undone and repeated, so its queries leave marks */
  keeps(): boolean
  /** Returns the time before which no credit can be added or cancelled any more. */
  horizon(): number
  /** Logs a credit that was returned to a slot of this worker. */
  gave(slot: number, t: number): void
  /** Sends a credit to the worker that owns the slot; false if this one does. */
  remote(slot: number, t: number): boolean
}

export interface ListedCredits extends WakingCredits {
  /** Adds a credit from another worker. */
  add(slot: number, t: number): void
  /** Removes a credit whose message was cancelled. */
  drop(slot: number, t: number): void
  /** Moves all stored times back when the epoch changes. */
  rebase(by: number): void
  /**
   * Normalises a copy of memory for the rollback check: clears marks, the order of the lists and the set of certain
   * credits, because undoing need not restore them.
   */
  settle(copy: Int32Array): void
  /** Removes all certain credits from the lists. */
  tidy(): void
}

/** `capacity`: chunks that fit into each slot; `back`: limits of endpoint queries (credits.ts). */
export function makeLists(
  kernel: Kernel,
  at: ListLayout,
  vcBits: number,
  capacity: Uint16Array,
  back: LookBack,
  hooks: ListHooks,
): ListedCredits {
  const { mem, alloc, push, note } = kernel
  const { slots, lists, bits } = at
  const { keeps } = hooks
  const hasCredits_ = 1 << bits
  /** credits that a list could not hold; rare */
  const spilled = new Map<number, number[]>()

  function wordsOf(slot: number): number {
    return slots + slot * WORDS
  }

  /** Returns the number of listed credits that are due by t. */
  function countBy(slot: number, a: number, t: number): number {
    const n = mem[a + LISTED]
    const near = n < NEARBY ? n : NEARBY
    let count = 0
    for (let i = 0; i < near; i++) if (mem[a + NEAR + i] <= t) count++
    for (let i = near; i < n; i++) if (mem[placeOf(slot, a, i)] <= t) count++
    if (spilled.size > 0) for (const s of spilled.get(slot) ?? []) if (s <= t) count++
    return count
  }

  /** Returns the memory index of credit i of the list. */
  function placeOf(slot: number, a: number, i: number): number {
    return i < NEARBY ? a + NEAR + i : lists + (slot << bits) + i
  }

  /** Sets a mark. Certain events need none, because no later message can precede them. */
  function mark(i: number, t: number): void {
    if (keeps() && t > mem[i]) mem[i] = t
  }

  /** Returns the used credits at time t. Both marks are set, because the exact count is visible to the caller. */
  function used(slot: number, t: number): number {
    const a = wordsOf(slot)
    const most = mem[a + SENT] - mem[a + SURE]
    if (most === 0) return 0
    const back = countBy(slot, a, t)
    mark(a + MORE, t)
    if (back > 0) mark(a + LESS, t)
    return most - back
  }

  // Only the direction that could reverse the result is marked: one credit less if there are some, one more if there
  // are none.
  function hasCredits(slot: number, t: number): boolean {
    const a = wordsOf(slot)
    const most = mem[a + SENT] - mem[a + SURE]
    if (most < capacity[slot]) return true
    const yes = most - countBy(slot, a, t) < capacity[slot]
    mark(a + (yes ? LESS : MORE), t)
    return yes
  }

  /** Returns the first time after `after` and up to `now` at which the slot had a credit, or NEVER. */
  function creditsSince(slot: number, after: number, now: number): number {
    const a = wordsOf(slot)
    const most = mem[a + SENT] - mem[a + SURE]
    for (let t = next(slot, a, after); t <= now; t = next(slot, a, t)) {
      if (most - countBy(slot, a, t) >= capacity[slot]) continue
      mark(a + MORE, t)
      mark(a + LESS, t)
      return t
    }
    mark(a + MORE, now)
    return NEVER
  }

  /** Returns the time of the first credit after t, or NEVER. */
  function next(slot: number, a: number, t: number): number {
    let first = NEVER
    for (let i = 0; i < mem[a + LISTED]; i++) {
      const due = mem[placeOf(slot, a, i)]
      if (due > t && due < first) first = due
    }
    if (spilled.size > 0) for (const due of spilled.get(slot) ?? []) if (due > t && due < first) first = due
    return first
  }

  /** Moves certain credits from the list to the counter SURE. */
  function compact(slot: number, a: number): void {
    // SURE counts for every query time, so the horizon must lie before the earliest time that a query can concern.
    const horizon = slot < back.from ? hooks.horizon() : hooks.horizon() - back.by
    const n = mem[a + LISTED]
    let kept = 0
    for (let i = 0; i < n; i++) {
      const t = mem[placeOf(slot, a, i)]
      if (t >= horizon) mem[placeOf(slot, a, kept++)] = t
    }
    mem[a + LISTED] = kept
    mem[a + SURE] = mem[a + SURE] + n - kept
    if (spilled.size === 0) return
    const rest = spilled.get(slot)
    if (rest === undefined) return
    const open = rest.filter((t) => t >= horizon)
    mem[a + SURE] = mem[a + SURE] + rest.length - open.length
    if (open.length > 0) spilled.set(slot, open)
    else spilled.delete(slot)
  }

  function add(slot: number, t: number): void {
    const a = wordsOf(slot)
    if (mem[a + LISTED] >= FEW) compact(slot, a)
    const n = mem[a + LISTED]
    if (n < hasCredits_) {
      mem[placeOf(slot, a, n)] = t
      mem[a + LISTED] = n + 1
    } else spilled.set(slot, [...(spilled.get(slot) ?? []), t])
    // Key -1 precedes every event of time t, so a rollback includes all of them.
    if (mem[a + MORE] >= t) hooks.rollback(hooks.lpOfSlot(slot), t, -1)
    if (mem[a + WAITS] !== 0 || mayWaitAgain(a)) push(alloc(), t, WAKE | slot)
  }

  /** Returns true if the last stall has ended by an event that may still be undone. */
  function mayWaitAgain(a: number): boolean {
    const woken = mem[a + WOKEN]
    return woken > 0 && woken >= hooks.horizon()
  }

  /** Returns true if a chunk waits and has a credit now. The caller then ends the stall. */
  function woken(slot: number, t: number): boolean {
    const a = wordsOf(slot)
    if (mem[a + WAITS] === 0 || !hasCredits(slot, t)) return false
    mark(a + WOKEN, t)
    return true
  }

  // The order of a list has no meaning, so the last credit fills the gap.
  function drop(slot: number, t: number): void {
    const a = wordsOf(slot)
    const n = mem[a + LISTED]
    let i = 0
    while (i < n && mem[placeOf(slot, a, i)] !== t) i++
    if (i < n) {
      mem[placeOf(slot, a, i)] = mem[placeOf(slot, a, n - 1)]
      mem[a + LISTED] = n - 1
    } else {
      const rest = spilled.get(slot) ?? []
      const k = rest.indexOf(t)
      if (k < 0) throw new Error(`slot ${slot} has no credit of time ${t} to take back`)
      rest.splice(k, 1)
      if (rest.length === 0) spilled.delete(slot)
    }
    if (mem[a + LESS] >= t) hooks.rollback(hooks.lpOfSlot(slot), t, -1)
  }

  return {
    hasCredits,
    // Queries about the future count only certain credits, because a credit that is cancelled later could not revoke a
    // decision made now.
    hasCreditsBy(slot) {
      const a = wordsOf(slot)
      return mem[a + SENT] - mem[a + SURE] < capacity[slot]
    },
    creditsSince,
    used,
    load(chan, t) {
      let sum = 0
      for (let slot = chan << vcBits; slot < (chan + 1) << vcBits; slot++)
        sum += used(slot, t) + mem[wordsOf(slot) + WAITERS]
      return sum
    },
    queue(slot, by) {
      const i = wordsOf(slot) + WAITERS
      note(i)
      mem[i] = mem[i] + by
    },
    take(slot) {
      const i = wordsOf(slot) + SENT
      note(i)
      mem[i]++
    },
    give(slot, t) {
      if (hooks.remote(slot, t)) return
      hooks.gave(slot, t)
      add(slot, t)
    },
    // Each known credit schedules a wake-up at its time. `add` does the same for credits that arrive during the stall
    // or while it may return.
    wait(slot, t) {
      const a = wordsOf(slot)
      if (mem[a + WAITS] !== 0) return
      note(a + WAITS)
      mem[a + WAITS] = 1
      for (let i = 0; i < mem[a + LISTED]; i++) {
        const due = mem[placeOf(slot, a, i)]
        if (due > t) push(alloc(), due, WAKE | slot)
      }
      for (const s of spilled.get(slot) ?? []) if (s > t) push(alloc(), s, WAKE | slot)
    },
    rest(slot) {
      const i = wordsOf(slot) + WAITS
      note(i)
      mem[i] = 0
    },
    waiting: (slot) => mem[wordsOf(slot) + WAITS] !== 0,
    woken,
    add,
    drop,
    tidy() {
      for (let slot = 0; slot < capacity.length; slot++) compact(slot, wordsOf(slot))
    },
    settle(copy) {
      copy.fill(0, lists, lists + (capacity.length << bits))
      for (let slot = 0; slot < capacity.length; slot++) {
        const a = wordsOf(slot)
        copy[a + SURE] = copy[a + SURE] + copy[a + LISTED] + (spilled.get(slot)?.length ?? 0)
        copy[a + LISTED] = 0
        // For a few words, a loop is faster than fill().
        for (let i = a + MORE; i <= a + WOKEN; i++) copy[i] = 0
        for (let i = a + NEAR; i < a + WORDS; i++) copy[i] = 0
      }
    },
    rebase(by) {
      for (const [slot, rest] of spilled)
        spilled.set(
          slot,
          rest.map((t) => t - by),
        )
    },
    save() {
      const pairs = [...spilled].flatMap(([slot, rest]) => rest.flatMap((t) => [slot, t]))
      return { numbers: {}, columns: { spilled: Int32Array.from(pairs) } }
    },
    restore(state) {
      const pairs = columnOf(state, "spilled")
      spilled.clear()
      for (let i = 0; i < pairs.length; i += 2) spilled.set(pairs[i], [...(spilled.get(pairs[i]) ?? []), pairs[i + 1]])
    },
  }
}
