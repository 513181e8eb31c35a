// The interface of an arbiter from outside the library. Its state is in columns that it gets from its site, one row for
// each router, so that workers share it, and snapshots and fingerprints contain it. It declares what it reads of the
// packets that it matches, so that a reader of the module and `lacewing contract` know on what it depends. Reads are
// possible in `match`, and of the requests of this match only: these have a packet at the front of a queue.
export interface ArbiterSite {
  readonly routers: number
  /** inputs of one router, at most 64. The last one is internal: packets that the router itself creates */
  readonly inputs: number
  readonly outputs: number
  /** number of priority levels; 0 is the highest */
  readonly levels: number
  /** Returns n words for each router, all 0; those of router r start at r * n. */
  column(n: number): Int32Array
  /**
   * Returns the word of a router's random numbers, which `draw(word, counter)` of the kit reads. The counter is state,
   * so it belongs in a column.
   */
  stream(router: number): number
  /**
   * Declared reads, in `match` only, of a request of this match. `created`: cycle in which its packet was created;
   * `queued`: flits in the queue of which this packet is the first.
   */
  created(level: number, input: number, output: number): number
  queued(level: number, input: number, output: number): number
  /** Declared, in `match` only: flits in the buffer of an output, with those that are crossing to it. */
  held(output: number): number
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

/** Makes an arbiter on packets that the caller describes. `refuse` throws. */
export type MakeTestedArbiter = (
  site: Omit<ArbiterSite, keyof DeclaredReads>,
  of: PacketReads,
  refuse: (says: string) => never,
) => Arbiter

/** Makes the arbiter, with functions that check its reads. */
export function readingArbiter(
  { arbiter: make, reads = [] }: OutsideArbiter,
  ...[site, of, refuse]: Parameters<MakeTestedArbiter>
): Arbiter {
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
