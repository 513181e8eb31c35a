// A set of small integers as bits of 32-bit words: the awake routers, the free VCs. Members are visited in ascending
// order, so the order of a visit does not depend on the order of insertion. That makes it safe for deterministic runs
// on any number of workers. Hot loops do not call the methods; they copy the words and write the idiom out:
//
//   for (let w = 0; w < words.length; w++)
//     for (let m = words[w]!; m !== 0; m &= m - 1) visit((w << 5) + low(m))
//
// with `const low = lowest` in their factory, because an imported name costs a load each time and a constant of the
// closure does not (bench/micro/bitset.ts).

/** Number of the lowest bit that is set; m must not be 0. */
export function lowest(m: number): number {
  return 31 - Math.clz32(m & -m)
}

/** Number of the highest bit that is set, that is floor(log2 m) of 1 <= m < 2^32; -1 below. */
export function highest(m: number): number {
  return 31 - Math.clz32(m)
}

/** Bits that number n things, that is ceil(log2 n) of n <= 2^32: 2^bitsFor(n) is the power of two that holds n. */
export function bitsFor(n: number): number {
  return n <= 1 ? 0 : 32 - Math.clz32(Math.ceil(n) - 1)
}

/** How many bits are set. */
export function population(m: number): number {
  m -= (m >>> 1) & 0x55555555
  m = (m & 0x33333333) + ((m >>> 2) & 0x33333333)
  return Math.imul((m + (m >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** Number of the first bit set at or after `from`, going round the word; m must not be 0. The choice of a round-robin
 *  arbiter. */
export function lowestFrom(m: number, from: number): number {
  const after = m & (-1 << from)
  return lowest(after !== 0 ? after : m)
}

export class BitSet {
  readonly words: Int32Array
  /** Holds 0 .. size - 1; `words` may be a view on shared memory. */
  constructor(size: number, words: Int32Array = new Int32Array((size + 31) >>> 5)) {
    this.words = words
  }
  add(i: number): void {
    this.words[i >>> 5] |= 1 << (i & 31)
  }
  delete(i: number): void {
    this.words[i >>> 5] &= ~(1 << (i & 31))
  }
  has(i: number): boolean {
    return ((this.words[i >>> 5] >>> (i & 31)) & 1) !== 0
  }
  /** The first member at or after `from`, or -1. */
  next(from: number): number {
    const words = this.words
    let w = from >>> 5
    if (w >= words.length) return -1
    let m = words[w] & (-1 << (from & 31))
    while (m === 0) {
      if (++w === words.length) return -1
      m = words[w]
    }
    return (w << 5) + lowest(m)
  }
  count(): number {
    const words = this.words
    let n = 0
    for (let w = 0; w < words.length; w++) n += population(words[w])
    return n
  }
  clear(): void {
    this.words.fill(0)
  }
}
