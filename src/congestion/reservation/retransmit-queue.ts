// Queues of dropped packets that wait for retransmission, one for each flow. The packets are linked through their
// sequence number word, which a dropped packet does not need. protocol.ts uses it.
import type { EndpointSite } from "../../model/protocol.ts"
import type { Flows } from "../flows.ts"

export interface RetransmitQueue {
  /** Returns the first packet of a flow, 0: none. */
  head(row: number): number
  /** Returns the flits that they had before they were dropped. */
  flits(row: number): number
  push(row: number, packet: number): void
  pop(row: number): void
  /** Returns the number of packets in all flows. */
  count(): number
}

/** Words of a flow that the queue needs. */
export const RETRANSMIT_WORDS = 4

/** `word`: the first of them (`Flows.word`). */
export function makeRetransmitQueue({ packets, rows }: EndpointSite, flows: Flows, word: number): RetransmitQueue {
  const first = flows.word(word)
  const last = flows.word(word + 1)
  const held = flows.word(word + 2)
  const length = flows.word(word + 3)

  function count(): number {
    let n = 0
    for (let e = 0; e < rows; e++)
      for (let row = flows.firstRow(e); row < flows.endRow(e); row += flows.size) n += length[row]
    return n
  }

  return {
    head: (row) => first[row],
    flits: (row) => held[row],
    push(row, packet) {
      packets.setNumber(packet, 0)
      if (first[row] === 0) first[row] = packet
      else packets.setNumber(last[row], packet)
      last[row] = packet
      held[row] += packets.answered(packet)
      length[row]++
    },
    pop(row) {
      const packet = first[row]
      first[row] = packets.number(packet)
      held[row] -= packets.answered(packet)
      length[row]--
    },
    count,
  }
}
