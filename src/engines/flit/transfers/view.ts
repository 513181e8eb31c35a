// The packet view of endpoint protocols (model/protocol.ts): reads and writes fields of packet records. control.ts
// passes it to the protocol.
import { FLAG, recordViews } from "../../../fabric/packets.ts"
import { KIND, type PacketView } from "../../../model/protocol.ts"
import type { TransferLoopSpec } from "./spec.ts"

export function makeView(spec: Pick<TransferLoopSpec, "columns" | "constants">): PacketView {
  const { packets } = spec.columns
  const { kinds: KINDS, kind: KIND_AT, value: VALUE } = spec.constants
  const { pSrc, pDst, pFlits, pEnter, pCreated, pSequence, sFlags, sStream } = recordViews(packets)
  const pKind = packets.subarray(KIND_AT)
  const pValue = packets.subarray(VALUE)
  // Imported constants cost a load at each access; local copies do not.
  const { ack: ACK, marked: MARKED } = FLAG
  const kindOf = KIND
  return {
    src: (p) => pSrc[p],
    dst: (p) => pDst[p],
    flits: (p) => pFlits[p],
    answered: (p) => pEnter[p],
    kind: (p) => (KINDS ? pKind[p] : (sFlags[p << 2] & ACK) !== 0 ? kindOf.ack : kindOf.data),
    value: (p) => pValue[p],
    setValue(p, value) {
      pValue[p] = value
    },
    number: (p) => pSequence[p],
    setNumber(p, n) {
      pSequence[p] = n
    },
    marked: (p) => (sFlags[p << 2] & MARKED) !== 0,
    createdAt: (p) => pCreated[p],
    stream: (p) => sStream[p << 2],
  }
}
