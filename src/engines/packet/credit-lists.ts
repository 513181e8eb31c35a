// Credits for the optimistic mode: times in a list for each slot, in no order, that the slot's process only reads. They are no part of what a
// rollback restores: a late credit is added, a cancelled one taken out, and the process is rolled back only if that would have changed something
// it did. Two marks per slot say so: the latest time at which one credit more would have, and the latest at which one less would have. Marks need
// no undo: too late a mark is safe.
import type { Kernel, Reserve } from "../../model/events.ts"
import { WAKE } from "../../model/events.ts"
import type { WakingCredits } from "./credits.ts"

export interface ListLayout {
  /** [slot] -> chunks sent, ever; of these credited for certain; credits in the list */
  readonly sent: number
  readonly sure: number
  readonly listed: number
  /** [slot] -> somebody waits */
  readonly waits: number
  /** [slot] -> the two marks: latest time at which one more, one less credit would have mattered */
  readonly more: number
  readonly less: number
  readonly lists: number
  readonly bits: number
}

export function layLists(memory: Reserve, slots: number, most: number): ListLayout {
  // room for what is out and what came back since the last common time
  const bits = Math.ceil(Math.log2(Math.max(2, most))) + 1
  const sent = memory.reserve(slots)
  const sure = memory.reserve(slots)
  const listed = memory.reserve(slots)
  const waits = memory.reserve(slots)
  const more = memory.reserve(slots)
  const less = memory.reserve(slots)
  const lists = memory.reserve(slots << bits)
  memory.times(more, slots, 1)
  memory.times(less, slots, 1)
  memory.times(lists, slots << bits, 1)
  return { sent, sure, listed, waits, more, less, lists, bits }
}

export interface ListHooks {
  /** logical process of a slot */
  lpOfSlot(slot: number): number
  rollback(lp: number, t: number, key: number): void
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
}

export function makeLists(kernel: Kernel, at: ListLayout, capacity: Uint16Array, hooks: ListHooks): ListedCredits {
  const { mem, alloc, push, note } = kernel
  const { sent, sure, listed, waits, more, less, lists, bits } = at
  const room_ = 1 << bits
  /** what a list had no room for: rare */
  const spilled = new Map<number, number[]>()

  function countBy(slot: number, t: number): number {
    const list = lists + (slot << bits)
    const n = mem[listed + slot]!
    let count = 0
    for (let i = 0; i < n; i++) if (mem[list + i]! <= t) count++
    if (spilled.size > 0) for (const s of spilled.get(slot) ?? []) if (s <= t) count++
    return count
  }

  function mark(column: number, slot: number, t: number): void {
    if (t > mem[column + slot]!) mem[column + slot] = t
  }

  function used(slot: number, t: number): number {
    const most = mem[sent + slot]! - mem[sure + slot]!
    if (most === 0) return 0
    const back = countBy(slot, t)
    mark(more, slot, t)
    if (back > 0) mark(less, slot, t)
    return most - back
  }

  function room(slot: number, t: number): boolean {
    const most = mem[sent + slot]! - mem[sure + slot]!
    if (most < capacity[slot]!) return true
    const yes = most - countBy(slot, t) < capacity[slot]!
    mark(yes ? less : more, slot, t)
    return yes
  }

  /** Forgets credits that are certain. */
  function compact(slot: number): void {
    const list = lists + (slot << bits)
    const horizon = hooks.horizon()
    const n = mem[listed + slot]!
    let kept = 0
    for (let i = 0; i < n; i++) {
      const t = mem[list + i]!
      if (t >= horizon) mem[list + kept++] = t
    }
    mem[listed + slot] = kept
    mem[sure + slot] = mem[sure + slot]! + n - kept
    const rest = spilled.get(slot)
    if (rest === undefined) return
    const open = rest.filter((t) => t >= horizon)
    mem[sure + slot] = mem[sure + slot]! + rest.length - open.length
    if (open.length > 0) spilled.set(slot, open)
    else spilled.delete(slot)
  }

  function add(slot: number, t: number): void {
    if (mem[listed + slot]! >= room_ >> 1) compact(slot)
    const n = mem[listed + slot]!
    if (n < room_) {
      mem[lists + (slot << bits) + n] = t
      mem[listed + slot] = n + 1
    } else spilled.set(slot, [...(spilled.get(slot) ?? []), t])
    if (mem[more + slot]! >= t) hooks.rollback(hooks.lpOfSlot(slot), t, -1)
    if (mem[waits + slot] !== 0) push(alloc(), t, WAKE | slot)
  }

  function drop(slot: number, t: number): void {
    const list = lists + (slot << bits)
    const n = mem[listed + slot]!
    let i = 0
    while (i < n && mem[list + i] !== t) i++
    if (i < n) {
      mem[list + i] = mem[list + n - 1]!
      mem[listed + slot] = n - 1
    } else {
      const rest = spilled.get(slot) ?? []
      const k = rest.indexOf(t)
      if (k < 0) throw new Error(`slot ${slot} has no credit of time ${t} to take back`)
      rest.splice(k, 1)
      if (rest.length === 0) spilled.delete(slot)
    }
    if (mem[less + slot]! >= t) hooks.rollback(hooks.lpOfSlot(slot), t, -1)
  }

  return {
    room,
    // for a time to come only what is certain counts: a decision taken now could not be taken back by a credit that is cancelled later
    roomBy: (slot) => mem[sent + slot]! - mem[sure + slot]! < capacity[slot]!,
    used,
    load(first, count, t, waiters) {
      let sum = 0
      for (let slot = first; slot < first + count; slot++) sum += used(slot, t) + mem[waiters + slot]!
      return sum
    },
    take(slot) {
      note(sent + slot)
      mem[sent + slot]!++
    },
    give(slot, t) {
      if (hooks.remote(slot, t)) return
      hooks.gave(slot, t)
      add(slot, t)
    },
    // each credit that is known, or comes while somebody waits, wakes it at its own time
    wait(slot, t) {
      if (mem[waits + slot] !== 0) return
      note(waits + slot)
      mem[waits + slot] = 1
      const list = lists + (slot << bits)
      for (let i = 0; i < mem[listed + slot]!; i++) if (mem[list + i]! > t) push(alloc(), mem[list + i]!, WAKE | slot)
      for (const s of spilled.get(slot) ?? []) if (s > t) push(alloc(), s, WAKE | slot)
    },
    rest(slot) {
      note(waits + slot)
      mem[waits + slot] = 0
    },
    waiting: (slot) => mem[waits + slot] !== 0,
    woken: (slot, t) => mem[waits + slot] !== 0 && room(slot, t),
    add,
    drop,
    rebase(by) {
      for (const [slot, rest] of spilled)
        spilled.set(
          slot,
          rest.map((t) => t - by),
        )
    },
  }
}
