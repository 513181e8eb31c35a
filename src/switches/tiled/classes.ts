// Classes of VCs in a tiled switch: on which VCs their packets enter and leave the network, and how urgent a packet is wherever it stands.
import { FLAG, HOPS, STATE } from "../../fabric/packets.ts"
import type { VcPlan } from "../../model/vc-plan.ts"

/** Injection VC of acknowledgements, relative to their class: they must not wait behind data that waits for stash space. */
export const ACK_VC = 1

/** VCs (mask) on which endpoints send: data on the first of their class, acknowledgements on the next, packets of a protocol on the first of theirs. */
export function entryVcs({ classes, data }: Pick<VcPlan, "classes" | "data">): number {
  return classes.reduce((mask, { first, count }, c) => mask | (1 << first) | (c < data && count > ACK_VC ? 1 << (first + ACK_VC) : 0), 0)
}

/** The last VC of each class (mask). */
export function lastVcs({ classes }: Pick<VcPlan, "classes">): number {
  return classes.reduce((mask, { first, count }) => mask | (1 << (first + count - 1)), 0)
}

/** Level of a packet: that of the VC on which it leaves the switch, of a copy that of the VC on which its packet entered (stash.ts: copyOf). */
export function levelsOf({ levelOf }: VcPlan, packets: Int32Array, bytes: Uint8Array): (p: number) => number {
  return (p) => {
    const b = (p + STATE) << 2
    return levelOf[(bytes[b + 2]! & FLAG.copy) !== 0 ? packets[p + HOPS]! : bytes[b + 1]!]!
  }
}
