// Credits for the optimistic mode: times in a list for each slot, in no order, that the slot's process only reads. They are no part of what a
// rollback restores: a late credit is added, a cancelled one taken out, and the process is rolled back only if that would have changed something
// it did. Two marks per slot say so: the latest time at which one credit more would have, and the latest at which one less would have. A third is
// the latest time at which somebody who waited was woken: while that may be undone, a credit wakes as if the wait went on, since undoing brings
// back the wait and not the wake-ups of credits that came after its end. Marks need no undo: too late a mark is safe.
import { bitsFor } from "../../core/bitset.ts"
import type { Kernel, Reserve } from "../../model/events.ts"
import { NEVER, WAKE } from "../../model/events.ts"
import type { LookBack, WakingCredits } from "./credits.ts"
import { columnOf } from "./state.ts"

/** Words of a slot: chunks sent, ever; of these credited for certain; credits in the list; whether somebody waits; the marks: latest time at
 *  which one more, one less credit would have mattered, and at which a wait ended; chunks that wait. */
const WORDS = 16
const SENT = 0
const SURE = 1
const LISTED = 2
const WAITS = 3
const MORE = 4
const LESS = 5
const WOKEN = 6
const WAITERS = 7
/** the first credits of the list lie here, so that a slot is one cache line; the others in a column of their own */
const NEAR = 8
const NEARBY = WORDS - NEAR

/** a list so long is looked through for credits that have become certain */
const FEW = 4

export interface ListLayout {
  /** [slot * WORDS] */
  readonly slots: number
  readonly lists: number
  readonly bits: number
}

export function layLists(memory: Reserve, slots: number, most: number): ListLayout {
  // room for what is out and what came back since the last common time
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
  /** logical process of a slot */
  lpOfSlot(slot: number): number
  rollback(lp: number, t: number, key: number): void
  /** what is asked now may have to be asked again */
  keeps(): boolean
  /** no credit before it can still come or go */
  horizon(): number
  gave(slot: number, t: number): void
  /** Sends a credit to the worker that owns the slot; false if this one does. */
  remote(slot: number, t: number): boolean
}

