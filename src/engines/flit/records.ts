// Allocation of packet records in the flit engine. Each worker has its own pool: a stack of free records and a
// high-water mark. A record returns to the worker that allocated it, because a packet may be delivered by another
// worker.
import { APART } from "../../fabric/columns.ts"
import { recordSize } from "../../fabric/flit.ts"
import { type Outbox, workersOf } from "./outbox.ts"
import type { LoopSpec } from "./spec.ts"

export interface Records {
  /** Selects the partition of the following calls. */
  enter(part: number): void
  /** Returns a free record, or -1 if none is left. */
  newPacket(): number
  /** Frees the record of a delivered packet, or sends it to the worker that owns it. */
  discard(p: number): void
  /** Accepts a record of this worker that another worker has returned. */
  reclaim(p: number): void
}

export function makeRecords(spec: LoopSpec, { post }: Pick<Outbox, "post">): Records {
  const { free, freeTop, fresh } = spec.columns
  const { workers: WORKERS, packetSlots } = spec.constants
  const RECORD = recordSize(spec.constants)
  const SOLO = WORKERS === 1
  const WORKER = workersOf(spec.layout.parts, WORKERS)
  let worker = 0
  let packetBase = 0
  /** index of this worker's counters, which are a cache line apart */
  let count = 0

  function enter(part: number): void {
    worker = WORKER[part]
    packetBase = worker * packetSlots
    count = worker * APART
  }

  function newPacket(): number {
    const own = SOLO ? 0 : count
    const top = freeTop[own]
    if (top > 0) {
      freeTop[own] = top - 1
      return free[(SOLO ? 0 : packetBase) + top - 1]
    }
    const n = fresh[own]
    if (n === packetSlots) return -1
    fresh[own] = n + 1
    return (packetBase + n) * RECORD
  }

  function discard(p: number): void {
    const home = SOLO ? 0 : Math.floor(p / (packetSlots * RECORD))
    if (SOLO || home === worker) free[(SOLO ? 0 : packetBase) + freeTop[SOLO ? 0 : count]++] = p
    else post(home, -1, 0, p)
  }

  function reclaim(p: number): void {
    free[packetBase + freeTop[count]++] = p
  }

  return { enter, newPacket, discard, reclaim }
}
