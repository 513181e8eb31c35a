// Records of packets: each worker has its own, a stack of free ones on top of a high-water mark.
import { APART } from "../../fabric/columns.ts"
import { recordSize } from "../../fabric/flit.ts"
import { type Outbox, workersOf } from "./outbox.ts"
import type { LoopSpec } from "./spec.ts"

export interface Records {
  /** chooses the partition that the following calls are about */
  enter(part: number): void
  /** a record, or -1 if there is none left */
  newPacket(): number
  /** the packet has arrived: its record goes back to the worker that made it */
  discard(p: number): void
  /** a record of this worker's comes back */
  reclaim(p: number): void
}

export function makeRecords(spec: LoopSpec, { post }: Pick<Outbox, "post">): Records {
  const { free, freeTop, fresh } = spec.columns
  const { workers: WORKERS, packetRoom } = spec.constants
  const RECORD = recordSize(spec.constants)
  const SOLO = WORKERS === 1
  const WORKER = workersOf(spec.layout.parts, WORKERS)
  let worker = 0
  let packetBase = 0
  /** where its counts lie */
  let count = 0

  function enter(part: number): void {
    worker = WORKER[part]!
    packetBase = worker * packetRoom
    count = worker * APART
  }

  function newPacket(): number {
    const own = SOLO ? 0 : count
    const top = freeTop[own]!
    if (top > 0) {
      freeTop[own] = top - 1
      return free[(SOLO ? 0 : packetBase) + top - 1]!
    }
    const n = fresh[own]!
    if (n === packetRoom) return -1
    fresh[own] = n + 1
    return (packetBase + n) * RECORD
  }

  function discard(p: number): void {
    const home = SOLO ? 0 : Math.floor(p / (packetRoom * RECORD))
    if (SOLO || home === worker) free[(SOLO ? 0 : packetBase) + freeTop[SOLO ? 0 : count]!++] = p
    else post(home, -1, 0, p)
  }

  function reclaim(p: number): void {
    free[packetBase + freeTop[count]!++] = p
  }

  return { enter, newPacket, discard, reclaim }
}
