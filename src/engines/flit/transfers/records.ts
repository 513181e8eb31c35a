// Allocation of packet records in the packet-moving engine: a free list for each partition and a high-water mark. A
// record that is discarded in another partition returns to its partition in a separate list after the next barrier.
import { CONTROL } from "../../../fabric/flit.ts"
import { NEXT } from "../../../fabric/packets.ts"
import type { Outbox } from "../outbox.ts"
import type { TransferLoopSpec } from "./spec.ts"

export interface Records {
  enter(part: number): void
  /** Returns a free record; 0 if none is left, and the run then ends. */
  record(): number
  discard(p: number): void
  /** Accepts the records that others returned in the window of this parity. */
  collect(part: number, parity: number): void
}

export function makeRecords(spec: TransferLoopSpec, { boxTo }: Outbox): Records {
  const { parts } = spec.layout
  const { packets, freeHead, fresh, homeHead, homeTail, control } = spec.columns
  const { stride: STRIDE, packetSlots: CAPACITY } = spec.constants
  const ONE = parts === 1
  let me = 0

  function enter(part: number): void {
    me = part
  }

  function record(): number {
    const head = freeHead[me]
    if (head !== 0) {
      freeHead[me] = packets[head + NEXT]
      return head
    }
    const n = fresh[me] + 1
    if (n >= CAPACITY) return exhausted()
    fresh[me] = n
    return (me * CAPACITY + n) * STRIDE
  }

  /** Ends the run. Continuing without a record would give results that depend on the number of partitions. */
  function exhausted(): number {
    control[CONTROL.full] = 1
    return 0
  }

  function discard(p: number): void {
    const home = ONE ? 0 : (p / (STRIDE * CAPACITY)) | 0
    if (ONE || home === me) {
      packets[p + NEXT] = freeHead[me]
      freeHead[me] = p
      return
    }
    const box = boxTo(home)
    packets[p + NEXT] = homeHead[box]
    if (homeHead[box] === 0) homeTail[box] = p
    homeHead[box] = p
  }

  function collect(part: number, parity: number): void {
    for (let from = 0; from < parts; from++) {
      const box = (parity * parts + from) * parts + part
      const home = homeHead[box]
      if (home === 0) continue
      packets[homeTail[box] + NEXT] = freeHead[part]
      freeHead[part] = home
      homeHead[box] = 0
    }
  }

  return { enter, record, discard, collect }
}
