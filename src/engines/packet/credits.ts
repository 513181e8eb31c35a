// Credits as timestamps. Each slot (channel and VC) keeps the times of credits that were sent and are not yet due, sorted: in a few words, where
// they nearly always fit, or in a ring. A credit is written by an event that lies before it, so whoever asks at
// time t sees every credit up to t: the same answer as with one event for each credit. Only a slot where somebody waits gets an event, at its
// next credit. A slot that never fills is never read at all.
import { seenBeforehand } from "../../core/beforehand.ts"
import { bitsFor } from "../../core/bitset.ts"
import type { Credits, Kernel, Reserve } from "../../model/events.ts"
import { NEVER, WAKE } from "../../model/events.ts"
import { numberOf, type PartState } from "./state.ts"

/** More chunks than this fit in no slot: three counters of ten bits share one word. */
export const MOST_CHUNKS = 1000
const FIELD = 1023
const DUE = 1 << 10
const HEAD = 20
const WAITS = 1 << 30
/** the times lie in the slot's ring: more are due than lie near */
const RINGED = 1 << 31

/** Times that lie near: more are seldom due. */
const NEAR_BITS = 2
const NEAR = 1 << NEAR_BITS

/** Words of a channel: chunks out on all its slots and chunks that wait for them, as of the last look; until when that holds. */
const LOAD = 0
const HOLDS = 1
const LOAD_WORDS = 2

export interface RingLayout {
  readonly words: number
  /** [slot] -> when its waking is due */
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

/** `most`: chunks that fit into a slot; twice as many credits may be listed where room is asked for ahead of time. */
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
  /** Is this wake-up the one that is waited for? */
  woken(slot: number, t: number): boolean
  /** What is known besides memory; the same put back. */
  save(): PartState
  restore(state: PartState): void
}

export interface RingCredits extends WakingCredits {
  /** A credit from another worker. */
  add(slot: number, t: number): void
}

/** What is asked about slots of endpoints: those from `from` on, about times up to `by` ps before the event that asks. */
export interface LookBack {
  readonly from: number
  readonly by: number
}

