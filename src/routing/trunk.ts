// Which of several parallel links to take.
import type { Chan, Packet } from "../model/ids.ts"
import type { NetView } from "../model/routing.ts"

/** The one of `width` channels from `first` on with the fewest flits queued, the search starting at a random one. */
export function leastLoaded(p: Packet, first: Chan, width: number, net: NetView): number {
  if (width === 1) return 0
  const start = net.draw(p, width)
  let best = start
  let least = net.queued(first + start)
  for (let i = 1; i < width; i++) {
    const member = start + i < width ? start + i : start + i - width
    const queued = net.queued(first + member)
    if (queued < least) {
      least = queued
      best = member
    }
  }
  return best
}