export interface ListedCredits extends WakingCredits {
  /** A credit from another worker. */
  add(slot: number, t: number): void
  /** Takes a credit back. */
  drop(slot: number, t: number): void
  /** The epoch moves. */
  rebase(by: number): void
  /** Makes equal, in a copy of memory, what undoing need not restore: marks, the order of the lists, and which credits count as certain. */
  settle(copy: Int32Array): void
  /** Forgets all credits that are certain. */
  tidy(): void
}

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
  const room_ = 1 << bits
  /** what a list had no room for: rare */
  const spilled = new Map<number, number[]>()

  function wordsOf(slot: number): number {
    return slots + slot * WORDS
  }

  function countBy(slot: number, a: number, t: number): number {
    const n = mem[a + LISTED]!
    const near = n < NEARBY ? n : NEARBY
    let count = 0
    for (let i = 0; i < near; i++) if (mem[a + NEAR + i]! <= t) count++
    for (let i = near; i < n; i++) if (mem[placeOf(slot, a, i)]! <= t) count++
    if (spilled.size > 0) for (const s of spilled.get(slot) ?? []) if (s <= t) count++
    return count
  }

  /** Where credit i of the list is. */
  function placeOf(slot: number, a: number, i: number): number {
    return i < NEARBY ? a + NEAR + i : lists + (slot << bits) + i
  }

  /** Nobody can be late for what is certain. */
  function mark(i: number, t: number): void {
    if (keeps() && t > mem[i]!) mem[i] = t
  }

  function used(slot: number, t: number): number {
    const a = wordsOf(slot)
    const most = mem[a + SENT]! - mem[a + SURE]!
    if (most === 0) return 0
    const back = countBy(slot, a, t)
    mark(a + MORE, t)
    if (back > 0) mark(a + LESS, t)
    return most - back
  }

  function room(slot: number, t: number): boolean {
    const a = wordsOf(slot)
    const most = mem[a + SENT]! - mem[a + SURE]!
    if (most < capacity[slot]!) return true
    const yes = most - countBy(slot, a, t) < capacity[slot]!
    mark(a + (yes ? LESS : MORE), t)
    return yes
  }

  function roomSince(slot: number, after: number, now: number): number {
    const a = wordsOf(slot)
    const most = mem[a + SENT]! - mem[a + SURE]!
    for (let t = next(slot, a, after); t <= now; t = next(slot, a, t)) {
      if (most - countBy(slot, a, t) >= capacity[slot]!) continue
      mark(a + MORE, t)
      mark(a + LESS, t)
      return t
    }
    mark(a + MORE, now)
    return NEVER
  }

  /** Time of the first credit after t, or NEVER. */
  function next(slot: number, a: number, t: number): number {
    let first = NEVER
    for (let i = 0; i < mem[a + LISTED]!; i++) {
      const due = mem[placeOf(slot, a, i)]!
      if (due > t && due < first) first = due
    }
    if (spilled.size > 0) for (const due of spilled.get(slot) ?? []) if (due > t && due < first) first = due
    return first
  }

  /** Forgets credits that are certain. */
  function compact(slot: number, a: number): void {
    // what counts as certain is there whatever time one asks about
    const horizon = slot < back.from ? hooks.horizon() : hooks.horizon() - back.by
    const n = mem[a + LISTED]!
    let kept = 0
    for (let i = 0; i < n; i++) {
      const t = mem[placeOf(slot, a, i)]!
      if (t >= horizon) mem[placeOf(slot, a, kept++)] = t
    }
    mem[a + LISTED] = kept
    mem[a + SURE] = mem[a + SURE]! + n - kept
    if (spilled.size === 0) return
    const rest = spilled.get(slot)
    if (rest === undefined) return
    const open = rest.filter((t) => t >= horizon)
    mem[a + SURE] = mem[a + SURE]! + rest.length - open.length
    if (open.length > 0) spilled.set(slot, open)
    else spilled.delete(slot)
  }

  function add(slot: number, t: number): void {
    const a = wordsOf(slot)
    if (mem[a + LISTED]! >= FEW) compact(slot, a)
    const n = mem[a + LISTED]!
    if (n < room_) {
      mem[placeOf(slot, a, n)] = t
      mem[a + LISTED] = n + 1
    } else spilled.set(slot, [...(spilled.get(slot) ?? []), t])
    if (mem[a + MORE]! >= t) hooks.rollback(hooks.lpOfSlot(slot), t, -1)
    if (mem[a + WAITS] !== 0 || mayWaitAgain(a)) push(alloc(), t, WAKE | slot)
  }

  /** Its last wait has ended, and that is not certain. */
  function mayWaitAgain(a: number): boolean {
    const woken = mem[a + WOKEN]!
    return woken > 0 && woken >= hooks.horizon()
  }

  /** Somebody waits, and there is room: whoever asks ends the wait. */
  function woken(slot: number, t: number): boolean {
    const a = wordsOf(slot)
    if (mem[a + WAITS] === 0 || !room(slot, t)) return false
    mark(a + WOKEN, t)
    return true
  }

  function drop(slot: number, t: number): void {
    const a = wordsOf(slot)
    const n = mem[a + LISTED]!
    let i = 0
    while (i < n && mem[placeOf(slot, a, i)] !== t) i++
    if (i < n) {
      mem[placeOf(slot, a, i)] = mem[placeOf(slot, a, n - 1)]!
      mem[a + LISTED] = n - 1
    } else {
      const rest = spilled.get(slot) ?? []
      const k = rest.indexOf(t)
      if (k < 0) throw new Error(`slot ${slot} has no credit of time ${t} to take back`)
      rest.splice(k, 1)
      if (rest.length === 0) spilled.delete(slot)
    }
    if (mem[a + LESS]! >= t) hooks.rollback(hooks.lpOfSlot(slot), t, -1)
  }

  return {
    room,
    // for a time to come only what is certain counts: a decision taken now could not be taken back by a credit that is cancelled later
    roomBy(slot) {
      const a = wordsOf(slot)
      return mem[a + SENT]! - mem[a + SURE]! < capacity[slot]!
    },
    roomSince,
    used,
    load(chan, t) {
      let sum = 0
      for (let slot = chan << vcBits; slot < (chan + 1) << vcBits; slot++) sum += used(slot, t) + mem[wordsOf(slot) + WAITERS]!
      return sum
    },
    queue(slot, by) {
      const i = wordsOf(slot) + WAITERS
      note(i)
      mem[i] = mem[i]! + by
    },
    take(slot) {
      const i = wordsOf(slot) + SENT
      note(i)
      mem[i]!++
    },
    give(slot, t) {
      if (hooks.remote(slot, t)) return
      hooks.gave(slot, t)
      add(slot, t)
    },
    // each credit that is known, or comes while somebody waits or may wait again, wakes it at its own time
    wait(slot, t) {
      const a = wordsOf(slot)
      if (mem[a + WAITS] !== 0) return
      note(a + WAITS)
      mem[a + WAITS] = 1
      for (let i = 0; i < mem[a + LISTED]!; i++) {
        const due = mem[placeOf(slot, a, i)]!
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
        copy[a + SURE] = copy[a + SURE]! + copy[a + LISTED]! + (spilled.get(slot)?.length ?? 0)
        copy[a + LISTED] = 0
        copy.fill(0, a + MORE, a + WOKEN + 1)
        copy.fill(0, a + NEAR, a + WORDS)
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
      for (let i = 0; i < pairs.length; i += 2) spilled.set(pairs[i]!, [...(spilled.get(pairs[i]!) ?? []), pairs[i + 1]!])
    },
  }
}
