// Separable matching of the inputs and outputs of crossbars with up to 64 ports, as operations on two 32-bit words. It
// implements input-first and output-first allocation (D. U. Becker and W. J. Dally, "Allocator implementations for
// network-on-chip routers", 2009) and iSLIP (N. McKeown, "The iSLIP scheduling algorithm for input-queued switches",
// 1999).
//
// The first side chooses one of its requests, then the second side chooses one of the ports that chose it. Both choose
// round-robin from a pointer, within the highest priority level that has requests (iSLIP has one level). After a match,
// both pointers advance past the partner. In iSLIP only the first iteration moves pointers.
//
// One instance serves all crossbars of a network; `use` is the number of the crossbar. The run time depends on the
// number of set bits, not on the number of ports. Columns:
//   `inNext`   [use * inputs + i]   round-robin pointer of input i over the outputs;
//   `outNext`  [use * outputs + o]  round-robin pointer of output o over the inputs.
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
  /** number of priority levels; 0 is the highest */
  readonly levels: number
}

export interface Matching {
  readonly columns: { readonly inNext: Uint8Array; readonly outNext: Uint8Array }
  /**
   * The free input i requests these free outputs on a priority level: bits 0 to 31 and 32 to 63. All requests of a
   * matching precede its call of `match`.
   */
  request(level: number, i: number, low: number, high: number): void
  /** Matches the requests since the last call. Returns the number of entries in `pairs`. */
  match(use: number): number
  /** [k] -> level << 16 | input << 8 | output */
  readonly pairs: Int32Array
}

