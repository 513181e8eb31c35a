// Interfaces of traffic: patterns (destinations), arrival processes and sizes. Plug-ins in traffic/ implement them; the
// engines call them with counter-based random draws.
import type { End } from "./ids.ts"

/** Counter-based random draws, independent of the number of workers. */
export interface Rng {
  /** 32 random bits, as a signed int */
  bits(): number
  below(n: number): number
  /** in (0, 1] */
  unit(): number
}

export interface TrafficPattern {
  /**
   * Returns the destination of the next message. -1: this endpoint never sends, so one call is sufficient. `n`: number
   * of packets that the source has created before; absent if the caller only samples destinations.
   */
  dest(from: End, rng: Rng, n?: number): End
  /**
   * messages that are known in advance, instead of random ones; `dest` then only determines the senders that
   * `traffic.load` refers to
   */
  readonly script?: Script
}

/** Messages of a trace, by sender and in order of time. */
export interface Script {
  /** [end] -> its first message; one entry more than endpoints */
  readonly first: Int32Array
  /** ps from the start, destination, bytes */
  readonly time: Float64Array
  readonly to: Int32Array
  readonly bytes: Float64Array
  /** duration in ps, and the factor by which it is compressed; absent: compressed to the requested load */
  readonly lasts: number
  readonly compression?: number | undefined
}

/** Times at which packets (or messages) are created. The gap is drawn, not each cycle, so idle sources cost nothing. */
export interface Arrivals {
  /**
   * Returns the creation time of the first one, at least 0. Fractions are permitted; the packet is created in cycle
   * floor(time).
   */
  first(from: End, rng: Rng): number
  /**
   * Returns the creation time of the next one, at least `last`. `state[i]` is a private word of the source that the
   * process may use.
   */
  next(from: End, last: number, rng: Rng, state: Int32Array, i: number): number
}

/** Packet sizes in flits, or message sizes in packets. */
export interface Sizes {
  readonly mean: number
  readonly max: number
  /** set if all are equal, so that the engine can use a faster path */
  readonly fixed?: number
  size(rng: Rng): number
}
