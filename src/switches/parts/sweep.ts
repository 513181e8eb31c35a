// Dirty words: who must look again is a bit, and a sweep visits the bits of a range of words in rising order, clearing each word first, so that what a
// visit marks anew is met in the next sweep. A wheel is such a set for each step to come: whatever ends in a step is a bit of that step's words.
// Nobody is visited who has no bit: idle and blocked ports cost the load of a word that 31 others share.
import { lowest } from "../../core/bitset.ts"
import { i32 } from "../../fabric/columns.ts"

/** Visits and clears the members of words [from, to) of a set; member numbers count from the first word of `words`. */
export function sweep(
  words: Int32Array,
  from: number,
  to: number,
  visit: (i: number, s: number, t: number) => void,
  s: number,
  t: number,
): void {
  const low = lowest
  for (let w = from; w < to; w++) {
    let m = words[w]!
    if (m === 0) continue
    words[w] = 0
    while (m !== 0) {
      const i = (w << 5) + low(m)
      m &= m - 1
      visit(i, s, t)
    }
  }
}

/** The same for slot `first` of a wheel, whose words are those of members [base, …): `first` is the slot's first word, `base` a multiple of 32. */
export function sweepSlot(
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
    let m = wheel[first + w]!
    if (m === 0) continue
    wheel[first + w] = 0
    while (m !== 0) {
      const i = base + (w << 5) + low(m)
      m &= m - 1
      visit(i, s, t)
    }
  }
}

// In a large network every visit waits for memory, and one at a time: a stage that has a way to touch what it will need (`touch`) is told all of its visits
// first, so that memory answers many of them together. What is touched has no other effect. In small networks all is near, and nobody is told.

/** Takes the members of words [from, to) out of a set into `list`, behind the n that it has; answers how many it has then. The first of them is `base`. */
export function gather(words: Int32Array, from: number, to: number, base: number, list: Int32Array, n: number): number {
  const low = lowest
  for (let w = from; w < to; w++) {
    let m = words[w]!
    if (m === 0) continue
    words[w] = 0
    for (; m !== 0; m &= m - 1) list[n++] = base + ((w - from) << 5) + low(m)
  }
  return n
}

/** Ports of a partition from which on its state is much larger than a second-level cache: records of a kilobyte each, with queues and packets. */
export const FAR_PORTS = 2048

/** Memory of a wheel: for each partition `mask` + 1 slots of `words` words. Slot of step s of partition p: (p * (mask + 1) + (s & mask)) * words. */
export function wheelWords(parts: number, mask: number, words: number): Int32Array {
  return i32(parts * (mask + 1) * words)
}

/** The least mask of a wheel that reaches `steps` ahead. */
export function wheelMask(steps: number): number {
  let mask = 1
  while (mask < steps) mask = 2 * mask + 1
  return mask
}

// Large sets with few members at a time have marks: a bit for each word of the set that may have a member, so that a sweep looks at no other word.
// A partition begins at a multiple of 1,024 members.

export function mark(words: Int32Array, marks: Int32Array, i: number): void {
  words[i >> 5]! |= 1 << i
  marks[i >> 10]! |= 1 << (i >> 5)
}

/** Visits and clears the members of mark words [from, to); what a visit marks anew in a word that was visited is met in the next sweep. */
export function sweepMarked(
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
    let marked = marks[k]!
    if (marked === 0) continue
    marks[k] = 0
    for (; marked !== 0; marked &= marked - 1) {
      const w = (k << 5) + low(marked)
      let m = words[w]!
      words[w] = 0
      for (; m !== 0; m &= m - 1) visit((w << 5) + low(m), s, t)
    }
  }
}

/** The same for slot `slot` of a wheel with marks (`wheelWords` each): members are base + 0, 1, … */
export function sweepMarkedSlot(
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
    let marked = marks[slot * each + k]!
    if (marked === 0) continue
    marks[slot * each + k] = 0
    for (; marked !== 0; marked &= marked - 1) {
      const w = (k << 5) + low(marked)
      let m = wheel[slot * words + w]!
      wheel[slot * words + w] = 0
      for (; m !== 0; m &= m - 1) visit(base + (w << 5) + low(m), s, t)
    }
  }
}
