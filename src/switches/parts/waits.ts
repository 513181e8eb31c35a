// The wait-for relation between the queues of switches that move whole packets, for the deadlock diagnosis. A head
// packet without credits waits for the head packets of the queues that occupy the buffer; progress of any one of them
// may be enough. Packets that will move by themselves do not count as waiting: a transfer in progress, a credit in
// flight, or a pending arbitration. The diagnosis therefore never reports a false deadlock; and in a real deadlock
// nothing moves, so the relation is complete.
import { eachInChain, FLITS } from "../../fabric/packets.ts"
import type { SharedBuffers } from "../../fabric/shared-buffers.ts"
import type { StateWait, StateWaits } from "../../fabric/switch.ts"

/** A queue: its number (StateWaits), and the output VC that its head packet requests or has used. */
export interface Holder {
  readonly queue: number
  readonly vc: number
}

/** The queues of which one must make progress; undefined if progress is certain or not needed. */
export type Holders = readonly Holder[] | undefined

export class QueueWaits {
  readonly found: StateWaits[] = []

  /** Adds the head packet of queue `at`, which requests output VC `wants` or space on the path to it. */
  add(at: number, packet: number, wants: number, holders: Holders): void {
    if (holders === undefined) return
    const waits = holders.map(({ queue, vc }): StateWait => ({ wants, holds: vc, by: queue }))
    this.found.push({ at, packet, waits })
  }
}

/**
 * Returns whether a queue contains all `held` flits that its sender counts. If it does not, packets or credits are in
 * flight and will change the state.
 */
export function standing(packets: Int32Array, head: number, held: number): boolean {
  let flits = 0
  eachInChain(packets, head, (p) => {
    flits += packets[p + FLITS]
  })
  return flits === held
}

/**
 * Returns the queues that can free space for f flits at `slot` (fabric/shared-buffers.ts): its own VC, and the VCs that
 * occupy the shared part. `of` returns the queues with all flits of a slot, or undefined if some are in flight.
 */
export function spaceHolders(
  sharedBuffers: SharedBuffers,
  LV: number,
  slot: number,
  f: number,
  of: (slot: number) => Holders,
): Holders {
  const { held, reserve, cap, left } = sharedBuffers
  const port = slot >> LV
  const over = held[slot] + f - reserve[slot]
  // The space is there already.
  if (over <= 0 || (over <= cap[port] && Math.min(over, f) <= left[port])) return undefined
  const found: Holder[] = []
  for (let x = port << LV; x < (port + 1) << LV; x++) {
    const helps = x === slot ? held[x] > 0 : over <= cap[port] && held[x] > reserve[x]
    if (!helps) continue
    const holders = of(x)
    if (holders === undefined) return undefined
    found.push(...holders)
  }
  return found.length === 0 ? undefined : found
}
