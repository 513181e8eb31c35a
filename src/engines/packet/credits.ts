// Credits of the conservative modes, stored as timestamps instead of events. Each slot (a channel and a VC) stores the
// sorted times of credits that were sent and are not yet due. An event writes a credit before its due time, so a query
// at time t sees every credit up to t. The result equals that of a model with one event for each credit, at a fraction
// of the events.
//
// Only a slot with a waiting chunk gets an event (WAKE), at the time of its next credit. A slot that never fills up is
// never read. machine.ts creates the credits; switches and endpoints call them through the interface `Credits` of
// model/events.ts.
//
// Columns:
//   `words`  [slot]               Bits 0–9: chunks downstream (used credits). Bits 10–19: credits not yet due. Bits
//                                 20–29: head of the ring. Bit 30: a chunk waits. Bit 31: the times are in the ring.
//   `wakes`  [slot]               Time of the valid wake-up, NEVER if there is none.
//   `loads`  [channel * 2]        Used credits plus waiting chunks, and the time until which this sum is valid.
//   `near`   [slot << NEAR_BITS]  The due times, if there are at most four.
//   `rings`  [slot << bits]       Ring of due times, if there are more.

import { bitsFor } from "../../core/bitset.ts"
import { warmUpJit } from "../../core/jit-warmup.ts"
import type { Credits, Kernel, Reserve } from "../../model/events.ts"
import { NEVER, WAKE } from "../../model/events.ts"
import { numberOf, type PartState } from "./state.ts"

/** Maximum capacity of a slot in chunks, because three 10-bit counters share one word. */
export const MOST_CHUNKS = 1000
const FIELD = 1023
const DUE = 1 << 10
const HEAD = 20
const WAITS = 1 << 30
/** the due times are in the slot's ring because `near` was full */
const RINGED = 1 << 31

/** Number of due times stored near the slot; more are rarely due at once. */
const NEAR_BITS = 2
const NEAR = 1 << NEAR_BITS

/**
 * Words of a channel: used credits of all its slots plus the chunks that wait for them, as of the last query; the time
 * until which this sum is valid.
 */
const LOAD = 0
const HOLDS = 1
const LOAD_WORDS = 2

export interface RingLayout {
  readonly words: number
  /** [slot] -> time of its wake-up */
  readonly wakes: number
  /** [chan * LOAD_WORDS] */
  readonly loads: number
  readonly vcBits: number
  /** [slot << NEAR_BITS] */
  readonly near: number
  readonly rings: number
  /** log2 of the ring's length */
  readonly bits: number
}

/** `most`: capacity of a slot in chunks. The caller doubles it if endpoints query credits ahead of time. */
export function layRings(memory: Reserve, slots: number, vcBits: number, most: number): RingLayout {
  const bits = bitsFor(Math.max(2, most))
  const words = memory.reserve(slots)
  const wakes = memory.reserve(slots)
  const chans = ((slots - 1) >> vcBits) + 1
  const loads = memory.reserve(chans * LOAD_WORDS)
  const near = memory.reserve(slots << NEAR_BITS)
  const rings = memory.reserve(slots << bits)
  memory.times(wakes, slots, 1)
  memory.times(loads + HOLDS, chans, LOAD_WORDS)
  memory.times(near, slots << NEAR_BITS, 1)
  memory.times(rings, slots << bits, 1)
  return { words, wakes, loads, vcBits, near, rings, bits }
}

export interface WakingCredits extends Credits {
  /** Returns true if this wake-up is valid: a chunk waits and no earlier wake-up has replaced it. */
  woken(slot: number, t: number): boolean
  /** Return and restore the state outside memory. */
  save(): PartState
  restore(state: PartState): void
}

export interface RingCredits extends WakingCredits {
  /** Adds a credit from another worker. */
  add(slot: number, t: number): void
}

/** Limits of queries about slots of endpoints (those from `from` on): up to `by` ps before the present event. */
export interface LookBack {
  readonly from: number
  readonly by: number
}

/**
 * `capacity`: chunks that fit into each slot; `least`: the smallest capacity; `merged`: queries about a slot never go
 * back in time; `remote`: sends a credit to the worker that owns the slot, and returns false if this worker owns it.
 */
