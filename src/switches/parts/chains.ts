// FIFO queues of packets as chains through their records: a queue costs two words however long it is, and no packet is copied.
// One factory for all queues of a switch; its slot ranges are the uses (virtual output queues first, output queues behind them, and so on).
// Columns:
//   queues  [2i] first packet of queue i, 0 if it is empty; [2i + 1] last packet, of no meaning while it is empty
import { i32 } from "../../fabric/columns.ts"
import { NEXT } from "../../fabric/packets.ts"

export interface Chains {
  readonly queues: Int32Array
  /** packet p goes to the end of queue i; answers whether the queue was empty */
  push(i: number, p: number): boolean
  /** takes the first packet out of queue i, which must have one; the record's NEXT is of no meaning then */
  pop(i: number): number
  /** the first packet of queue i, 0 if there is none */
  first(i: number): number
}

export function makeChains(packets: Int32Array, count: number): Chains {
  const queues = i32(2 * count)

  function push(i: number, p: number): boolean {
    packets[p + NEXT] = 0
    const empty = queues[2 * i] === 0
    if (empty) queues[2 * i] = p
    else packets[queues[2 * i + 1]! + NEXT] = p
    queues[2 * i + 1] = p
    return empty
  }

  function pop(i: number): number {
    const p = queues[2 * i]!
    queues[2 * i] = packets[p + NEXT]!
    return p
  }

  function first(i: number): number {
    return queues[2 * i]!
  }

  return { queues, push, pop, first }
}