/** `capacity`: chunks that fit into each slot, `least` the smallest of them; `merged`: nobody asks about a time before one that was asked by; `remote` sends a credit to the worker that owns the slot, false if this one does. */
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

  /** Sums of channels are kept from the first question about one on: most routings ask none. */
  let summed = false

  /** Takes in every credit up to t; answers the chunks that are still out. */
  function used(slot: number, t: number): number {
    const w = mem[words + slot]!
    if ((w & (FIELD << 10)) === 0) return w & FIELD
    if (w < 0) return usedRing(slot, w, t)
    const a = near + (slot << NEAR_BITS)
    if (mem[a]! > t) return w & FIELD
    const due = (w >> 10) & FIELD
    let n = 1
    while (n < due && mem[a + n]! <= t) n++
    for (let i = n; i < due; i++) mem[a + i - n] = mem[a + i]!
    mem[words + slot] = w - n * (DUE + 1)
    if (summed) lighten(slot, n)
    return (w & FIELD) - n
  }

  function usedRing(slot: number, w: number, t: number): number {
    const due = (w >> 10) & FIELD
    const ring = rings + (slot << bits)
    let i = (w >> HEAD) & FIELD & mask
    let n = 0
    while (n < due && mem[ring + i]! <= t) {
      i = (i + 1) & mask
      n++
    }
    if (n === 0) return w & FIELD
    const left = ((w & ~(FIELD << HEAD)) | (i << HEAD)) - n * (DUE + 1)
    mem[words + slot] = n === due ? left & ~(RINGED | (FIELD << HEAD)) : left
    if (summed) lighten(slot, n)
    return (w & FIELD) - n
  }

  function lighten(slot: number, n: number): void {
    const l = loads + (slot >> vcBits) * LOAD_WORDS + LOAD
    mem[l] = mem[l]! - n
  }

  function load(chan: number, t: number): number {
    if (!summed) sumAll()
    const l = loads + chan * LOAD_WORDS
    return t < mem[l + HOLDS]! ? mem[l + LOAD]! : loadNow(chan, l, t)
  }

  /** What is out on all slots, on top of the chunks that wait for them, which are always counted. */
  function sumAll(): void {
    summed = true
    for (let slot = 0; slot < capacity.length; slot++) lighten(slot, -(mem[words + slot]! & FIELD))
  }

  /** Takes in the credits of all its slots; the sum holds until the next is due. */
  function loadNow(chan: number, l: number, t: number): number {
    let next = NEVER
    for (let slot = chan << vcBits; slot < (chan + 1) << vcBits; slot++) {
      used(slot, t)
      const w = mem[words + slot]!
      if ((w & (FIELD << 10)) === 0) continue
      const first = dueAt(slot, w, 0)
      if (first < next) next = first
    }
    mem[l + HOLDS] = next
    return mem[l + LOAD]!
  }

  function room(slot: number, t: number): boolean {
    return (mem[words + slot]! & FIELD) < least || used(slot, t) < capacity[slot]!
  }

  function roomBy(slot: number, t: number, now: number): boolean {
    if (room(slot, now)) return true
    const w = mem[words + slot]!
    const due = (w >> 10) & FIELD
    let n = 0
    while (n < due && dueAt(slot, w, n) <= t) n++
    return (w & FIELD) - n < capacity[slot]!
  }

  function roomSince(slot: number, after: number, now: number): number {
    const n = used(slot, after) - capacity[slot]!
    const w = mem[words + slot]!
    const t = n < ((w >> 10) & FIELD) ? dueAt(slot, w, n) : NEVER
    if (t <= now) return t
    used(slot, now)
    return NEVER
  }

  /** Time of the n-th credit that is due. */
  function dueAt(slot: number, w: number, n: number): number {
    return w < 0 ? mem[rings + (slot << bits) + ((((w >> HEAD) & FIELD) + n) & mask)]! : mem[near + (slot << NEAR_BITS) + n]!
  }

  function wakeAt(slot: number, t: number): void {
    mem[wakes + slot] = t
    push(alloc(), t, WAKE | slot)
  }

  function give(slot: number, t: number): void {
    if (remote === undefined || !remote(slot, t)) add(slot, t)
  }

  function add(slot: number, t: number): void {
    let w = mem[words + slot]!
    let due = (w >> 10) & FIELD
    if (w >= 0 && due === NEAR) {
      w = makeRoom(slot)
      due = (w >> 10) & FIELD
    }
    mem[words + slot] = w + DUE
    if (summed) {
      const holds = loads + (slot >> vcBits) * LOAD_WORDS + HOLDS
      if (t < mem[holds]!) mem[holds] = t
    }
    if (w < 0) addRing(slot, w, t)
    else {
      const a = near + (slot << NEAR_BITS)
      while (due > 0 && mem[a + due - 1]! > t) {
        mem[a + due] = mem[a + due - 1]!
        due--
      }
      mem[a + due] = t
    }
    if ((w & WAITS) !== 0 && t < mem[wakes + slot]!) wakeAt(slot, t)
  }

  /** Nobody will ask about a time before the open bucket, endpoints little before it: what is due by then makes room. Rare, so a function of its own:
   *  its first calls must not throw away the machine code of the others. */
  function makeRoom(slot: number): number {
    used(slot, slot < FROM ? since() : since() - BY)
    const w = mem[words + slot]!
    return ((w >> 10) & FIELD) === NEAR ? spill(slot, w) : w
  }

  /** What lies near, into the ring. */
  function spill(slot: number, w: number): number {
    const ring = rings + (slot << bits)
    for (let i = 0; i < NEAR; i++) mem[ring + i] = mem[near + (slot << NEAR_BITS) + i]!
    return w | RINGED
  }

  function addRing(slot: number, w: number, t: number): void {
    const ring = rings + (slot << bits)
    const head = (w >> HEAD) & FIELD
    let i = (w >> 10) & FIELD
    while (i > 0) {
      const before = mem[ring + ((head + i - 1) & mask)]!
      if (before <= t) break
      mem[ring + ((head + i) & mask)] = before
      i--
    }
    mem[ring + ((head + i) & mask)] = t
  }

  /** A slot that is full; credits out of order, more than lie near and fewer; some of them due, with and without sums. */
  function goAllWays(): void {
    for (let many = NEAR; many <= NEAR + 2; many += 2) {
      for (let i = 0; i < many; i++) {
        mem[words]!++
        add(0, 1 + ((i * 5) % 7))
      }
      for (let t = 0; t < 10; t += 3) {
        used(0, t)
        if (summed) load(0, t)
      }
    }
    mem[words] = least
    room(0, 0)
    roomBy(0, 0, 0)
    mem[words] = 0
    mem.fill(0, near, near + NEAR)
    mem.fill(0, rings, rings + mask + 1)
    mem.fill(0, loads, loads + LOAD_WORDS)
    summed = !summed
  }
  seenBeforehand(goAllWays)
  summed = false

  return {
    room,
    roomBy: merged ? room : roomBy,
    roomSince,
    used,
    load,
    give,
    add,
    take(slot) {
      mem[words + slot]!++
      if (summed) lighten(slot, -1)
    },
    queue(slot, by) {
      lighten(slot, -by)
    },
    wait(slot) {
      const w = mem[words + slot]! | WAITS
      mem[words + slot] = w
      if (((w >> 10) & FIELD) === 0) mem[wakes + slot] = NEVER
      else wakeAt(slot, dueAt(slot, w, 0))
    },
    rest(slot) {
      mem[words + slot] = mem[words + slot]! & ~WAITS
    },
    waiting: (slot) => (mem[words + slot]! & WAITS) !== 0,
    woken: (slot, t) => (mem[words + slot]! & WAITS) !== 0 && mem[wakes + slot] === t,
    save: () => ({ numbers: { summed: summed ? 1 : 0 }, columns: {} }),
    restore(state) {
      summed = numberOf(state, "summed") === 1
    },
  }
}
