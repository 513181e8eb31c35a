// Packets that were dropped and wait to be sent again: a queue for each flow, through the number that a packet carries.
import type { EndpointSite } from "../../model/protocol.ts"

export interface Kept {
  readonly columns: Readonly<Record<string, Int32Array>>
  /** the first of a flow, 0 = none */
  head(row: number): number
  /** flits that they had before they were dropped */
  flits(row: number): number
  push(row: number, packet: number): void
  pop(row: number): void
  /** in all flows */
  count(): number
}

export function makeKept({ packets, column }: EndpointSite, rows: number): Kept {
  const first = column(rows)
  const last = column(rows)
  const held = column(rows)
  const length = column(rows)
  return {
    columns: { keptFirst: first, keptLast: last, keptFlits: held, keptLength: length },
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
    count: () => length.reduce((a, b) => a + b, 0),
  }
}
