import type { Packet } from "../model/ids.ts"
import type { NetView } from "../model/routing.ts"

/** Returns a random group that is neither of the two given ones, drawn for the packet. Detours on dragonfly and megafly
 *  use it. There must be at least three groups. */
export function thirdGroup(p: Packet, groups: number, here: number, there: number, net: NetView): number {
  let group = net.draw(p, groups - 2)
  if (group >= Math.min(here, there)) group++
  if (group >= Math.max(here, there)) group++
  return group
}
