// Where the time of a run on several threads went.

/** Seconds that a worker spent on its share of the run, and on what it sent and received. */
export interface Busy {
  readonly work: number
  readonly messages: number
}

/** Seconds until all threads were ready, after that, and of each worker. */
export interface TeamTimes {
  readonly gather: number
  readonly run: number
  readonly workers: readonly (Busy & { readonly waiting: number })[]
}

/** Whoever neither works nor reads waits: for another worker, or for the thread that gives the orders. */
export function timesOf(gather: number, run: number, workers: readonly Busy[]): TeamTimes {
  return { gather, run, workers: workers.map((w) => ({ ...w, waiting: Math.max(0, run - w.work - w.messages) })) }
}
