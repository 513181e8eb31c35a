// Matching of the inputs and outputs of crossbars, up to 64 ports as two words of bits: separable input-first and output-first (D. U. Becker and
// W. J. Dally, "Allocator implementations for network-on-chip routers", 2009) and iSLIP (N. McKeown, "The iSLIP scheduling algorithm for input-queued
// switches", 1999). One side chooses first among what it is asked, the other side among those that chose it; both round robin, from a pointer.
// Strict priority in both arbiters: the most urgent level that asks an arbiter is the one it chooses from (iSLIP knows one level).
// Pointers move one past the partner, for final matches alone (iSLIP: of the first iteration alone).
// One factory for all crossbars of a network; its uses are their numbers. Work follows the bits that are set, never the number of ports.
// Columns:
//   inNext   [use * inputs + i]   the output from which input i looks first
//   outNext  [use * outputs + o]  the input from which output o looks first
import { lowest } from "../../core/bitset.ts"
import { scratch, u8 } from "../../fabric/columns.ts"

export const matchings = ["input-first", "output-first", "islip"] as const
export type MatchingName = (typeof matchings)[number]

export interface MatchingSpec {
  readonly name: MatchingName
  readonly iterations: number
  readonly uses: number
  /** at most 64 each */
  readonly inputs: number
  readonly outputs: number
  /** levels of priority, 0 is the most urgent */
  readonly levels: number
}

export interface Matching {
  readonly columns: { readonly inNext: Uint8Array; readonly outNext: Uint8Array }
  /** input i, which is free, asks on a level for these free outputs: bits 0 to 31 and 32 to 63. All asks of one match come before it */
  ask(level: number, i: number, low: number, high: number): void
  /** matches what was asked since the last match; answers how many pairs there are in `pairs` */
  match(use: number): number
  /** [k] -> level << 16 | input << 8 | output */
  readonly pairs: Int32Array
}

