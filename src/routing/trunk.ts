// Which of several parallel links to take. Links that have failed (their channels are unwired) are passed over; where none is left, what comes back is
// unwired too, and the check refuses the network before a packet meets it.
import type { Chan } from "../model/ids.ts"
import type { NetView } from "../model/routing.ts"

/** The one of `width` channels from `first` on with the fewest flits queued; among equals the next one from `start` (by the destination's number, say) on. */
export function leastLoaded(far: Int32Array, first: Chan, width: number, start: number, net: NetView): number {
  if (width === 1) return 0
  let best = -1
  let least = 0
  for (let i = 0; i < width; i++) {
    const member = (start + i) % width
    if (far[first + member]! < 0) continue
    const queued = net.queued(first + member)
    if (best < 0 || queued < least) {
      least = queued
      best = member
    }
  }
  return Math.max(0, best)
}

/** The same one always for the same `start`. */
export function hashed(far: Int32Array, first: Chan, width: number, start: number): number {
  for (let i = 0; i < width; i++) if (far[first + ((start + i) % width)]! >= 0) return (start + i) % width
  return 0
}
