// Definitions that several congestion protocols share: VC classes of control packets and of throttled traffic.
import type { ClassRequest } from "../model/vc-plan.ts"

/** Priorities above and below those of all streams. */
export const FIRST = 1_000_000
export const LAST = -1_000_000

/** One VC for single-flit control packets, before all data, on shortest paths. */
export const CONTROL_CLASS: ClassRequest = { name: "control", vcs: 1, priority: FIRST, direct: true, control: true }
/** One VC after all data, on shortest paths. */
export const HOT_CLASS: ClassRequest = { name: "hot", vcs: 1, priority: LAST, direct: true }

/** Requirements of a protocol whose control packets are single flits on a separate VC. */
export const CONTROLLED = { classes: [CONTROL_CLASS], kinds: true, controlFlits: 1 } as const

/** Returns the smaller number, without the special cases of Math.min. */
export function leastOf(a: number, b: number): number {
  return a < b ? a : b
}