export function makeMatching({ name, iterations: ITERATIONS, uses, inputs: I, outputs: O, levels: LEVELS }: MatchingSpec): Matching {
  const lowBit = lowest
  const inNext = u8(uses * I)
  const outNext = u8(uses * O)
  // the side that chooses first
  const INPUTS_FIRST = name === "input-first"
  const SLIP = name === "islip"
  const NARROW = I <= 32 && O <= 32
  const PLAIN = NARROW && ITERATIONS === 1 && LEVELS === 1
  const firstNext = INPUTS_FIRST ? inNext : outNext
  const thenNext = INPUTS_FIRST ? outNext : inNext
  const FIRST = INPUTS_FIRST ? I : O
  const THEN = INPUTS_FIRST ? O : I
  // what the first side is asked, and by whom the other side was chosen: [(level * 64 + port) * 2 + word]
  const asks = scratch(128 * LEVELS)
  const chosen = scratch(128 * LEVELS)
  const pairs = scratch(64)
  // ports of the first side that are asked something
  let askedLow = 0
  let askedHigh = 0

  function ask(level: number, i: number, low: number, high: number): void {
    const base = level << 7
    if (INPUTS_FIRST) {
      asks[base + 2 * i]! |= low
      if (!NARROW) asks[base + 2 * i + 1]! |= high
      if (NARROW || i < 32) askedLow |= 1 << i
      else askedHigh |= 1 << i
      return
    }
    askedLow |= low
    if (!NARROW) askedHigh |= high
    const word = base + (i >> 5)
    for (let m = low; m !== 0; m &= m - 1) asks[word + 2 * lowBit(m)]! |= 1 << i
    if (!NARROW) for (let m = high; m !== 0; m &= m - 1) asks[word + 2 * (32 + lowBit(m))]! |= 1 << i
  }

  /** The first member at or after `from`, going round; there is one. */
  function round(low: number, high: number, from: number): number {
    if (NARROW) {
      const m = low & (-1 << from)
      return lowBit(m !== 0 ? m : low)
    }
    if (from < 32) {
      const m = low & (-1 << from)
      if (m !== 0) return lowBit(m)
      return high !== 0 ? 32 + lowBit(high) : lowBit(low)
    }
    const m = high & (-1 << from)
    if (m !== 0) return 32 + lowBit(m)
    return low !== 0 ? lowBit(low) : 32 + lowBit(high)
  }

  function match(use: number): number {
    if (INPUTS_FIRST && NARROW && askedLow !== 0 && (askedLow & (askedLow - 1)) === 0) return alone(use)
    return PLAIN ? once(use) : all(use)
  }

  /** One iteration, one level, one word: what is left of `all`. */
  function once(use: number): number {
    let n = 0
    let met = 0
    const first0 = use * FIRST
    const then0 = use * THEN
    for (let m = askedLow; m !== 0; m &= m - 1) {
      const a = lowBit(m)
      const b = round(asks[2 * a]!, 0, firstNext[first0 + a]!)
      asks[2 * a] = 0
      chosen[2 * b]! |= m & -m
      met |= 1 << b
    }
    askedLow = 0
    for (; met !== 0; met &= met - 1) {
      const b = lowBit(met)
      const a = round(chosen[2 * b]!, 0, thenNext[then0 + b]!)
      chosen[2 * b] = 0
      firstNext[first0 + a] = b + 1 === THEN ? 0 : b + 1
      thenNext[then0 + b] = a + 1 === FIRST ? 0 : a + 1
      pairs[n++] = INPUTS_FIRST ? (a << 8) | b : (b << 8) | a
    }
    return n
  }

  /** One input asks, which is what a crossbar meets most often: it gets the output that it chooses. */
  function alone(use: number): number {
    const a = lowBit(askedLow)
    askedLow = 0
    let n = 0
    for (let level = 0; level < LEVELS; level++) {
      const at = (level << 7) + 2 * a
      const l = asks[at]!
      asks[at] = 0
      if (l === 0 || n > 0) continue
      const b = round(l, 0, inNext[use * I + a]!)
      inNext[use * I + a] = b + 1 === O ? 0 : b + 1
      outNext[use * O + b] = a + 1 === I ? 0 : a + 1
      pairs[n++] = (level << 16) | (a << 8) | b
    }
    return n
  }

  function all(use: number): number {
    let n = 0
    let freeLow = -1
    let freeHigh = -1
    let low = askedLow
    let high = askedHigh
    const first0 = use * FIRST
    const then0 = use * THEN
    for (let iteration = 0; iteration < ITERATIONS && (low | high) !== 0; iteration++) {
      // the first side chooses, from the most urgent level on which a free partner asks it
      let metLow = 0
      let metHigh = 0
      for (let word = 0; word < (NARROW ? 1 : 2); word++) {
        for (let m = word === 0 ? low : high; m !== 0; m &= m - 1) {
          const bit = m & -m
          const a = (word << 5) + lowBit(m)
          let level = 0
          for (; level < LEVELS; level++) {
            const at = (level << 7) + 2 * a
            const l = asks[at]! & freeLow
            const h = NARROW ? 0 : asks[at + 1]! & freeHigh
            if ((l | h) === 0) continue
            const b = round(l, h, firstNext[first0 + a]!)
            chosen[(level << 7) + 2 * b + word]! |= bit
            if (NARROW || b < 32) metLow |= 1 << b
            else metHigh |= 1 << b
            break
          }
          // nobody who is free asks it any more
          if (level < LEVELS) continue
          if (word === 0) low &= ~bit
          else high &= ~bit
        }
      }
      for (let word = 0; word < (NARROW ? 1 : 2); word++) {
        for (let m = word === 0 ? metLow : metHigh; m !== 0; m &= m - 1) {
          const b = (word << 5) + lowBit(m)
          let a = -1
          for (let level = 0; level < LEVELS; level++) {
            const at = (level << 7) + 2 * b
            const l = chosen[at]!
            const h = NARROW ? 0 : chosen[at + 1]!
            if ((l | h) === 0) continue
            chosen[at] = 0
            if (!NARROW) chosen[at + 1] = 0
            if (a >= 0) continue
            a = round(l, h, thenNext[then0 + b]!)
            pairs[n++] = (level << 16) | (INPUTS_FIRST ? (a << 8) | b : (b << 8) | a)
          }
          if (!SLIP || iteration === 0) {
            firstNext[first0 + a] = b + 1 === THEN ? 0 : b + 1
            thenNext[then0 + b] = a + 1 === FIRST ? 0 : a + 1
          }
          if (NARROW || a < 32) low &= ~(1 << a)
          else high &= ~(1 << a)
          if (NARROW || b < 32) freeLow &= ~(1 << b)
          else freeHigh &= ~(1 << b)
        }
      }
    }
    forget()
    return n
  }

  function forget(): void {
    for (let level = 0; level < LEVELS; level++) {
      const base = level << 7
      for (let m = askedLow; m !== 0; m &= m - 1) {
        asks[base + 2 * lowBit(m)] = 0
        if (!NARROW) asks[base + 2 * lowBit(m) + 1] = 0
      }
      if (NARROW) continue
      for (let m = askedHigh; m !== 0; m &= m - 1) {
        asks[base + 64 + 2 * lowBit(m)] = 0
        asks[base + 65 + 2 * lowBit(m)] = 0
      }
    }
    askedLow = 0
    askedHigh = 0
  }

  return { columns: { inNext, outNext }, ask, match, pairs }
}
