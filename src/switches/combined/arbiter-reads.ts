// What an arbiter from outside the library may read of the packets that it matches. It declares its reads, so that a
// reader of the module and `lacewing contract` know on what it depends. Reads are possible in `match`, and of the
// requests of this match only: these have a packet at the front of a queue.
import type { ArbiterSite, MakeArbiter } from "./arbiter.ts"

export const arbiterReads = ["ages", "queues"] as const
export type ArbiterRead = (typeof arbiterReads)[number]

/** The functions of `ArbiterSite` that need a declaration. */
export type DeclaredReads = Pick<ArbiterSite, "created" | "queued" | "held">

/** The same, of any router. */
export interface PacketReads {
  created(router: number, level: number, input: number, output: number): number
  queued(router: number, level: number, input: number, output: number): number
  held(router: number, output: number): number
}

/** An arbiter with its declaration. */
export interface OutsideArbiter {
  readonly arbiter: MakeArbiter
  /** ages: `created`; queues: `queued` and `held` of its site */
  readonly reads?: readonly ArbiterRead[]
}

/** Makes the arbiter, with functions that check its reads. `refuse` throws. */
export function readingArbiter(
  { arbiter: make, reads = [] }: OutsideArbiter,
  site: Omit<ArbiterSite, keyof DeclaredReads>,
  of: PacketReads,
  refuse: (says: string) => never,
): ReturnType<MakeArbiter> {
  // [level, input] -> outputs that it requests, in two words
  const asked = new Int32Array(128 * site.levels)
  let router = -1
  const declared = (read: ArbiterRead, name: string): void => {
    if (!reads.includes(read)) refuse(`reads ${name}; add reads: ["${read}"] to the arbiter in compose`)
    if (router < 0) refuse(`reads ${name} outside of match`)
  }
  const requested = (level: number, i: number, o: number): void => {
    if (((asked[128 * level + 2 * i + (o >> 5)] >> (o & 31)) & 1) === 0)
      refuse(`reads a packet of input ${i}, which does not request output ${o} on level ${level}`)
  }
  const arbiter = make({
    ...site,
    created(level, i, o) {
      declared("ages", "created")
      requested(level, i, o)
      return of.created(router, level, i, o)
    },
    queued(level, i, o) {
      declared("queues", "queued")
      requested(level, i, o)
      return of.queued(router, level, i, o)
    },
    held(o) {
      declared("queues", "held")
      return of.held(router, o)
    },
  })
  if (reads.length === 0) return arbiter
  return {
    pairs: arbiter.pairs,
    request(level, i, low, high) {
      asked[128 * level + 2 * i] |= low
      asked[128 * level + 2 * i + 1] |= high
      arbiter.request(level, i, low, high)
    },
    match(r) {
      router = r
      const n = arbiter.match(r)
      router = -1
      asked.fill(0)
      return n
    },
  }
}
