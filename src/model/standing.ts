// What does not move, and what waits for what: the wish of a probe, and what a run wrote down for it.

/** What a probe wants to know of queues whose front does not leave its router. */
export interface StandingWish {
  /** cycles that the front must have been in its router */
  readonly cycles: number
  /** destinations that are told apart */
  readonly hot: readonly number[]
  /** router from which waits are followed outwards; -1 = none */
  readonly router: number
}

/** Rows of numbers, one look at the network after the other. */
export interface StandingLog {
  readonly wish: StandingWish
  /** time, link class of the channel that the front asks for, VC, hot or not; queues, flits */
  readonly standing: readonly number[]
  /** time, routers between it and the one that waits are followed from, link class, VC, hot or not; routers, queues, flits */
  readonly waits: readonly number[]
}
export const STANDING_ROW = 6
export const WAITS_ROW = 8
