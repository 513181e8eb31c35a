// Which queue an output serves next. A scheduler is made once for all outputs of a partition: state is columns, one row for each output (or endpoint), and
// all rows share one table of weights. Queues are numbered 0 to 30 within a row: VLs, SLs or classes, as the caller likes.
//
// The caller's duties, in this order:
//   arrived(row, queue, size, now)   when a message joins a queue (nothing to do for schedulers whose `hears` is false)
//   pick(row, sendable, …)           whenever the output is free and something has changed: its last message has left, one has arrived, room has come back.
//                                    Also with `sendable` = 0: a queue that cannot send when it is asked loses what it had saved (deficit table).
//   sent(row, queue, size, now)      at once for every queue that pick() answered: what is picked is sent, and before the next pick() of the row.
// A pick that answers -1 may be repeated: it changes nothing more.

import type { Complaint } from "../core/complaint.ts"

export type QosColumn = Int32Array | Float64Array

export interface QosScheduler {
  /** state, part of snapshot and fingerprint; each column has rows * width words, row behind row */
  readonly columns: Readonly<Record<string, QosColumn>>
  /** what fingerprints compare of a row, where its columns are not to be read word by word: (number of a value, number of the queue or 0, value) */
  digest?(row: number, add: (value: number, i: number, bits: number) => void): void
  /** false: arrived() does nothing and need not be called */
  readonly hears: boolean
  /** a message of `size` units joins `queue` in the cycle `now` */
  arrived(row: number, queue: number, size: number, now: number): void
  /**
   * The queue to serve, or -1. `sendable`: bits of the queues whose head could go now (it is there, and there is room for all of it downstream).
   * Of those, sizes[at + queue] is the head's size in units, births[at + queue] the cycle in which it was created (read by `age` alone).
   */
  pick(row: number, sendable: number, sizes: Int32Array, births: Int32Array, at: number): number
  /** the head of `queue`, `size` units, begins to leave in the cycle `now` */
  sent(row: number, queue: number, size: number, now: number): void
}

/** Where a scheduler is built. */
export interface QosSite {
  /** outputs; queues of each, at most 31 */
  readonly rows: number
  readonly queues: number
  /** bytes of one unit of size (a flit): weights of tables count 64 bytes */
  readonly unitBytes: number
  /** units that an output sends in a cycle */
  readonly rate: number
  /** memory that workers share */
  ints(n: number): Int32Array
  reals(n: number): Float64Array
}

/** One line of an arbitration table: a queue and its weight in units of 64 bytes; weight 0 skips it. */
export interface TableEntry {
  readonly queue: number
  readonly weight: number
}

/** What a scheduler plug-in makes. */
export interface QosModel {
  /** queues that it ever serves, as bits; absent = all. What waits in another would wait for ever: refuse it before cycle 0 */
  readonly serves?: number
  /** it reads `births`: others are spared the work */
  readonly ages?: boolean
  /** what is wrong with it for these messages; `largest`: [queue] -> bytes of its largest, 0 where none is sent */
  check?(largest: ArrayLike<number>): Complaint[]
  build(site: QosSite): QosScheduler
}
