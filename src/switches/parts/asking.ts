// How many inputs ask for each output, over time: runs of cycles with one number, each with the sum of all that came before it, so that the sum of the last N
// cycles is a difference. What an input draws is at most 1 for an output that it asks for: that sum is an upper bound of what is drawn.
// Columns:
//   inputs [(o * K + n % K) * 3]  first cycle of run n, inputs that ask, sum of all cycles before it (which may go round)
//   grown  [o]                    how many runs there were
//   behind [o]                    the run of N cycles ago, or one before it
import { bitsFor } from "../../core/bitset.ts"
import { i32 } from "../../fabric/columns.ts"

export interface Asking {
  readonly columns: { readonly inputs: Int32Array; readonly grown: Int32Array; readonly behind: Int32Array }
  /** from cycle t on so many more inputs ask for o */
  add(o: number, by: number, t: number): void
  /** of the last N cycles before t; t never goes back */
  sum(o: number, t: number): number
  value(o: number): number
}

export function makeAsking(outputs: number, N: number): Asking {
  // a run has a cycle at least
  const K = 2 ** bitsFor(N + 2)
  const MASK = K - 1
  const columns = { inputs: i32(3 * outputs * K), grown: i32(outputs), behind: i32(outputs) }
  const { inputs, grown, behind } = columns

  function add(o: number, by: number, t: number): void {
    const n = grown[o]!
    const last = (o * K + ((n - 1) & MASK)) * 3
    const at = (o * K + (n & MASK)) * 3
    if (n === 0) {
      inputs[at] = t
      inputs[at + 1] = by
      inputs[at + 2] = 0
      grown[o] = 1
      return
    }
    if (inputs[last] === t) {
      inputs[last + 1]! += by
      return
    }
    inputs[at + 2] = inputs[last + 2]! + Math.imul(inputs[last + 1]!, t - inputs[last]!)
    inputs[at] = t
    inputs[at + 1] = inputs[last + 1]! + by
    grown[o] = n + 1
  }

  function sum(o: number, t: number): number {
    const n = grown[o]!
    if (n === 0) return 0
    const last = (o * K + ((n - 1) & MASK)) * 3
    const all = inputs[last + 2]! + Math.imul(inputs[last + 1]!, t - inputs[last]!)
    const from = t - N
    if (inputs[last]! <= from) return Math.imul(inputs[last + 1]!, N)
    let tail = behind[o]! > n - K ? behind[o]! : n - K
    while (tail + 1 < n && inputs[(o * K + ((tail + 1) & MASK)) * 3]! <= from) tail++
    behind[o] = tail
    const at = (o * K + (tail & MASK)) * 3
    // before the first run nobody asked
    const early = from > inputs[at]! ? Math.imul(inputs[at + 1]!, from - inputs[at]!) : 0
    return (all - inputs[at + 2]! - early) | 0
  }

  function value(o: number): number {
    return grown[o] === 0 ? 0 : inputs[(o * K + ((grown[o]! - 1) & MASK)) * 3 + 1]!
  }

  return { columns, add, sum, value }
}
