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
  /** messages that are known beforehand, instead of draws: who is asked by `dest` is who `traffic.load` is about */
  readonly script?: Script
}

/** Messages of a trace, by sender and in order of time. */
export interface Script {
  /** [end] -> its first message; one entry more than endpoints */
  readonly first: Int32Array
  /** picoseconds from the start, destination, bytes */
  readonly time: Float64Array
  readonly to: Int32Array
  readonly bytes: Float64Array
  /** picoseconds that it lasts, and how much faster it is to be; absent: as fast as the load asks for */
  readonly lasts: number
  readonly compression?: number | undefined
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
