// Classes of VCs in a tiled switch: the VCs on which their packets enter and leave the network, and the priority level
// of a packet in each part of the switch.
import { FLAG, HOPS, STATE } from "../../fabric/packets.ts"
import type { VcPlan } from "../../model/vc-plan.ts"

/**
 * Injection VC of acknowledgements, relative to their class. It is separate because they must not wait behind data that
 * waits for stash space.
 */
export const ACK_VC = 1

/**
 * Returns the mask of VCs on which endpoints send: the first VC of a class for data and for protocol packets, the next
 * one for acknowledgements.
 */
export function entryVcs({ classes, data }: Pick<VcPlan, "classes" | "data">): number {
  return classes.reduce(
    (mask, { first, count }, c) => mask | (1 << first) | (c < data && count > ACK_VC ? 1 << (first + ACK_VC) : 0),
    0,
  )
}

/** Returns the mask of the last VC of each class. */
export function lastVcs({ classes }: Pick<VcPlan, "classes">): number {
  return classes.reduce((mask, { first, count }) => mask | (1 << (first + count - 1)), 0)
}

/**
 * Returns a function that gives the priority level of a packet: that of the VC on which it leaves the switch. For a
 * copy it is that of the VC on which the original entered (stash.ts: copyOf).
 */
export function levelsOf({ levelOf }: VcPlan, packets: Int32Array, bytes: Uint8Array): (p: number) => number {
  return (p) => {
    const b = (p + STATE) << 2
    return levelOf[(bytes[b + 2] & FLAG.copy) !== 0 ? packets[p + HOPS] : bytes[b + 1]]
  }
}
