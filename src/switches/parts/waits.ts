// Who waits for whom among the queues of switches that move whole packets, for the diagnosis of a stall. A front that lacks room waits for the fronts of the
// queues that take it up; any one of them that goes on may be enough. What will move by itself (a transfer that has begun, a credit on its way, a turn
// that comes) is not said to wait, so nothing is called stuck that is not; and where nothing moves, everything is.
import { eachInChain, FLITS } from "../../fabric/packets.ts"
import type { Rooms } from "../../fabric/rooms.ts"
import type { StateWait, StateWaits } from "../../fabric/switch.ts"

/** A queue: its number (StateWaits), and the output VC that its front goes to or has come over. */
export interface Holder {
  readonly queue: number
  readonly vc: number
}

/** Those of whom one must go on; undefined: somebody will, or needs not to. */
export type Holders = readonly Holder[] | undefined

export class QueueWaits {
  readonly found: StateWaits[] = []

  /** The front of queue `at` wants output VC `wants`, or room on the way to it. */
  add(at: number, packet: number, wants: number, holders: Holders): void {
    if (holders === undefined) return
    const waits = holders.map(({ queue, vc }): StateWait => ({ wants, holds: vc, by: queue }))
    this.found.push({ at, packet, waits })
  }
}

/** A queue is to blame for `held` flits if they all stand in it: what is on its way in or out changes that by itself. */
export function standing(packets: Int32Array, head: number, held: number): boolean {
  let flits = 0
  eachInChain(packets, head, (p) => {
    flits += packets[p + FLITS]!
  })
  return flits === held
}

/** Who may make room for f flits at `slot` (fabric/rooms.ts): its own VC, and those that have taken of the shared part. `of`: the queues that hold
 *  all flits of a slot, undefined if not all stand there. */
export function roomHolders(rooms: Rooms, LV: number, slot: number, f: number, of: (slot: number) => Holders): Holders {
  const { held, reserve, cap, left } = rooms
  const port = slot >> LV
  const over = held[slot]! + f - reserve[slot]!
  if (over <= 0 || (over <= cap[port]! && Math.min(over, f) <= left[port]!)) return undefined
  const found: Holder[] = []
  for (let x = port << LV; x < (port + 1) << LV; x++) {
    const helps = x === slot ? held[x]! > 0 : over <= cap[port]! && held[x]! > reserve[x]!
    if (!helps) continue
    const holders = of(x)
    if (holders === undefined) return undefined
    found.push(...holders)
  }
  return found.length === 0 ? undefined : found
}
