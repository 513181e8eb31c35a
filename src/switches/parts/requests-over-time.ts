// The number of inputs that request each output, over time. It is stored as runs of cycles with a constant number. Each
// run also has the sum of all cycles before it, so that the sum of the last N cycles is one difference.
//
// contention-counters.ts uses the sum as an upper bound: an input that draws its request counts at most 1 for an output
// that it requests. Only K runs are stored; if they do not reach back N cycles, the sum is UNKNOWN and the caller must
// count.
//
// Each output has a record of OUTPUT.size ints, which is one or two cache lines:
//   `grown`          number of runs so far;
//   `behind`         the run that contains the cycle N cycles ago, or an earlier one;
//   `met`, `looked`  words of the caller;
//   `runs`           ring of K runs: first cycle, number of inputs, sum of all earlier cycles (modulo 2^32).
import { i32 } from "../../fabric/columns.ts"

/** Number of runs that are stored for an output. */
const K = 8
export const OUTPUT = { grown: 0, behind: 1, met: 2, looked: 4, runs: 8, size: 8 + 3 * K } as const
/** Larger than any sum. */
export const UNKNOWN = 0x7fffffff

export interface RequestsOverTime {
  readonly outputs: Int32Array
  /** From cycle t on, `by` more inputs request output o. */
  add(o: number, by: number, t: number): void
  /** Returns the sum over the N cycles before t, or UNKNOWN. Calls must have non-decreasing t. */
  sum(o: number, t: number): number
  value(o: number): number
}

export function makeRequestsOverTime(count: number, N: number): RequestsOverTime {
  const { grown: GROWN, behind: BEHIND, runs: RUNS, size: SIZE } = OUTPUT
  const MASK = K - 1
  const outputs = i32(SIZE * count)

  function add(o: number, by: number, t: number): void {
    const base = o * SIZE
    const n = outputs[base + GROWN]
    const last = base + RUNS + ((n - 1) & MASK) * 3
    const at = base + RUNS + (n & MASK) * 3
    if (n === 0) {
      outputs[at] = t
      outputs[at + 1] = by
      outputs[base + GROWN] = 1
      return
    }
    // A second change in the same cycle updates the run in place.
    if (outputs[last] === t) {
      outputs[last + 1] += by
      return
    }
    outputs[at + 2] = outputs[last + 2] + Math.imul(outputs[last + 1], t - outputs[last])
    outputs[at] = t
    outputs[at + 1] = outputs[last + 1] + by
    outputs[base + GROWN] = n + 1
  }

  function sum(o: number, t: number): number {
    const base = o * SIZE
    const n = outputs[base + GROWN]
    if (n === 0) return 0
    const first = base + RUNS
    const last = first + ((n - 1) & MASK) * 3
    const from = t - N
    if (outputs[last] <= from) return Math.imul(outputs[last + 1], N)
    const all = outputs[last + 2] + Math.imul(outputs[last + 1], t - outputs[last])
    // `behind` only moves forward, because t does. This makes the search amortised constant time.
    let tail = outputs[base + BEHIND] > n - K ? outputs[base + BEHIND] : n - K
    while (tail + 1 < n && outputs[first + ((tail + 1) & MASK) * 3] <= from) tail++
    outputs[base + BEHIND] = tail
    const at = first + (tail & MASK) * 3
    if (tail > 0 && outputs[at] > from) return UNKNOWN
    // Before the first run there were no requests.
    const early = from > outputs[at] ? Math.imul(outputs[at + 1], from - outputs[at]) : 0
    return (all - outputs[at + 2] - early) | 0
  }

  function value(o: number): number {
    const base = o * SIZE
    const n = outputs[base + GROWN]
    return n === 0 ? 0 : outputs[base + RUNS + ((n - 1) & MASK) * 3 + 1]
  }

  return { outputs, add, sum, value }
}
