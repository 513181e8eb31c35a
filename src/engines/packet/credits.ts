// Credits as timestamps. Each slot (channel and VC) keeps the times of credits that were sent and are not yet due, sorted, in a ring. A
// credit is written by an event that lies before it, so whoever asks at time t sees every credit up to t: the same answer as with one event
// for each credit. Only a slot where somebody waits gets an event, at its next credit. A slot that never fills is never read at all.
import type { Credits, Kernel, Reserve } from "../../model/events.ts"
import { WAKE } from "../../model/events.ts"
import { NEVER } from "./memory.ts"

/** More chunks than this fit in no slot: three counters of ten bits share one word. */
export const MOST_CHUNKS = 1000
const FIELD = 1023
const DUE = 1 << 10
const HEAD = 20
const WAITS = 1 << 30

export interface RingLayout {
  readonly words: number
  readonly wakes: number
  readonly rings: number
  /** log2 of the ring's length */
  readonly bits: number
}

/** `most`: chunks that fit into a slot; twice as many credits may be listed where room is asked for ahead of time. */
export function layRings(memory: Reserve, slots: number, most: number): RingLayout {
  const bits = Math.ceil(Math.log2(Math.max(2, most)))
  const words = memory.reserve(slots)
  const wakes = memory.reserve(slots)
  const rings = memory.reserve(slots << bits)
  memory.times(wakes, slots, 1)
  memory.times(rings, slots << bits, 1)
  return { words, wakes, rings, bits }
}

export interface WakingCredits extends Credits {
  /** Is this wake-up the one that is waited for? */
  woken(slot: number, t: number): boolean
}

export interface RingCredits extends WakingCredits {
  /** A credit from another worker. */
  add(slot: number, t: number): void
}

/** `capacity`: chunks that fit into each slot, `least` the smallest of them; `merged`: nobody asks about a time before one that was asked by; `remote` sends a credit to the worker that owns the slot, false if this one does. */
export function makeRings(
  kernel: Kernel,
  at: RingLayout,
  capacity: Uint16Array,
  least: number,
  merged: boolean,
  remote?: (slot: number, t: number) => boolean,
): RingCredits {
  const { mem, alloc, push } = kernel
  const { words, wakes, rings, bits } = at
  const mask = (1 << bits) - 1

  /** Takes in every credit up to t; answers the chunks that are still out. */
  function used(slot: number, t: number): number {
    const w = mem[words + slot]!
    const due = (w >> 10) & FIELD
    if (due === 0) return w & FIELD
    const ring = rings + (slot << bits)
    let i = (w >> HEAD) & FIELD
    let n = 0
    while (n < due && mem[ring + i]! <= t) {
      i = (i + 1) & mask
      n++
    }
    if (n === 0) return w & FIELD
    mem[words + slot] = ((w & ~(FIELD << HEAD)) | (i << HEAD)) - n * (DUE + 1)
    return (w & FIELD) - n
  }

  function load(first: number, count: number, t: number, waiters: number): number {
    let sum = 0
    for (let slot = first; slot < first + count; slot++) {
      const w = mem[words + slot]!
      // an empty slot has no credits on their way and nobody who waits
      if ((w & FIELD) === 0) continue
      sum += ((w >> 10) & FIELD) === 0 ? w & FIELD : used(slot, t)
      if ((w & WAITS) !== 0) sum += mem[waiters + slot]!
    }
    return sum
  }

  function room(slot: number, t: number): boolean {
    return (mem[words + slot]! & FIELD) < least || used(slot, t) < capacity[slot]!
  }

  function roomBy(slot: number, t: number, now: number): boolean {
    if ((mem[words + slot]! & FIELD) < least || used(slot, now) < capacity[slot]!) return true
    const w = mem[words + slot]!
    const due = (w >> 10) & FIELD
    const ring = rings + (slot << bits)
    const head = (w >> HEAD) & FIELD
    let n = 0
    while (n < due && mem[ring + ((head + n) & mask)]! <= t) n++
    return (w & FIELD) - n < capacity[slot]!
  }

  function wakeAt(slot: number, t: number): void {
    mem[wakes + slot] = t
    push(alloc(), t, WAKE | slot)
  }

  function give(slot: number, t: number): void {
    if (remote === undefined || !remote(slot, t)) add(slot, t)
  }

  function add(slot: number, t: number): void {
    const w = mem[words + slot]!
    const ring = rings + (slot << bits)
    const head = (w >> HEAD) & FIELD
    let i = (w >> 10) & FIELD
    mem[words + slot] = w + DUE
    while (i > 0) {
      const before = mem[ring + ((head + i - 1) & mask)]!
      if (before <= t) break
      mem[ring + ((head + i) & mask)] = before
      i--
    }
    mem[ring + ((head + i) & mask)] = t
    if ((w & WAITS) !== 0 && t < mem[wakes + slot]!) wakeAt(slot, t)
  }

  return {
    room,
    roomBy: merged ? room : roomBy,
    used,
    load,
    give,
    add,
    take(slot) {
      mem[words + slot]!++
    },
    wait(slot) {
      const w = mem[words + slot]! | WAITS
      mem[words + slot] = w
      if (((w >> 10) & FIELD) === 0) mem[wakes + slot] = NEVER
      else wakeAt(slot, mem[rings + (slot << bits) + ((w >> HEAD) & FIELD)]!)
    },
    rest(slot) {
      mem[words + slot] = mem[words + slot]! & ~WAITS
    },
    waiting: (slot) => (mem[words + slot]! & WAITS) !== 0,
    woken: (slot, t) => (mem[words + slot]! & WAITS) !== 0 && mem[wakes + slot] === t,
  }
}
