// How a run ended, and what was counted in its measured window.
import type { ClockedEngine } from "../../engines/flit/clocked.ts"
import type { StopReason } from "../../model/experiment.ts"

/** Counters of the window: a copy at its begin, then the difference. */
export interface WindowCounts {
  readonly endIn: Uint32Array
  readonly endOut: Uint32Array
  readonly portFlits: Uint32Array
}

export function copyCounts({ columns: a }: ClockedEngine): WindowCounts {
  return { endIn: a.endIn.slice(), endOut: a.endOut.slice(), portFlits: a.portFlits.slice() }
}

export function since(engine: ClockedEngine, begin: WindowCounts | undefined): WindowCounts {
  const now = copyCounts(engine)
  for (const key of ["endIn", "endOut", "portFlits"] as const)
    for (let i = 0; i < now[key].length; i++) now[key][i]! -= begin?.[key][i] ?? 0
  return now
}

export function flitsOut(c: WindowCounts): number {
  let sum = 0
  for (let i = 0; i < c.endOut.length; i++) sum += c.endOut[i]!
  return sum
}

export interface Outcome {
  readonly why: StopReason
  readonly explains: string
  /** measured window, and what was counted in it */
  readonly from: number
  readonly to: number
  readonly counts: WindowCounts
  /** half width of the 95 % interval of mean latency, if it was estimated */
  readonly half?: number
  /** half width of the 95 % interval of what was accepted, relative to what was offered; infinite if the window was too short to tell: then there is no number */
  readonly acceptedHalf?: number
  /** flits that were created in the window */
  readonly created?: number
}
