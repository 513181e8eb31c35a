// Packets that switches make: answers to what they drop, control packets of their own, messages to their neighbours. A record comes from the partition that
// makes it, or is that of the dropped packet, and goes home from wherever its life ends.
import { draw, streamOf } from "../../../core/rng.ts"
import { BIRTH, COPY, DIRECT, DST, ENTER, FLAG, FLITS, HOPS, KEY, NEXT, PLACE, SEQUENCE, SRC, STATE } from "../../../fabric/packets.ts"
import type { TransferWires } from "../../../fabric/transfer.ts"
import { FACT } from "../../../model/facts.ts"
import type { Facts } from "../facts.ts"
import type { Records } from "./records.ts"
import type { TransferLoopSpec } from "./spec.ts"

export interface Made extends Pick<TransferWires, "answer" | "make" | "note"> {
  enter(part: number): void
  /** a control packet of endpoint `from`, its n-th: all but what the wires need; 0 if there is no record left */
  control(from: number, to: number, n: number, kind: number, value: number, flits: number): number
}

export function makeMade(spec: TransferLoopSpec, { record }: Records, { ON: FACTS, fact }: Facts): Made {
  const { packets, routerMade, dropped } = spec.columns
  const { kind: KIND, value: VALUE, seed } = spec.constants
  const { outerRouter } = spec.layout
  const bytes = new Uint8Array(packets.buffer)
  const END_KEYS = seed ^ 0x1f83d9ab
  const ROUTER_KEYS = seed ^ 0x2b3e6c1f
  const { dropped: DROPPED, sent: SENT } = FACT
  let me = 0

  function enter(part: number): void {
    me = part
  }

  function answer(p: number, kind: number, value: number, flits: number): void {
    const from = packets[p + SRC]!
    packets[p + SRC] = packets[p + DST]!
    packets[p + DST] = from
    packets[p + ENTER] = packets[p + FLITS]!
    packets[p + FLITS] = flits
    packets[p + HOPS] = 0
    packets[p + PLACE] = DIRECT
    packets[p + KIND] = kind
    packets[p + VALUE] = value
    packets[p + NEXT] = 0
    bytes[((p + STATE) << 2) + 2]! |= FLAG.ack
    dropped[me]!++
    if (FACTS) {
      fact(DROPPED, from, packets[p + SRC]!, packets[p + KEY]!)
      fact(SENT, packets[p + SRC]!, from, kind)
    }
  }

  function make(router: number, from: number, to: number, kind: number, value: number, flits: number): number {
    const n = routerMade[router]!
    const p = fresh(from, to, draw(streamOf(ROUTER_KEYS, outerRouter[router]!), n), kind, value, flits)
    if (p === 0) return 0
    routerMade[router] = n + 1
    if (FACTS) fact(SENT, from, to, kind)
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
    packets[p + BIRTH] = 0
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

  return { enter, answer, make, note, control }
}
