// Ready sets: bit sets of the ports and routers that must be visited in a step. A stage visits the members in rising
// order and clears each word before it visits its members, so that a bit which a visit sets again is seen in the next
// step. A timing wheel is one such set for each future step. An idle or blocked port costs nothing: 32 of them share
// one word, and a zero word is skipped.
import { lowest } from "../../core/bitset.ts"
import { i32 } from "../../fabric/columns.ts"

/** Visits and clears the members of words [from, to) of a set. Members are numbered from the start of `words`. */
export function visitReady(
  words: Int32Array,
  from: number,
  to: number,
  visit: (i: number, s: number, t: number) => void,
  s: number,
  t: number,
): void {
  const low = lowest
  for (let w = from; w < to; w++) {
    let m = words[w]
    if (m === 0) continue
    words[w] = 0
    while (m !== 0) {
      const i = (w << 5) + low(m)
      m &= m - 1
      visit(i, s, t)
    }
  }
}

/**
 * Visits and clears one slot of a timing wheel. `first` is the first word of the slot and `base`, a multiple of 32, its
 * first member.
 */
export function visitReadySlot(
  wheel: Int32Array,
  first: number,
  words: number,
  base: number,
  visit: (i: number, s: number, t: number) => void,
  s: number,
  t: number,
): void {
  const low = lowest
  for (let w = 0; w < words; w++) {
    let m = wheel[first + w]
    if (m === 0) continue
    wheel[first + w] = 0
    while (m !== 0) {
      const i = base + (w << 5) + low(m)
      m &= m - 1
      visit(i, s, t)
    }
  }
}

// In a large network, each visit waits for memory, one visit at a time. A stage with a prefetch function (`touch`)
// therefore collects all visits first and passes the list to it, so that the processor overlaps the cache misses.
// Prefetch has no other effect. Small networks fit into the cache and skip it.

/**
 * Moves the members of words [from, to) of a set to `list`, after its first n entries. `base` is the first member.
 * Returns the new number of entries.
 */
export function gather(words: Int32Array, from: number, to: number, base: number, list: Int32Array, n: number): number {
  const low = lowest
  for (let w = from; w < to; w++) {
    let m = words[w]
    if (m === 0) continue
    words[w] = 0
    for (; m !== 0; m &= m - 1) list[n++] = base + ((w - from) << 5) + low(m)
  }
  return n
}

/**
 * Number of ports of a partition above which its state is much larger than a second-level cache. A port has about one
 * kilobyte of state with queues and packets.
 */
export const FAR_PORTS = 2048

/**
 * Allocates a timing wheel: `mask` + 1 slots of `words` words for each partition. The slot of step s in partition p
 * starts at word (p * (mask + 1) + (s & mask)) * words.
 */
export function wheelWords(parts: number, mask: number, words: number): Int32Array {
  return i32(parts * (mask + 1) * words)
}

/** Returns the smallest mask of a wheel that reaches `steps` steps ahead. */
export function wheelMask(steps: number): number {
  let mask = 1
  while (mask < steps) mask = 2 * mask + 1
  return mask
}

// Large sets with few members have a second level: one mark bit for each word that may have members, so that a visit
// reads no other word. A partition starts at a multiple of 1,024 members.

/** Adds member i to a set with marks. */
export function mark(words: Int32Array, marks: Int32Array, i: number): void {
  words[i >> 5] |= 1 << i
  marks[i >> 10] |= 1 << (i >> 5)
}

/**
 * Visits and clears the members below mark words [from, to). A bit that a visit sets in a word already visited is seen
 * in the next step.
 */
export function visitMarked(
  words: Int32Array,
  marks: Int32Array,
  from: number,
  to: number,
  visit: (i: number, s: number, t: number) => void,
  s: number,
  t: number,
): void {
  const low = lowest
  for (let k = from; k < to; k++) {
    let marked = marks[k]
    if (marked === 0) continue
    marks[k] = 0
    for (; marked !== 0; marked &= marked - 1) {
      const w = (k << 5) + low(marked)
      let m = words[w]
      words[w] = 0
      for (; m !== 0; m &= m - 1) visit((w << 5) + low(m), s, t)
    }
  }
}

/** Visits and clears slot `slot` of a wheel with marks. Its members are base + 0, 1, … */
export function visitMarkedSlot(
  wheel: Int32Array,
  marks: Int32Array,
  slot: number,
  words: number,
  base: number,
  visit: (i: number, s: number, t: number) => void,
  s: number,
  t: number,
): void {
  const low = lowest
  const each = (words + 31) >> 5
  for (let k = 0; k < each; k++) {
    let marked = marks[slot * each + k]
    if (marked === 0) continue
    marks[slot * each + k] = 0
    for (; marked !== 0; marked &= marked - 1) {
      const w = (k << 5) + low(marked)
      let m = wheel[slot * words + w]
      wheel[slot * words + w] = 0
      for (; m !== 0; m &= m - 1) visit(base + (w << 5) + low(m), s, t)
    }
  }
}
