import type { Packet } from "../model/ids.ts"
import type { NetView } from "../model/routing.ts"

/** A group that is neither of these two, drawn for the packet; there must be three. */
export function thirdGroup(p: Packet, groups: number, here: number, there: number, net: NetView): number {
  let group = net.draw(p, groups - 2)
  if (group >= Math.min(here, there)) group++
  if (group >= Math.max(here, there)) group++
  return group
}
