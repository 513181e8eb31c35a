// Which of several parallel links to take.
import type { Chan } from "../model/ids.ts"
import type { NetView } from "../model/routing.ts"

/** The one of `width` channels from `first` on with the fewest flits queued; among equals the next one from `start` (by the destination's number, say) on. */
export function leastLoaded(first: Chan, width: number, start: number, net: NetView): number {
  if (width === 1) return 0
  let best = start % width
  let least = net.queued(first + best)
  for (let i = 1; i < width; i++) {
    const member = (start + i) % width
    const queued = net.queued(first + member)
    if (queued < least) {
      least = queued
      best = member
    }
  }
  return best
}
