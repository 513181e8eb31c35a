// Acceptance of packets at their destination. Sequence numbers within a flow (source and destination) make delivery
// exactly-once, even if packets are damaged, lost or sent again. A flow stores the first missing number and a bit mask
// of the 128 numbers from there on. delivery.ts calls `judge` for each data packet.
import { FLAG, SEQUENCE, SRC, STATE } from "../../../fabric/packets.ts"
import type { TransferLoopSpec } from "./spec.ts"

export const NEW = 0
export const SEEN = 1
/** negative results: damaged; outside the window; abandoned by its source and never received */
export const REFUSED = 2
export const EARLY = 3
export const ABANDONED = 4
export const VERDICTS = 5

export interface Verdicts {
  enter(part: number): void
  judge(e: number, p: number): number
}

export function makeVerdicts(spec: TransferLoopSpec): Verdicts {
  const { layout } = spec
  const { packets, flowBase, flowHas, refused, duplicates } = spec.columns
  const { reorder: REORDER } = spec.constants
  const bytes = new Uint8Array(packets.buffer)
  let me = 0

  function enter(part: number): void {
    me = part
  }

  /**
   * Returns whether a packet is new, a duplicate, or rejected: damaged, too far ahead, or without space in the reorder
   * buffer. The notice that a packet was abandoned closes its gap in the flow. Later packets then need not wait, and
   * the packet itself, if it arrives after all, counts as a duplicate.
   */
  function judge(e: number, p: number): number {
    const flags = bytes[((p + STATE) << 2) + 2]
    const given = (flags & FLAG.given) !== 0
    if ((flags & FLAG.spoilt) !== 0) return refuse(REFUSED)
    const flow = e * layout.graph.ends + packets[p + SRC]
    const d = packets[p + SEQUENCE] - flowBase[flow]
    const has = 4 * flow
    if (d < 0 || (d < 128 && ((flowHas[has + (d >> 5)] >>> (d & 31)) & 1) !== 0)) {
      duplicates[me]++
      return SEEN
    }
    if (d >= 128 || (!given && REORDER > 0 && d > 0 && waiting(has) >= REORDER)) return refuse(EARLY)
    flowHas[has + (d >> 5)] |= 1 << (d & 31)
    // Advance over all received numbers at the start of the window.
    while ((flowHas[has] & 1) !== 0) {
      for (let w = 0; w < 3; w++) flowHas[has + w] = (flowHas[has + w] >>> 1) | (flowHas[has + w + 1] << 31)
      flowHas[has + 3] = flowHas[has + 3] >>> 1
      flowBase[flow]++
    }
    return given ? ABANDONED : NEW
  }

  function refuse(why: number): number {
    refused[me]++
    return why
  }

  /** Returns the number of packets in the reorder buffer of a flow. */
  function waiting(has: number): number {
    let n = 0
    for (let w = 0; w < 4; w++) for (let m = flowHas[has + w]; m !== 0; m &= m - 1) n++
    return n
  }

  return { enter, judge }
}
