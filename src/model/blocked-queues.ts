// Data of the probe `blocked`: its options, and the log that a run records for it. run/ samples blocked queues and
// writes the log; the probe reads it.

/** Options of a probe for queues whose head does not leave its router. */
export interface BlockedQueueOptions {
  /** cycles for which the head must have been in its router */
  readonly cycles: number
  /** destinations that are counted separately */
  readonly hot: readonly number[]
  /** router from which waits are followed outwards; -1: none */
  readonly router: number
}

/** Rows of numbers, one sample of the network after the other. */
export interface BlockedQueueLog {
  readonly wish: BlockedQueueOptions
  /** time, link class of the channel that the head requests, VC, hot or not; queues, flits */
  readonly standing: readonly number[]
  /**
   * time, distance in routers from the router where the search starts, link class, VC, hot or not; routers, queues,
   * flits
   */
  readonly waits: readonly number[]
}
export const BLOCKED_ROW = 6
export const WAITS_ROW = 8
