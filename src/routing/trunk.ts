// Choice among parallel links. Failed links, whose channels are unwired, are skipped. If no link is left the result is
// unwired, too, and the check of the experiment refuses the network before a packet meets it.
import type { Chan } from "../model/ids.ts"
import type { NetView } from "../model/routing.ts"

/** Returns the index of the channel with the fewest queued flits, among `width` channels from `first` on. Ties go to
 *  the next one from `start` (for example the destination), so that no link is preferred. */
export function leastLoaded(far: Int32Array, first: Chan, width: number, start: number, net: NetView): number {
  if (width === 1) return 0
  let best = -1
  let least = 0
  for (let i = 0; i < width; i++) {
    const member = (start + i) % width
    if (far[first + member] < 0) continue
    const queued = net.queued(first + member)
    if (best < 0 || queued < least) {
      least = queued
      best = member
    }
  }
  return Math.max(0, best)
}

/** Returns an index that depends only on `start`: packets to one destination keep to one link and stay in order. */
export function hashed(far: Int32Array, first: Chan, width: number, start: number): number {
  for (let i = 0; i < width; i++) if (far[first + ((start + i) % width)] >= 0) return (start + i) % width
  return 0
}
