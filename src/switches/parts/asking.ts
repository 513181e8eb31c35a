// How many inputs ask for each output, over time: runs of cycles with one number, each with the sum of all that came before it, so that the sum of the last N
// cycles is a difference. What an input draws is at most 1 for an output that it asks for: that sum is an upper bound of what is drawn. Few runs are kept; where
// they do not reach back far enough the sum is not known.
// A record of OUTPUT.size ints for each output, one or two cache lines: how many runs there were, the run of N cycles ago or one before it, words of whoever
// uses it, then the runs: first cycle, inputs that ask, sum of all cycles before it (which may go round).
import { i32 } from "../../fabric/columns.ts"

/** Runs of an output that are kept. */
const K = 8
export const OUTPUT = { grown: 0, behind: 1, met: 2, looked: 4, runs: 8, size: 8 + 3 * K } as const
/** More than any sum. */
export const UNKNOWN = 0x7fffffff

export interface Asking {
  readonly outputs: Int32Array
  /** from cycle t on so many more inputs ask for o */
  add(o: number, by: number, t: number): void
  /** of the last N cycles before t, or UNKNOWN; t never goes back */
  sum(o: number, t: number): number
  value(o: number): number
}

export function makeAsking(count: number, N: number): Asking {
  const { grown: GROWN, behind: BEHIND, runs: RUNS, size: SIZE } = OUTPUT
  const MASK = K - 1
  const outputs = i32(SIZE * count)

  function add(o: number, by: number, t: number): void {
    const base = o * SIZE
    const n = outputs[base + GROWN]!
    const last = base + RUNS + ((n - 1) & MASK) * 3
    const at = base + RUNS + (n & MASK) * 3
    if (n === 0) {
      outputs[at] = t
      outputs[at + 1] = by
      outputs[base + GROWN] = 1
      return
    }
    if (outputs[last] === t) {
      outputs[last + 1]! += by
      return
    }
    outputs[at + 2] = outputs[last + 2]! + Math.imul(outputs[last + 1]!, t - outputs[last]!)
    outputs[at] = t
    outputs[at + 1] = outputs[last + 1]! + by
    outputs[base + GROWN] = n + 1
  }

  function sum(o: number, t: number): number {
    const base = o * SIZE
    const n = outputs[base + GROWN]!
    if (n === 0) return 0
    const first = base + RUNS
    const last = first + ((n - 1) & MASK) * 3
    const from = t - N
    if (outputs[last]! <= from) return Math.imul(outputs[last + 1]!, N)
    const all = outputs[last + 2]! + Math.imul(outputs[last + 1]!, t - outputs[last]!)
    let tail = outputs[base + BEHIND]! > n - K ? outputs[base + BEHIND]! : n - K
    while (tail + 1 < n && outputs[first + ((tail + 1) & MASK) * 3]! <= from) tail++
    outputs[base + BEHIND] = tail
    const at = first + (tail & MASK) * 3
    if (tail > 0 && outputs[at]! > from) return UNKNOWN
    // before the first run nobody asked
    const early = from > outputs[at]! ? Math.imul(outputs[at + 1]!, from - outputs[at]!) : 0
    return (all - outputs[at + 2]! - early) | 0
  }

  function value(o: number): number {
    const base = o * SIZE
    const n = outputs[base + GROWN]!
    return n === 0 ? 0 : outputs[base + RUNS + ((n - 1) & MASK) * 3 + 1]!
  }

  return { outputs, add, sum, value }
}
