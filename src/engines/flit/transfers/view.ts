// What a protocol may read of packets, over their records.
import { BIRTH, DST, ENTER, FLAG, FLITS, SEQUENCE, SRC, STATE } from "../../../fabric/packets.ts"
import { KIND, type PacketView } from "../../../model/protocol.ts"
import type { TransferLoopSpec } from "./spec.ts"

export function makeView(spec: Pick<TransferLoopSpec, "columns" | "constants">): PacketView {
  const { packets } = spec.columns
  const { kinds: KINDS, kind: KIND_AT, value: VALUE } = spec.constants
  const bytes = new Uint8Array(packets.buffer)
  const flags = (p: number): number => bytes[((p + STATE) << 2) + 2]!
  return {
    src: (p) => packets[p + SRC]!,
    dst: (p) => packets[p + DST]!,
    flits: (p) => packets[p + FLITS]!,
    answered: (p) => packets[p + ENTER]!,
    kind: (p) => (KINDS ? packets[p + KIND_AT]! : (flags(p) & FLAG.ack) !== 0 ? KIND.ack : KIND.data),
    value: (p) => packets[p + VALUE]!,
    setValue(p, value) {
      packets[p + VALUE] = value
    },
    number: (p) => packets[p + SEQUENCE]!,
    setNumber(p, n) {
      packets[p + SEQUENCE] = n
    },
    marked: (p) => (flags(p) & FLAG.marked) !== 0,
    birth: (p) => packets[p + BIRTH]!,
    stream: (p) => bytes[((p + STATE) << 2) + 3]!,
  }
}
