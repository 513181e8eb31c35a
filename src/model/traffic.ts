import type { End } from "./ids.ts"

/** Counter-based draws: the same for any worker count. */
export interface Rng {
  /** 32 random bits, as a signed int */
  bits(): number
  below(n: number): number
  /** in (0, 1] */
  unit(): number
}

export interface TrafficPattern {
  /** the destination of the next packet; -1 = this endpoint does not send (then always: ask once) */
  dest(from: End, rng: Rng): End
}

/** When packets (or messages) are created. Idle sources cost nothing: the gap is drawn, not each cycle. */
export interface Arrivals {
  /** creation time of the first one, >= 0 (fractions are allowed; the packet is created in the cycle floor(time)) */
  first(from: End, rng: Rng): number
  /** creation time of the next, >= `last`; `state` is one int of the source's own that the process may read and write at [i] */
  next(from: End, last: number, rng: Rng, state: Int32Array, i: number): number
}

/** Packet sizes in flits, or message sizes in packets. */
export interface Sizes {
  readonly mean: number
  readonly max: number
  /** set when all are equal: the engine then takes its fast path */
  readonly fixed?: number
  size(rng: Rng): number
}
