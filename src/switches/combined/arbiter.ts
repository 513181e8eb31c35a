// The interface of an arbiter from outside the library: it matches the free inputs and outputs of a crossbar
// (parts/crossbar.ts), as parts/matching.ts does. Its state is in columns that it gets from its site, one row for each
// router, so that workers share it, and snapshots and fingerprints contain it.
import { lowest } from "../../core/bitset.ts"
import { i32 } from "../../fabric/columns.ts"
import type { StateDigest } from "../../fabric/switch.ts"
import type { TransferSite } from "../../fabric/transfer.ts"

export interface ArbiterSite {
  readonly routers: number
  /** inputs of one router, at most 64. The last one is internal: packets that the router itself creates */
  readonly inputs: number
  readonly outputs: number
  /** number of priority levels; 0 is the highest */
  readonly levels: number
  /** Returns n words for each router, all 0; those of router r start at r * n. */
  column(n: number): Int32Array
}

export interface Arbiter {
  /** The free input requests these free outputs on a priority level: bits 0 to 31 (low) and 32 to 63 (high). */
  request(level: number, input: number, low: number, high: number): void
  /** Matches the requests since the last call, all of one router. Returns the number of entries in `pairs`. */
  match(router: number): number
  /** [k] -> level << 16 | input << 8 | output */
  readonly pairs: Int32Array
}

export type MakeArbiter = (site: ArbiterSite) => Arbiter

/** An arbiter with the columns that it has requested. */
export interface ArbiterPart extends Arbiter {
  readonly columns: Readonly<Record<string, Int32Array>>
  /** Adds its state in all routers to a fingerprint. */
  digest(d: StateDigest, outer: (id: number) => number): void
}

/** Salt of the keys of its state in fingerprints. */
const SALT = 0x35000000

export function makeArbiterPart(make: MakeArbiter, { layout: l }: TransferSite, levels: number): ArbiterPart {
  const columns: Record<string, Int32Array> = {}
  const words: number[] = []
  const { request, match, pairs } = make({
    ...{ routers: l.routers, inputs: l.radix + 1, outputs: l.radix, levels },
    column(n) {
      const column = i32(n * l.routers)
      columns[`arbiter.${words.length}`] = column
      words.push(n)
      return column
    },
  })
  const all = Object.values(columns)
  return {
    ...{ request, match, pairs, columns },
    digest(d, outer) {
      for (let r = 0; r < l.routers; r++) {
        if (l.outerRouter[r] < 0) continue
        const key = outer((r * l.PS) << l.LV) ^ SALT
        for (let i = 0; i < words.length; i++)
          for (let k = 0; k < words[i]; k++) d.add(key + i, k, all[i][r * words[i] + k])
      }
    },
  }
}

/**
 * Returns the first member at or after `from`, cyclically, of a set of up to 64 ports in two words that is not empty:
 * a round-robin arbiter with its pointer.
 */
export function nextPort(low: number, high: number, from: number): number {
  if (high === 0) {
    const later = from < 32 ? low & (-1 << from) : 0
    return lowest(later !== 0 ? later : low)
  }
  if (from < 32) {
    const later = low & (-1 << from)
    if (later !== 0) return lowest(later)
    return 32 + lowest(high)
  }
  const later = high & (-1 << from)
  if (later !== 0) return 32 + lowest(later)
  return low !== 0 ? lowest(low) : 32 + lowest(high)
}
