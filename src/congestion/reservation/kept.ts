// Packets that were dropped and wait to be sent again: a queue for each flow, through the number that a packet carries.
import type { EndpointSite } from "../../model/protocol.ts"
import type { Flows } from "../flows.ts"

export interface Kept {
  /** the first of a flow, 0 = none */
  head(row: number): number
  /** flits that they had before they were dropped */
  flits(row: number): number
  push(row: number, packet: number): void
  pop(row: number): void
  /** in all flows */
  count(): number
}

/** Words of a flow that they take. */
export const KEPT_WORDS = 4

/** `word`: the first of them (`Flows.word`). */
export function makeKept({ packets, rows }: EndpointSite, flows: Flows, word: number): Kept {
  const first = flows.word(word)
  const last = flows.word(word + 1)
  const held = flows.word(word + 2)
  const length = flows.word(word + 3)

  function count(): number {
    let n = 0
    for (let e = 0; e < rows; e++) for (let row = flows.firstRow(e); row < flows.endRow(e); row += flows.size) n += length[row]!
    return n
  }

  return {
    head: (row) => first[row]!,
    flits: (row) => held[row]!,
    push(row, packet) {
      packets.setNumber(packet, 0)
      if (first[row] === 0) first[row] = packet
      else packets.setNumber(last[row]!, packet)
      last[row] = packet
      held[row]! += packets.answered(packet)
      length[row]!++
    },
    pop(row) {
      const packet = first[row]!
      first[row] = packets.number(packet)
      held[row]! -= packets.answered(packet)
      length[row]!--
    },
    count,
  }
}
