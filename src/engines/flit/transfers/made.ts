// Packets that switches and endpoints create: responses to dropped packets, control packets, and messages to
// neighbours. A record comes from the partition that creates the packet, or is the record of the dropped packet. It
// returns to its partition when the packet is discarded.
import { draw, streamOf } from "../../../core/rng.ts"
import {
  COPY,
  CREATED,
  DIRECT,
  DST,
  ENTER,
  FLAG,
  FLITS,
  HOPS,
  KEY,
  NEXT,
  PLACE,
  SEQUENCE,
  SRC,
  STATE,
} from "../../../fabric/packets.ts"
import type { SwitchPorts } from "../../../fabric/transfer.ts"
import { TRACE } from "../../../model/trace-events.ts"
import type { Tracing } from "../trace.ts"
import type { Records } from "./records.ts"
import type { TransferLoopSpec } from "./spec.ts"

export interface Made extends Pick<SwitchPorts, "answer" | "trim" | "make" | "note"> {
  enter(part: number): void
  /** Creates the n-th control packet of endpoint `from`, without its routing state. Returns 0 if no record is left. */
  control(from: number, to: number, n: number, kind: number, value: number, flits: number): number
}

export function makeMade(spec: TransferLoopSpec, { record }: Records, { ON: TRACES, traceEvent }: Tracing): Made {
  const { packets, routerMade, dropped } = spec.columns
  const { kind: KIND, value: VALUE, seed } = spec.constants
  const { outerRouter } = spec.layout
  const bytes = new Uint8Array(packets.buffer)
  const END_KEYS = seed ^ 0x1f83d9ab
  const ROUTER_KEYS = seed ^ 0x2b3e6c1f
  const { dropped: DROPPED, sent: SENT } = TRACE
  let me = 0

  function enter(part: number): void {
    me = part
  }

  // The dropped packet turns around: source and destination are swapped, and ENTER stores its length for a
  // retransmission.
  function answer(p: number, kind: number, value: number, flits: number): void {
    const from = packets[p + SRC]
    packets[p + SRC] = packets[p + DST]
    packets[p + DST] = from
    packets[p + ENTER] = packets[p + FLITS]
    packets[p + FLITS] = flits
    packets[p + HOPS] = 0
    packets[p + PLACE] = DIRECT
    packets[p + KIND] = kind
    packets[p + VALUE] = value
    packets[p + NEXT] = 0
    bytes[((p + STATE) << 2) + 2] |= FLAG.ack
    dropped[me]++
    if (TRACES) {
      traceEvent(DROPPED, from, packets[p + SRC], packets[p + KEY])
      traceEvent(SENT, packets[p + SRC], from, kind)
    }
  }

  // The header keeps its direction and its value. ENTER stores the length of the packet.
  function trim(p: number, kind: number): void {
    packets[p + ENTER] = packets[p + FLITS]
    packets[p + FLITS] = 1
    packets[p + HOPS] = 0
    packets[p + PLACE] = DIRECT
    packets[p + KIND] = kind
    packets[p + NEXT] = 0
    const flags = ((p + STATE) << 2) + 2
    bytes[flags] = (bytes[flags] | FLAG.ack) & ~FLAG.marked
    if (TRACES) traceEvent(DROPPED, packets[p + SRC], packets[p + DST], packets[p + KEY])
  }

  // Keys of control packets depend on the router and its count, so they are independent of partitions.
  function make(router: number, from: number, to: number, kind: number, value: number, flits: number): number {
    const n = routerMade[router]
    const p = fresh(from, to, draw(streamOf(ROUTER_KEYS, outerRouter[router]), n), kind, value, flits)
    if (p === 0) return 0
    routerMade[router] = n + 1
    if (TRACES) traceEvent(SENT, from, to, kind)
    return p
  }

  function control(from: number, to: number, n: number, kind: number, value: number, flits: number): number {
    return fresh(from, to, draw(streamOf(END_KEYS, from), n), kind, value, flits)
  }

  function fresh(from: number, to: number, key: number, kind: number, value: number, flits: number): number {
    const p = record()
    if (p === 0) return 0
    packets[p + NEXT] = 0
    packets[p + SRC] = from
    packets[p + DST] = to
    packets[p + CREATED] = 0
    packets[p + ENTER] = 0
    packets[p + KEY] = key
    packets[p + FLITS] = flits
    packets[p + HOPS] = 0
    packets[p + STATE] = FLAG.ack << 16
    packets[p + COPY] = 0
    packets[p + PLACE] = DIRECT
    packets[p + SEQUENCE] = 0
    packets[p + KIND] = kind
    packets[p + VALUE] = value
    return p
  }

  function note(kind: number, value: number, flits: number): number {
    return fresh(0, 0, 0, kind, value, flits)
  }

  return { enter, answer, trim, make, note, control }
}