export function makeMatching({
  name,
  iterations: ITERATIONS,
  uses,
  inputs: I,
  outputs: O,
  levels: LEVELS,
}: MatchingSpec): Matching {
  const lowBit = lowest
  const inNext = u8(uses * I)
  const outNext = u8(uses * O)
  // Input-first: inputs choose first. Output-first and iSLIP: outputs choose (grant) first.
  const INPUTS_FIRST = name === "input-first"
  const SLIP = name === "islip"
  const NARROW = I <= 32 && O <= 32
  const PLAIN = NARROW && ITERATIONS === 1 && LEVELS === 1
  const firstNext = INPUTS_FIRST ? inNext : outNext
  const thenNext = INPUTS_FIRST ? outNext : inNext
  const FIRST = INPUTS_FIRST ? I : O
  const THEN = INPUTS_FIRST ? O : I
  // The requests to ports of the first side, and the ports that chose a port of the second side: [(level * 64 + port) *
  // 2 + word]
  const requests = scratch(128 * LEVELS)
  const chosen = scratch(128 * LEVELS)
  const pairs = scratch(64)
  // Ports of the first side that have requests.
  let requestedLow = 0
  let requestedHigh = 0

  function request(level: number, i: number, low: number, high: number): void {
    const base = level << 7
    if (INPUTS_FIRST) {
      requests[base + 2 * i] |= low
      if (!NARROW) requests[base + 2 * i + 1] |= high
      if (NARROW || i < 32) requestedLow |= 1 << i
      else requestedHigh |= 1 << i
      return
    }
    requestedLow |= low
    if (!NARROW) requestedHigh |= high
    const word = base + (i >> 5)
    for (let m = low; m !== 0; m &= m - 1) requests[word + 2 * lowBit(m)] |= 1 << i
    if (!NARROW) for (let m = high; m !== 0; m &= m - 1) requests[word + 2 * (32 + lowBit(m))] |= 1 << i
  }

  /** Returns the first member of a non-empty set at or after `from`, cyclically. */
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
    if (INPUTS_FIRST && NARROW && requestedLow !== 0 && (requestedLow & (requestedLow - 1)) === 0) return alone(use)
    return PLAIN ? once(use) : all(use)
  }

  /** The special case of `all` for one iteration, one level and one word, which is the most frequent configuration. */
  function once(use: number): number {
    let n = 0
    let met = 0
    const first0 = use * FIRST
    const then0 = use * THEN
    for (let m = requestedLow; m !== 0; m &= m - 1) {
      const a = lowBit(m)
      const b = round(requests[2 * a], 0, firstNext[first0 + a])
      requests[2 * a] = 0
      chosen[2 * b] |= m & -m
      met |= 1 << b
    }
    requestedLow = 0
    for (; met !== 0; met &= met - 1) {
      const b = lowBit(met)
      const a = round(chosen[2 * b], 0, thenNext[then0 + b])
      chosen[2 * b] = 0
      firstNext[first0 + a] = b + 1 === THEN ? 0 : b + 1
      thenNext[then0 + b] = a + 1 === FIRST ? 0 : a + 1
      pairs[n++] = INPUTS_FIRST ? (a << 8) | b : (b << 8) | a
    }
    return n
  }

  /**
   * One input has requests, which is the most frequent case: it gets the output that it chooses, as there is no
   * conflict.
   */
  function alone(use: number): number {
    const a = lowBit(requestedLow)
    requestedLow = 0
    let n = 0
    for (let level = 0; level < LEVELS; level++) {
      const at = (level << 7) + 2 * a
      const l = requests[at]
      requests[at] = 0
      if (l === 0 || n > 0) continue
      const b = round(l, 0, inNext[use * I + a])
      inNext[use * I + a] = b + 1 === O ? 0 : b + 1
      outNext[use * O + b] = a + 1 === I ? 0 : a + 1
      pairs[n++] = (level << 16) | (a << 8) | b
    }
    return n
  }

  /**
   * The general case: several iterations, priority levels and up to 64 ports. low/high are the unmatched ports of the
   * first side, freeLow/freeHigh those of the second side.
   */
  function all(use: number): number {
    let n = 0
    let freeLow = -1
    let freeHigh = -1
    let low = requestedLow
    let high = requestedHigh
    const first0 = use * FIRST
    const then0 = use * THEN
    for (let iteration = 0; iteration < ITERATIONS && (low | high) !== 0; iteration++) {
      // Step 1: the first side chooses from the highest level on which an unmatched partner has a request.
      let metLow = 0
      let metHigh = 0
      for (let word = 0; word < (NARROW ? 1 : 2); word++) {
        for (let m = word === 0 ? low : high; m !== 0; m &= m - 1) {
          const bit = m & -m
          const a = (word << 5) + lowBit(m)
          let level = 0
          for (; level < LEVELS; level++) {
            const at = (level << 7) + 2 * a
            const l = requests[at] & freeLow
            const h = NARROW ? 0 : requests[at + 1] & freeHigh
            if ((l | h) === 0) continue
            const b = round(l, h, firstNext[first0 + a])
            chosen[(level << 7) + 2 * b + word] |= bit
            if (NARROW || b < 32) metLow |= 1 << b
            else metHigh |= 1 << b
            break
          }
          // No unmatched partner is left for this port, so later iterations skip it.
          if (level < LEVELS) continue
          if (word === 0) low &= ~bit
          else high &= ~bit
        }
      }
      // Step 2: the second side chooses among the ports that chose it; the other choices are lost in this iteration.
      for (let word = 0; word < (NARROW ? 1 : 2); word++) {
        for (let m = word === 0 ? metLow : metHigh; m !== 0; m &= m - 1) {
          const b = (word << 5) + lowBit(m)
          let a = -1
          for (let level = 0; level < LEVELS; level++) {
            const at = (level << 7) + 2 * b
            const l = chosen[at]
            const h = NARROW ? 0 : chosen[at + 1]
            if ((l | h) === 0) continue
            chosen[at] = 0
            if (!NARROW) chosen[at + 1] = 0
            if (a >= 0) continue
            a = round(l, h, thenNext[then0 + b])
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

  /** Clears the requests, and only those that were set. */
  function forget(): void {
    for (let level = 0; level < LEVELS; level++) {
      const base = level << 7
      for (let m = requestedLow; m !== 0; m &= m - 1) {
        requests[base + 2 * lowBit(m)] = 0
        if (!NARROW) requests[base + 2 * lowBit(m) + 1] = 0
      }
      if (NARROW) continue
      for (let m = requestedHigh; m !== 0; m &= m - 1) {
        requests[base + 64 + 2 * lowBit(m)] = 0
        requests[base + 65 + 2 * lowBit(m)] = 0
      }
    }
    requestedLow = 0
    requestedHigh = 0
  }

  return { columns: { inNext, outNext }, request, match, pairs }
}
