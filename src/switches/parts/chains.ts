// FIFO queues of packets as chains through their records: a queue costs two words however long it is, and no packet is copied.
// One factory for all queues of a switch; its slot ranges are the uses (virtual output queues first, output queues behind them, and so on).
// Most queues hold one packet at most: heads alone are touched then, so that thousands of them stay near.
// Columns:
//   heads  [i] first packet of queue i, 0 if it is empty
//   tails  [i] last packet, of no meaning while there are less than two
import { i32 } from "../../fabric/columns.ts"
import { recordViews } from "../../fabric/packets.ts"

export interface Queues {
  readonly columns: Readonly<Record<string, Int32Array>>
  /** packet p goes to the end of queue i; answers whether the queue was empty */
  push(i: number, p: number): boolean
  /** takes the first packet out of queue i, which must have one; the record's NEXT is of no meaning then */
  pop(i: number): number
  /** the first packet of queue i, 0 if there is none */
  first(i: number): number
  /** the first packets of all queues, for audits */
  fronts(): number[]
}

export interface Chains extends Queues {
  readonly heads: Int32Array
  readonly columns: { readonly heads: Int32Array; readonly tails: Int32Array }
}

export function makeChains(packets: Int32Array, count: number): Chains {
  const heads = i32(count)
  const tails = i32(count)
  const { pNext } = recordViews(packets)

  function push(i: number, p: number): boolean {
    pNext[p] = 0
    const first = heads[i]!
    if (first === 0) {
      heads[i] = p
      return true
    }
    if (pNext[first] === 0) pNext[first] = p
    else pNext[tails[i]!] = p
    tails[i] = p
    return false
  }

  function pop(i: number): number {
    const p = heads[i]!
    heads[i] = pNext[p]!
    return p
  }

  function first(i: number): number {
    return heads[i]!
  }

  return { heads, columns: { heads, tails }, push, pop, first, fronts: () => [...heads] }
}
