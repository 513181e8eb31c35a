// QoS schedulers: select the queue that an output serves next. A scheduler is built once for all outputs of a
// partition. Its state is in columns, one row for each output (or endpoint), and all rows share one table of weights.
// Queues are numbered 0 to 30 within a row: VLs, SLs or classes, as the caller decides. qos/ implements schedulers;
// switches and endpoints call them.
//
// The caller must call, in this order:
//   1. arrived(row, queue, size, now) when a message joins a queue, unless the scheduler does not need arrivals.
//   2. pick(row, sendable, …) when the output is free and something has changed: its last message has left, a message
//   has arrived, or credits have returned. It must also be called with `sendable` = 0, because a queue that cannot send
//   at that time loses its deficit (deficit table).
//   3. sent(row, queue, size, now) at once for every queue that pick() returned, before the next pick() of the row.
// A pick that returned -1 may be repeated; the repetition changes nothing.

import type { Complaint } from "../core/complaint.ts"
import type { Plugin } from "./plugin.ts"

export type QosColumn = Int32Array | Float64Array

export interface QosScheduler {
  /** state, part of snapshot and fingerprint; each column has rows * width words, row after row */
  readonly columns: Readonly<Record<string, QosColumn>>
  /**
   * Adds a row to a fingerprint, if its columns cannot be read word by word: (number of a value, number of the queue or
   * 0, value).
   */
  digest?(row: number, add: (value: number, i: number, bits: number) => void): void
  /** false: arrived() does nothing and need not be called */
  readonly hears: boolean
  /** A message of `size` units joins `queue` in cycle `now`. */
  arrived(row: number, queue: number, size: number, now: number): void
  /**
   * Returns the queue to serve, or -1. `sendable`: bits of the queues whose head message can be sent now (it is present
   * and has credits for its whole length). For these, sizes[at + queue] is its size in units and created[at + queue]
   * its creation cycle (read only by `age`).
   */
  pick(row: number, sendable: number, sizes: Int32Array, created: Int32Array, at: number): number
  /** The head message of `queue`, `size` units, starts to leave in cycle `now`. */
  sent(row: number, queue: number, size: number, now: number): void
}

/** Size of a network, for complaints about places that it does not have. */
export interface QosNetwork {
  readonly routers: number
  /** Returns the number of ports of a router. */
  ports(router: number): number
}

/** The places of the outputs in the network: router, or -1 if there is none, and port there. */
export interface QosOutputs {
  readonly routers: number
  /** ports of the largest router */
  readonly radix: number
  router(row: number): number
  port(row: number): number
}

/** The site for which a scheduler is built. */
export interface QosSite {
  /** outputs; queues of each, at most 31 */
  readonly rows: number
  readonly queues: number
  /** bytes of one unit of size (a flit); weights of tables count 64 bytes */
  readonly unitBytes: number
  /** units that an output sends per cycle */
  readonly rate: number
  /** outputs are those of endpoints, not of switches */
  readonly endpoints?: boolean
  /** of switches in a network; absent for endpoints and single outputs */
  readonly outputs?: QosOutputs
  /**
   * Returns the word of an output's random numbers, which `draw(word, counter)` of the kit reads. The counter is state,
   * so it belongs in a column.
   */
  stream(row: number): number
  /** memory that workers share */
  ints(n: number): Int32Array
  reals(n: number): Float64Array
}

/** One entry of an arbitration table: a queue and its weight in units of 64 bytes; weight 0 skips it. */
export interface TableEntry {
  readonly queue: number
  readonly weight: number
}

/** The result of a scheduler plug-in. */
export interface QosModel {
  /**
   * queues that it ever serves, as bits; absent: all. A message in another queue would wait forever, so it is rejected
   * before cycle 0
   */
  readonly serves?: number
  /** it reads `created`; for others the caller need not compute it */
  readonly ages?: boolean
  /**
   * Returns complaints about its parameters for these messages. `largest`: [queue] -> bytes of its largest message, 0
   * if none is sent. `network`: where its outputs are.
   */
  check?(largest: ArrayLike<number>, network?: QosNetwork): Complaint[]
  /**
   * Relative shares of the throughput that queues get while all of them have messages; counted in units of size, or in
   * messages of equal length. The contract suite checks them. Absent: it promises none
   */
  readonly shares?: { readonly unit: "units" | "messages"; of(queues: number): readonly number[] }
  /** the reason why a queue with messages may wait without bound; absent: it never does */
  readonly starves?: string
  build(site: QosSite): QosScheduler
}

export type SchedulerPlugin<P> = Plugin<P, QosModel, undefined> & { readonly kind: "qos" }
