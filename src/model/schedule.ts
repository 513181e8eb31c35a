// A schedule: the sends, receives and calculations of all ranks as one graph of dependencies. workloads/schedule/ makes
// it from programs, and the LogGOPSim rules of the ideal engine (engines/ideal/loggopsim.ts) execute it.

/** Kinds of operations, in the order in which operations that become free together are taken. */
export const SEND = 0
export const RECV = 1
export const CALC = 2

/** Values of `peer` and `tag` of a receive: any source, any tag. */
export const WILD = -1

/** Lists of operations: those of row i are items[first[i]] to items[first[i + 1] - 1]. */
export interface Lists {
  readonly first: Int32Array
  readonly items: Int32Array
}

/** Columns have one entry for each operation. The operations of rank r are those from first[r] to first[r + 1] - 1. */
export interface Schedule {
  readonly ranks: number
  readonly first: Int32Array
  readonly kind: Uint8Array
  /** rank of all jobs, tag, and the communicator; an operation only matches within its communicator */
  readonly peer: Int32Array
  readonly tag: Int32Array
  readonly context: Int32Array
  /** bytes (at least 1), or ps of a calculation */
  readonly amount: Float64Array
  /** numbers of the processor and of the network interface that the operation names, from 0 */
  readonly cpu: Int32Array
  readonly nic: Int32Array
  /** number of dependencies that must be met before the operation is free */
  readonly needs: Int32Array
  /** operations that the start of an operation frees, and those that its end frees, in the order of the file */
  readonly started: Lists
  readonly done: Lists
  /** greatest numbers of processors and interfaces in the file, plus 1 */
  readonly cpus: number
  readonly nics: number
  /** [rank] -> ps at which it starts, ps for each message and for each byte after the first, largest eager message */
  readonly start: Float64Array
  readonly o: Float64Array
  readonly O: Float64Array
  readonly S: Float64Array
}

/** What an engine did with a schedule. Times are ps, -1 if the event has not happened. */
export interface Executed {
  /** [operation] -> its start */
  readonly started: Float64Array
  /** [send] -> arrival of its message */
  readonly arrived: Float64Array
  /** [operation] -> the send whose message led to it, -1: none; [rank] -> likewise for its last action */
  readonly cause: Int32Array
  readonly last: Int32Array
  /** [rank] -> number of operations that have ended */
  readonly ended: Int32Array
}
