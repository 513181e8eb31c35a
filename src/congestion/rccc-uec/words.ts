// What the two sides of a flow exchange (protocol.ts): kinds of packets, and a word with the low bits of a sum of
// flits, the number of the flow's present life, and whether its first credit is still there.
import { KIND } from "../../model/protocol.ts"

export interface UecCredits {
  readonly quantum: number
  readonly rate: number
  /** flits of the first credit, which is the largest one */
  readonly most: number
  /** flits of a pull quantum: targets are rounded up to these */
  readonly unit: number
  /** cycles without packets or pulls after which a flow ends */
  readonly silent: number
  readonly flows: number
}

export const REQUEST = KIND.own
export const CREDIT = KIND.own + 1
export const STARTED = KIND.own + 2

export const SUM_BITS = 25
export const SUM = 2 ** SUM_BITS - 1
export const LIVES = 31
export const FIRST = 2 ** 30
/** Word of a packet whose flow found no row. */
export const NO_FLOW = -1

/** Returns the signed difference of two sums of which only the low bits are known. */
export function above(a: number, b: number): number {
  return ((a - b) << (32 - SUM_BITS)) >> (32 - SUM_BITS)
}

export function lifeOf(word: number): number {
  return (word >>> SUM_BITS) & LIVES
}
