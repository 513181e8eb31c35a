// What several protocols share.
import type { ClassWish } from "../model/vc-plan.ts"

/** More urgent than any stream, and less. */
export const FIRST = 1_000_000
export const LAST = -1_000_000

/** Single flits on one VC, ahead of all data, on the shortest way. */
export const CONTROL_CLASS: ClassWish = { name: "control", vcs: 1, priority: FIRST, direct: true, control: true }
/** One VC behind all data, on the shortest way. */
export const HOT_CLASS: ClassWish = { name: "hot", vcs: 1, priority: LAST, direct: true }

/** What a protocol asks for whose control packets are single flits on a VC of their own. */
export const CONTROLLED = { classes: [CONTROL_CLASS], kinds: true, controlFlits: 1 } as const

/** The lesser of two; a call of Math.min with two numbers, without its cases. */
export function leastOf(a: number, b: number): number {
  return a < b ? a : b
}
