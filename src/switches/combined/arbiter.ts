// An arbiter from outside the library as a part of the switch: it matches the free inputs and outputs of a crossbar
// (parts/crossbar.ts), as parts/matching.ts does.
import { lowest } from "../../core/bitset.ts"
import { streamOf } from "../../core/rng.ts"
import { i32 } from "../../fabric/columns.ts"
import { CREATED, recordViews } from "../../fabric/packets.ts"
import type { StateDigest } from "../../fabric/switch.ts"
import type { TransferSite } from "../../fabric/transfer.ts"
import { type Arbiter, type OutsideArbiter, type PacketReads, readingArbiter } from "./arbiter-reads.ts"

/** An arbiter with the columns that it has requested. */
export interface ArbiterPart extends Arbiter {
  /**
   * Connects it with the stages that are created after it. `head` returns the packet of a request; outHeld: [port] ->
   * flits in the buffer of an output.
   */
  between(stages: {
    head(router: number, level: number, input: number, output: number): number
    readonly outHeld: Int32Array
  }): void
  readonly columns: Readonly<Record<string, Int32Array>>
  /** Adds its state in all routers to a fingerprint. */
  digest(d: StateDigest, outer: (id: number) => number): void
}

/** Salt of the keys of its state in fingerprints, and of its random numbers. */
const SALT = 0x35000000
const DRAWS = 0x5851f42d

export function makeArbiterPart(
  outside: OutsideArbiter,
  { layout: l, constants, columns: c }: TransferSite,
  levels: number,
): ArbiterPart {
  const { pFlits, pNext } = recordViews(c.packets)
  const pCreated = c.packets.subarray(CREATED)
  let stages: Parameters<ArbiterPart["between"]>[0] | undefined
  const columns: Record<string, Int32Array> = {}
  const words: number[] = []
  const of: PacketReads = {
    created: (r, level, i, o) => pCreated[stages!.head(r, level, i, o)],
    queued(r, level, i, o) {
      let flits = 0
      for (let p = stages!.head(r, level, i, o); p !== 0; p = pNext[p]) flits += pFlits[p]
      return flits
    },
    held: (r, o) => stages!.outHeld[r * l.PS + o],
  }
  const site = {
    ...{ routers: l.routers, inputs: l.radix + 1, outputs: l.radix, levels },
    column(n: number) {
      const column = i32(n * l.routers)
      columns[`arbiter.${words.length}`] = column
      words.push(n)
      return column
    },
    stream: (r: number) => streamOf(constants.seed ^ DRAWS, l.outerRouter[r]),
  }
  const { request, match, pairs } = readingArbiter(outside, site, of, (says) => {
    throw new Error(says)
  })
  const all = Object.values(columns)
  return {
    ...{ request, match, pairs, columns },
    between(given) {
      stages = given
    },
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
