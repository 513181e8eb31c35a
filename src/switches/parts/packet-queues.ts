// FIFO queues of packets as linked lists through the packet records. A queue costs two words, however long it is, and
// no packet is copied. One instance holds all queues of a switch; each stage has a range of queue numbers (virtual
// output queues first, then output queues, and so on). Most queues hold at most one packet. Such a queue only touches
// its head, so that thousands of queues stay in the cache.
//
// Columns:
//   `heads`  [i]  first packet of queue i, 0 if it is empty;
//   `tails`  [i]  last packet; undefined while the queue has fewer than two packets.
import { i32 } from "../../fabric/columns.ts"
import { recordViews } from "../../fabric/packets.ts"

export interface Queues {
  readonly columns: Readonly<Record<string, Int32Array>>
  /** Appends packet p to queue i. Returns whether the queue was empty. */
  push(i: number, p: number): boolean
  /** Removes and returns the first packet of queue i, which must not be empty. Its NEXT is undefined afterwards. */
  pop(i: number): number
  /** Returns the first packet of queue i, or 0. */
  first(i: number): number
  /** Returns the first packets of all queues, for audits. */
  fronts(): number[]
}

export interface PacketQueues extends Queues {
  readonly heads: Int32Array
  readonly columns: { readonly heads: Int32Array; readonly tails: Int32Array }
}

export function makePacketQueues(packets: Int32Array, count: number): PacketQueues {
  const heads = i32(count)
  const tails = i32(count)
  const { pNext } = recordViews(packets)

  function push(i: number, p: number): boolean {
    pNext[p] = 0
    const first = heads[i]
    if (first === 0) {
      heads[i] = p
      return true
    }
    // A queue of one packet has no valid tail, because the first `push` does not write it.
    if (pNext[first] === 0) pNext[first] = p
    else pNext[tails[i]] = p
    tails[i] = p
    return false
  }

  function pop(i: number): number {
    const p = heads[i]
    heads[i] = pNext[p]
    return p
  }

  function first(i: number): number {
    return heads[i]
  }

  return { heads, columns: { heads, tails }, push, pop, first, fronts: () => [...heads] }
}