export function makeRings(
  kernel: Kernel,
  at: RingLayout,
  capacity: Uint16Array,
  least: number,
  merged: boolean,
  back: LookBack,
  remote?: (slot: number, t: number) => boolean,
): RingCredits {
  const { mem, alloc, push, since } = kernel
  const { from: FROM, by: BY } = back
  const { words, wakes, loads, vcBits, near, rings, bits } = at
  const mask = (1 << bits) - 1

  /** Channel sums are maintained from the first query on, because most routing functions never need them. */
  let summed = false

  /** Applies every credit that is due by t. Returns the used credits. */
  function used(slot: number, t: number): number {
    const w = mem[words + slot]
    if ((w & (FIELD << 10)) === 0) return w & FIELD
    if (w < 0) return usedRing(slot, w, t)
    const a = near + (slot << NEAR_BITS)
    if (mem[a] > t) return w & FIELD
    const due = (w >> 10) & FIELD
    let n = 1
    while (n < due && mem[a + n] <= t) n++
    for (let i = n; i < due; i++) mem[a + i - n] = mem[a + i]
    mem[words + slot] = w - n * (DUE + 1)
    if (summed) lighten(slot, n)
    return (w & FIELD) - n
  }

  /** The same for a slot whose times are in its ring. When the ring is empty, the slot returns to `near`. */
  function usedRing(slot: number, w: number, t: number): number {
    const due = (w >> 10) & FIELD
    const ring = rings + (slot << bits)
    let i = (w >> HEAD) & FIELD & mask
    let n = 0
    while (n < due && mem[ring + i] <= t) {
      i = (i + 1) & mask
      n++
    }
    if (n === 0) return w & FIELD
    const left = ((w & ~(FIELD << HEAD)) | (i << HEAD)) - n * (DUE + 1)
    mem[words + slot] = n === due ? left & ~(RINGED | (FIELD << HEAD)) : left
    if (summed) lighten(slot, n)
    return (w & FIELD) - n
  }

  /** Subtracts n from the channel's sum. */
  function lighten(slot: number, n: number): void {
    const l = loads + (slot >> vcBits) * LOAD_WORDS + LOAD
    mem[l] = mem[l] - n
  }

  /** Returns used credits plus waiting chunks of a channel. The sum is exact until the next credit is due. */
  function load(chan: number, t: number): number {
    if (!summed) sumAll()
    const l = loads + chan * LOAD_WORDS
    return t < mem[l + HOLDS] ? mem[l + LOAD] : loadNow(chan, l, t)
  }

  /** Adds the used credits of all slots to the sums, which already count the waiting chunks. */
  function sumAll(): void {
    summed = true
    for (let slot = 0; slot < capacity.length; slot++) lighten(slot, -(mem[words + slot] & FIELD))
  }

  /** Applies the credits of all slots of the channel. The sum is valid until the next one is due. */
  function loadNow(chan: number, l: number, t: number): number {
    let next = NEVER
    for (let slot = chan << vcBits; slot < (chan + 1) << vcBits; slot++) {
      used(slot, t)
      const w = mem[words + slot]
      if ((w & (FIELD << 10)) === 0) continue
      const first = dueAt(slot, w, 0)
      if (first < next) next = first
    }
    mem[l + HOLDS] = next
    return mem[l + LOAD]
  }

  // The stored count is an upper bound of the used credits, so a slot below the smallest capacity needs no further
  // work.
  function hasCredits(slot: number, t: number): boolean {
    return (mem[words + slot] & FIELD) < least || used(slot, t) < capacity[slot]
  }

  /** Returns true if credits are available at time t, where t may lie after `now`. Applies only credits up to `now`. */
  function hasCreditsBy(slot: number, t: number, now: number): boolean {
    if (hasCredits(slot, now)) return true
    const w = mem[words + slot]
    const due = (w >> 10) & FIELD
    let n = 0
    while (n < due && dueAt(slot, w, n) <= t) n++
    return (w & FIELD) - n < capacity[slot]
  }

  /** Returns the first time after `after` and up to `now` at which the slot had a credit, or NEVER. */
  function creditsSince(slot: number, after: number, now: number): number {
    const n = used(slot, after) - capacity[slot]
    const w = mem[words + slot]
    const t = n < ((w >> 10) & FIELD) ? dueAt(slot, w, n) : NEVER
    if (t <= now) return t
    used(slot, now)
    return NEVER
  }

  /** Returns the time of the n-th credit that is due. */
  function dueAt(slot: number, w: number, n: number): number {
    return w < 0
      ? mem[rings + (slot << bits) + ((((w >> HEAD) & FIELD) + n) & mask)]
      : mem[near + (slot << NEAR_BITS) + n]
  }

  /** Schedules the wake-up of a slot; it replaces a later one, which `woken` then ignores. */
  function wakeAt(slot: number, t: number): void {
    mem[wakes + slot] = t
    push(alloc(), t, WAKE | slot)
  }

  function give(slot: number, t: number): void {
    if (remote === undefined || !remote(slot, t)) add(slot, t)
  }

  // Insertion sort from the end: credits usually arrive in order.
  function add(slot: number, t: number): void {
    let w = mem[words + slot]
    let due = (w >> 10) & FIELD
    if (w >= 0 && due === NEAR) {
      w = compact(slot)
      due = (w >> 10) & FIELD
    }
    mem[words + slot] = w + DUE
    if (summed) {
      const holds = loads + (slot >> vcBits) * LOAD_WORDS + HOLDS
      if (t < mem[holds]) mem[holds] = t
    }
    if (w < 0) addRing(slot, w, t)
    else {
      const a = near + (slot << NEAR_BITS)
      while (due > 0 && mem[a + due - 1] > t) {
        mem[a + due] = mem[a + due - 1]
        due--
      }
      mem[a + due] = t
    }
    // A waiting chunk is woken by the earliest credit, so a new earlier one needs its own wake-up.
    if ((w & WAITS) !== 0 && t < mem[wakes + slot]) wakeAt(slot, t)
  }

  /**
   * Applies old credits to free `near` words: no query concerns a time before the open bucket, or `BY` ps earlier for
   * endpoints. This is rare and therefore a separate function, so that its first call does not deoptimise the callers.
   */
  function compact(slot: number): number {
    used(slot, slot < FROM ? since() : since() - BY)
    const w = mem[words + slot]
    return ((w >> 10) & FIELD) === NEAR ? spill(slot, w) : w
  }

  /** Moves the times from `near` to the ring. */
  function spill(slot: number, w: number): number {
    const ring = rings + (slot << bits)
    for (let i = 0; i < NEAR; i++) mem[ring + i] = mem[near + (slot << NEAR_BITS) + i]
    return w | RINGED
  }

  function addRing(slot: number, w: number, t: number): void {
    const ring = rings + (slot << bits)
    const head = (w >> HEAD) & FIELD
    let i = (w >> 10) & FIELD
    while (i > 0) {
      const before = mem[ring + ((head + i - 1) & mask)]
      if (before <= t) break
      mem[ring + ((head + i) & mask)] = before
      i--
    }
    mem[ring + ((head + i) & mask)] = t
  }

  /**
   * JIT warm-up: a full slot, credits out of order, fewer and more than fit into `near`, some of them due, with and
   * without sums.
   */
  function goAllWays(): void {
    for (let many = NEAR; many <= NEAR + 2; many += 2) {
      for (let i = 0; i < many; i++) {
        mem[words]++
        add(0, 1 + ((i * 5) % 7))
      }
      for (let t = 0; t < 10; t += 3) {
        used(0, t)
        if (summed) load(0, t)
      }
    }
    mem[words] = least
    hasCredits(0, 0)
    hasCreditsBy(0, 0, 0)
    mem[words] = 0
    mem.fill(0, near, near + NEAR)
    mem.fill(0, rings, rings + mask + 1)
    mem.fill(0, loads, loads + LOAD_WORDS)
    summed = !summed
  }
  warmUpJit(goAllWays)
  summed = false

  return {
    hasCredits,
    hasCreditsBy: merged ? hasCredits : hasCreditsBy,
    creditsSince,
    used,
    load,
    give,
    add,
    take(slot) {
      mem[words + slot]++
      if (summed) lighten(slot, -1)
    },
    queue(slot, by) {
      lighten(slot, -by)
    },
    wait(slot) {
      const w = mem[words + slot] | WAITS
      mem[words + slot] = w
      if (((w >> 10) & FIELD) === 0) mem[wakes + slot] = NEVER
      else wakeAt(slot, dueAt(slot, w, 0))
    },
    rest(slot) {
      mem[words + slot] = mem[words + slot] & ~WAITS
    },
    waiting: (slot) => (mem[words + slot] & WAITS) !== 0,
    woken: (slot, t) => (mem[words + slot] & WAITS) !== 0 && mem[wakes + slot] === t,
    save: () => ({ numbers: { summed: summed ? 1 : 0 }, columns: {} }),
    restore(state) {
      summed = numberOf(state, "summed") === 1
    },
  }
}
