// Attribution of the time of a run on several threads to work, messages and waiting. The benchmarks and the values
// `engine.…` show it.

/** Seconds that a worker spent on its share of the run, and on sending and receiving. */
export interface Busy {
  readonly work: number
  readonly messages: number
}

/** Seconds until all threads were ready, seconds after that, and the times of each worker. */
export interface GroupTimes {
  readonly gather: number
  readonly run: number
  readonly workers: readonly (Busy & { readonly waiting: number })[]
}

/** Returns the times. The rest of a worker's time is waiting, for other workers or for orders. */
export function timesOf(gather: number, run: number, workers: readonly Busy[]): GroupTimes {
  return { gather, run, workers: workers.map((w) => ({ ...w, waiting: Math.max(0, run - w.work - w.messages) })) }
}
